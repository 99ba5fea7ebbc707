# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB

noinst_LTLIBRARIES += src/softrdma/libsoftrdma.la
src_softrdma_libsoftrdma_la_SOURCES = \
	src/softrdma/soft_dev.h \
	$(NULL)
