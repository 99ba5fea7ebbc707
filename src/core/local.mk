# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB

noinst_LTLIBRARIES += src/core/libcore.la
src_core_libcore_la_SOURCES = \
	src/core/bias.c \
	src/core/bias.h \
	src/core/channel.h \
	src/core/cm.c \
	src/core/cm.h \
	src/core/completion.h \
	src/core/io.h \
	src/core/queue.h \
	src/core/response.h \
	src/core/session.h \
	src/core/slots.h \
	$(NULL)
