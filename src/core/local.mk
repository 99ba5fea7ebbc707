# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB

noinst_LTLIBRARIES += src/core/libcore.la
src_core_libcore_la_SOURCES = \
	src/core/adaptive.c \
	src/core/adaptive.h \
	src/core/admin.c \
	src/core/admin.h \
	src/core/bias.c \
	src/core/bias.h \
	src/core/channel.c \
	src/core/channel.h \
	src/core/channel_event.c \
	src/core/channel_io.c \
	src/core/channel_iu.c \
	src/core/channels.c \
	src/core/cm.c \
	src/core/cm.h \
	src/core/completion.c \
	src/core/completion.h \
	src/core/events.c \
	src/core/events.h \
	src/core/explain.c \
	src/core/io.h \
	src/core/keeper.c \
	src/core/keeper.h \
	src/core/login.c \
	src/core/lun.c \
	src/core/lun.h \
	src/core/lun_probe.c \
	src/core/mem.c \
	src/core/mem.h \
	src/core/prep.c \
	src/core/prep.h \
	src/core/prep_io.c \
	src/core/probes.c \
	src/core/probes.h \
	src/core/queue.c \
	src/core/queue.h \
	src/core/queue_io.c \
	src/core/response.c \
	src/core/response.h \
	src/core/service.c \
	src/core/service.h \
	src/core/session.c \
	src/core/session.h \
	src/core/share.c \
	src/core/share.h \
	src/core/slots.c \
	src/core/slots.h \
	src/core/split.c \
	src/core/split.h \
	src/core/tmf.c \
	src/core/wakecost.c \
	src/core/wakecost.h \
	$(NULL)
