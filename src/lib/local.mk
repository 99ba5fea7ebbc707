# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# src/lib itself, and libsrpi.so, which is every folder below it in one.

noinst_LTLIBRARIES += src/lib/liblib.la
src_lib_liblib_la_SOURCES = \
	src/lib/demo.c \
	src/lib/demo.h \
	src/lib/diag.c \
	src/lib/host.c \
	src/lib/host.h \
	src/lib/keys.c \
	src/lib/keys.h \
	src/lib/open.c \
	src/lib/opts.c \
	src/lib/resolve.c \
	src/lib/resolve.h \
	src/lib/text.c \
	src/lib/text.h \
	src/lib/url.c \
	src/lib/url.h \
	$(NULL)

# What libsrpi.so is made of, upper folders first. Tests and srpbench, which
# reach inside, link this list; other programs link libsrpi.la.
LIBSRPI_PARTS = \
	src/lib/liblib.la \
	src/core/libcore.la \
	src/target/libtarget.la \
	src/softrdma/libsoftrdma.la \
	src/fabric/libfabric.la \
	src/wire/libwire.la \
	src/util/libutil.la \
	$(NULL)
LIBSRPI_DEPS = \
	$(RDMACM_LIBS) \
	$(IBVERBS_LIBS) \
	$(SGUTILS_LIBS) \
	$(AIO_LIBS) \
	$(NULL)

lib_LTLIBRARIES += src/lib/libsrpi.la
src_lib_libsrpi_la_SOURCES =
src_lib_libsrpi_la_LIBADD = $(LIBSRPI_PARTS) $(LIBSRPI_DEPS)
src_lib_libsrpi_la_LDFLAGS = \
	$(AM_LDFLAGS) \
	$(LIBSRPI_DEFS) \
	-no-undefined \
	-version-info $(SRPI_VERSION_INFO) \
	-Wl,--version-script=$(srcdir)/src/lib/libsrpi.map \
	$(NULL)
EXTRA_src_lib_libsrpi_la_DEPENDENCIES = src/lib/libsrpi.map
EXTRA_DIST += src/lib/libsrpi.map

# The sanitizers' run-time lives in the program, so that a library built for
# them has undefined symbols by design.
if !SANITIZED
LIBSRPI_DEFS = -Wl,-z,defs
endif

srpiincludedir = $(includedir)/srpi
srpiinclude_HEADERS = \
	include/srpi/srpi.h \
	$(NULL)

pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = src/lib/srpi.pc
