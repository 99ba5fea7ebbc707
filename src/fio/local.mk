# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# The external engine, with the headers of the fio that will load it:
# configure --with-fio=DIR, where scripts/fio-source prints DIR. fio itself
# has the symbols that are not defined here.

FIO_SOURCES = \
	src/fio/fio_check.c \
	src/fio/fio_check.h \
	src/fio/fio_io.c \
	src/fio/fio_io.h \
	src/fio/fio_job.c \
	src/fio/fio_job.h \
	src/fio/fio_look.c \
	src/fio/fio_look.h \
	src/fio/fio_mem.c \
	src/fio/fio_mem.h \
	src/fio/fio_opts.c \
	src/fio/fio_opts.h \
	src/fio/fio_session.c \
	src/fio/fio_session.h \
	src/fio/fio_shared.c \
	src/fio/fio_shared.h \
	src/fio/fio_srpi.c \
	src/fio/fio_srpi.h \
	src/fio/fio_stats.c \
	src/fio/fio_stats.h \
	src/fio/fio_stop.c \
	src/fio/fio_stop.h \
	$(NULL)

if HAVE_FIO
lib_LTLIBRARIES += src/fio/libfio-srpi.la
src_fio_libfio_srpi_la_SOURCES = $(FIO_SOURCES)
src_fio_libfio_srpi_la_CPPFLAGS = \
	$(AM_CPPFLAGS) \
	-isystem $(FIO_DIR) \
	-include $(FIO_DIR)/config-host.h \
	-DFIO_BUILT_FOR='"$(FIO_VERSION)"' \
	$(NULL)
src_fio_libfio_srpi_la_LIBADD = \
	src/lib/libsrpi.la \
	$(JANSSON_LIBS) \
	$(NULL)
# fio unloads an engine while threads of the library's may still end.
src_fio_libfio_srpi_la_LDFLAGS = \
	$(AM_LDFLAGS) \
	-module \
	-avoid-version \
	-Wl,-z,nodelete \
	$(NULL)
endif
