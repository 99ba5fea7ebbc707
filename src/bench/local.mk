# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# srpbench measures insides, so it links the parts and not libsrpi.so.

noinst_LTLIBRARIES += src/bench/libbench.la
src_bench_libbench_la_SOURCES = \
	$(NULL)

BENCH_LIBS = \
	src/bench/libbench.la \
	$(LIBSRPI_PARTS) \
	$(LIBSRPI_DEPS) \
	$(JANSSON_LIBS) \
	$(NULL)
