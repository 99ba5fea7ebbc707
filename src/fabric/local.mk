# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB

noinst_LTLIBRARIES += src/fabric/libfabric.la
src_fabric_libfabric_la_SOURCES = \
	src/fabric/fabric.h \
	$(NULL)
