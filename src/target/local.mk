# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB

noinst_LTLIBRARIES += src/target/libtarget.la
src_target_libtarget_la_SOURCES = \
	src/target/target.h \
	src/target/tgt.h \
	src/target/tgt_backend_file.c \
	src/target/tgt_backend_null.c \
	src/target/tgt_backend_ram.c \
	src/target/tgt_data.c \
	src/target/tgt_inquiry.c \
	src/target/tgt_login.c \
	src/target/tgt_login.h \
	src/target/tgt_lun.c \
	src/target/tgt_lun.h \
	src/target/tgt_media.c \
	src/target/tgt_scsi.h \
	$(NULL)
