# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB

noinst_LTLIBRARIES += src/util/libutil.la
src_util_libutil_la_SOURCES = \
	src/util/bitset.h \
	src/util/bytes.h \
	src/util/clock.c \
	src/util/clock.h \
	src/util/compiler.h \
	src/util/counter.h \
	src/util/crc32c.c \
	src/util/crc32c.h \
	src/util/futex.h \
	src/util/hist.c \
	src/util/hist.h \
	src/util/list.h \
	src/util/log.c \
	src/util/log.h \
	src/util/loop.c \
	src/util/loop.h \
	src/util/mem.c \
	src/util/mem.h \
	src/util/parse.c \
	src/util/parse.h \
	src/util/ring.h \
	src/util/spin.c \
	src/util/spin.h \
	src/util/stdfd.c \
	src/util/stdfd.h \
	src/util/thread.c \
	src/util/thread.h \
	src/util/worker.c \
	src/util/worker.h \
	$(NULL)
src_util_libutil_la_LIBADD = -lm
