# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB

noinst_LTLIBRARIES += src/fabric/libfabric.la
src_fabric_libfabric_la_SOURCES = \
	src/fabric/fab_verbs.c \
	src/fabric/fab_verbs.h \
	src/fabric/fabric.c \
	src/fabric/fabric.h \
	src/fabric/mrpool.c \
	src/fabric/mrpool.h \
	$(NULL)
