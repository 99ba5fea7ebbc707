# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# What srpd and its control programs say to each other.

noinst_LTLIBRARIES += src/ctl/libctl.la
src_ctl_libctl_la_SOURCES = \
	src/ctl/ctl_client.c \
	src/ctl/ctl_client.h \
	src/ctl/ctl_lines.c \
	src/ctl/ctl_lines.h \
	src/ctl/ctl_msg.c \
	src/ctl/ctl_msg.h \
	src/ctl/ctl_table.c \
	src/ctl/ctl_table.h \
	$(NULL)
