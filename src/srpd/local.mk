# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# The daemon. Its main() has a file of its own; the rest is in a noinst
# library, so that unit tests can link it.

noinst_LTLIBRARIES += src/srpd/libsrpd.la
src_srpd_libsrpd_la_SOURCES = \
	src/srpd/redact.c \
	src/srpd/redact.h \
	src/srpd/rport.c \
	src/srpd/rport.h \
	src/srpd/rport_attr.c \
	src/srpd/rport_attr.h \
	src/srpd/rport_events.c \
	src/srpd/rport_login.c \
	src/srpd/rport_luns.c \
	src/srpd/rport_priv.h \
	src/srpd/rport_run.c \
	src/srpd/rport_state.c \
	src/srpd/rport_state.h \
	src/srpd/rports.c \
	$(NULL)

SRPD_LIBS = \
	src/srpd/libsrpd.la \
	src/lib/libsrpi.la \
	src/util/libutil.la \
	$(NULL)
