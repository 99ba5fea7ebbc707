# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB

noinst_LTLIBRARIES += src/wire/libwire.la
src_wire_libwire_la_SOURCES = \
	$(NULL)
