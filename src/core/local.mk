# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB

noinst_LTLIBRARIES += src/core/libcore.la
src_core_libcore_la_SOURCES = \
	$(NULL)
