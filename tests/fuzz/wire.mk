# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# A fuzz entry is tests/fuzz/fuzz_NAME.c, seeds in tests/fuzz/seeds/NAME/:
#	tests/fuzz/fuzz_NAME \                              in the list, and
#	tests_fuzz_fuzz_NAME_LDFLAGS = $(FUZZ_LINK)
#	tests_fuzz_fuzz_NAME_LDADD = $(FUZZ_MAIN) $(UNIT_WIRE_LIBS)

FUZZ_WIRE_ENTRIES = \
	tests/fuzz/fuzz_scsi_cdb \
	tests/fuzz/fuzz_scsi_data \
	tests/fuzz/fuzz_scsi_lun \
	tests/fuzz/fuzz_scsi_sense \
	tests/fuzz/fuzz_srp_iu \
	$(NULL)

tests_fuzz_fuzz_scsi_cdb_SOURCES = \
	tests/fuzz/fuzz_scsi_cdb.c \
	tests/fuzz/wire_fuzz.h \
	$(NULL)
tests_fuzz_fuzz_scsi_cdb_LDFLAGS = $(FUZZ_LINK)
tests_fuzz_fuzz_scsi_cdb_LDADD = $(FUZZ_MAIN) $(UNIT_WIRE_LIBS)

tests_fuzz_fuzz_scsi_data_SOURCES = \
	tests/fuzz/fuzz_scsi_data.c \
	tests/fuzz/wire_fuzz.h \
	$(NULL)
tests_fuzz_fuzz_scsi_data_LDFLAGS = $(FUZZ_LINK)
tests_fuzz_fuzz_scsi_data_LDADD = $(FUZZ_MAIN) $(UNIT_WIRE_LIBS)

tests_fuzz_fuzz_scsi_lun_SOURCES = \
	tests/fuzz/fuzz_scsi_lun.c \
	tests/fuzz/wire_fuzz.h \
	$(NULL)
tests_fuzz_fuzz_scsi_lun_LDFLAGS = $(FUZZ_LINK)
tests_fuzz_fuzz_scsi_lun_LDADD = $(FUZZ_MAIN) $(UNIT_WIRE_LIBS)

tests_fuzz_fuzz_scsi_sense_SOURCES = \
	tests/fuzz/fuzz_scsi_sense.c \
	tests/fuzz/wire_fuzz.h \
	$(NULL)
tests_fuzz_fuzz_scsi_sense_LDFLAGS = $(FUZZ_LINK)
tests_fuzz_fuzz_scsi_sense_LDADD = $(FUZZ_MAIN) $(UNIT_WIRE_LIBS)

tests_fuzz_fuzz_srp_iu_SOURCES = \
	tests/fuzz/fuzz_srp_iu.c \
	tests/fuzz/wire_fuzz.h \
	$(NULL)
tests_fuzz_fuzz_srp_iu_LDFLAGS = $(FUZZ_LINK)
tests_fuzz_fuzz_srp_iu_LDADD = $(FUZZ_MAIN) $(UNIT_WIRE_LIBS)
