# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB

noinst_LTLIBRARIES += src/target/libtarget.la
src_target_libtarget_la_SOURCES = \
	src/target/target.h \
	$(NULL)
