# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB

noinst_LTLIBRARIES += src/target/libtarget.la
src_target_libtarget_la_SOURCES = \
	src/target/target.c \
	src/target/target.h \
	src/target/target_lun.c \
	src/target/tgt.h \
	src/target/tgt_aio.c \
	src/target/tgt_aio.h \
	src/target/tgt_ask.c \
	src/target/tgt_ask.h \
	src/target/tgt_backend_file.c \
	src/target/tgt_backend_null.c \
	src/target/tgt_backend_ram.c \
	src/target/tgt_chan.h \
	src/target/tgt_chan_io.c \
	src/target/tgt_change.c \
	src/target/tgt_change.h \
	src/target/tgt_check.c \
	src/target/tgt_cm.c \
	src/target/tgt_cm.h \
	src/target/tgt_cmd.h \
	src/target/tgt_cmd_io.c \
	src/target/tgt_conn.c \
	src/target/tgt_conn.h \
	src/target/tgt_data.c \
	src/target/tgt_dev.c \
	src/target/tgt_dev.h \
	src/target/tgt_faults.c \
	src/target/tgt_faults.h \
	src/target/tgt_grave.c \
	src/target/tgt_grave.h \
	src/target/tgt_inquiry.c \
	src/target/tgt_iu.c \
	src/target/tgt_login.c \
	src/target/tgt_login.h \
	src/target/tgt_loop.c \
	src/target/tgt_lun.c \
	src/target/tgt_lun.h \
	src/target/tgt_media.c \
	src/target/tgt_nexus.c \
	src/target/tgt_nexus.h \
	src/target/tgt_scsi.c \
	src/target/tgt_scsi.h \
	src/target/tgt_tmf.c \
	src/target/tgt_tmf.h \
	$(NULL)
