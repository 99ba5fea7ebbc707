# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB

noinst_LTLIBRARIES += src/wire/libwire.la
src_wire_libwire_la_SOURCES = \
	src/wire/scsi.h \
	src/wire/scsi_cdb.c \
	src/wire/scsi_cdb.h \
	src/wire/scsi_data.c \
	src/wire/scsi_data.h \
	src/wire/scsi_data_text.h \
	src/wire/scsi_data_vpd.c \
	src/wire/scsi_lun.c \
	src/wire/scsi_lun.h \
	src/wire/scsi_sense.c \
	src/wire/scsi_sense.h \
	src/wire/srp.h \
	src/wire/srp_iu.c \
	src/wire/srp_iu.h \
	src/wire/srp_iu_name.c \
	$(NULL)
