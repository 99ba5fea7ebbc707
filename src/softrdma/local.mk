# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB

noinst_LTLIBRARIES += src/softrdma/libsoftrdma.la
src_softrdma_libsoftrdma_la_SOURCES = \
	src/softrdma/soft_async.c \
	src/softrdma/soft_cm.c \
	src/softrdma/soft_cm.h \
	src/softrdma/soft_cm_event.c \
	src/softrdma/soft_cm_id.c \
	src/softrdma/soft_cq.c \
	src/softrdma/soft_cq.h \
	src/softrdma/soft_dev.c \
	src/softrdma/soft_dev.h \
	src/softrdma/soft_device.h \
	src/softrdma/soft_event.c \
	src/softrdma/soft_exec.h \
	src/softrdma/soft_exec_io.c \
	src/softrdma/soft_fabric.c \
	src/softrdma/soft_fabric.h \
	src/softrdma/soft_fast.h \
	src/softrdma/soft_fd.c \
	src/softrdma/soft_fd.h \
	src/softrdma/soft_io.c \
	src/softrdma/soft_io.h \
	src/softrdma/soft_loop.c \
	src/softrdma/soft_loop.h \
	src/softrdma/soft_mem.c \
	src/softrdma/soft_mem.h \
	src/softrdma/soft_qp.c \
	src/softrdma/soft_qp.h \
	src/softrdma/soft_recv_io.c \
	src/softrdma/soft_spin.c \
	src/softrdma/soft_spin.h \
	src/softrdma/soft_timer.c \
	src/softrdma/soft_timer.h \
	$(NULL)
