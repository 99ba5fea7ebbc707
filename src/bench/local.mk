# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# srpbench measures insides, so it links the parts and not libsrpi.so.

noinst_LTLIBRARIES += src/bench/libbench.la
src_bench_libbench_la_SOURCES = \
	src/bench/bench_counts.c \
	src/bench/bench_link.c \
	src/bench/bench_link.h \
	src/bench/bench_loopback.c \
	src/bench/bench_pingpong.c \
	src/bench/bench_read.c \
	src/bench/bench_read.h \
	src/bench/bench_stall.c \
	src/bench/srpbench.h \
	src/bench/srpbench_opts.c \
	src/bench/srpbench_opts.h \
	$(NULL)

BENCH_LIBS = \
	src/bench/libbench.la \
	$(LIBSRPI_PARTS) \
	$(LIBSRPI_DEPS) \
	$(JANSSON_LIBS) \
	$(NULL)

EXTRA_DIST += \
	bench/counts.sh \
	bench/immediate.sh \
	bench/instructions.sh \
	$(NULL)

bin_PROGRAMS += src/bench/srpbench
src_bench_srpbench_SOURCES = src/bench/srpbench.c
src_bench_srpbench_LDADD = $(BENCH_LIBS)
