# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# A test of src/wire/STEM.c is two lines, both in alphabetic order:
#	tests/unit/test_STEM \                              in the list, and
#	tests_unit_test_STEM_LDADD = $(UNIT_WIRE_LIBS)      below it.

UNIT_WIRE_TESTS = \
	tests/unit/test_scsi_cdb \
	tests/unit/test_scsi_data \
	tests/unit/test_scsi_data_vpd \
	tests/unit/test_scsi_lun \
	tests/unit/test_scsi_sense \
	tests/unit/test_srp_iu \
	tests/unit/test_srp_iu_cmd \
	tests/unit/test_srp_iu_name \
	tests/unit/test_srp_iu_rsp \
	$(NULL)

tests_unit_test_scsi_cdb_SOURCES = \
	tests/unit/test_scsi_cdb.c \
	tests/unit/wire_test.h \
	$(NULL)
tests_unit_test_scsi_cdb_LDADD = $(UNIT_WIRE_LIBS)

tests_unit_test_scsi_data_SOURCES = \
	tests/unit/test_scsi_data.c \
	tests/unit/wire_test.h \
	$(NULL)
tests_unit_test_scsi_data_LDADD = $(UNIT_WIRE_LIBS)

tests_unit_test_scsi_data_vpd_SOURCES = \
	tests/unit/test_scsi_data_vpd.c \
	tests/unit/wire_test.h \
	$(NULL)
tests_unit_test_scsi_data_vpd_LDADD = $(UNIT_WIRE_LIBS)

tests_unit_test_scsi_lun_SOURCES = \
	tests/unit/test_scsi_lun.c \
	tests/unit/wire_test.h \
	$(NULL)
tests_unit_test_scsi_lun_LDADD = $(UNIT_WIRE_LIBS)

tests_unit_test_scsi_sense_SOURCES = \
	tests/unit/test_scsi_sense.c \
	tests/unit/wire_test.h \
	$(NULL)
tests_unit_test_scsi_sense_LDADD = $(UNIT_WIRE_LIBS)

tests_unit_test_srp_iu_SOURCES = \
	tests/unit/test_srp_iu.c \
	tests/unit/wire_test.h \
	$(NULL)
tests_unit_test_srp_iu_LDADD = $(UNIT_WIRE_LIBS)

tests_unit_test_srp_iu_cmd_SOURCES = \
	tests/unit/test_srp_iu_cmd.c \
	tests/unit/wire_test.h \
	$(NULL)
tests_unit_test_srp_iu_cmd_LDADD = $(UNIT_WIRE_LIBS)

tests_unit_test_srp_iu_name_SOURCES = \
	tests/unit/test_srp_iu_name.c \
	tests/unit/wire_test.h \
	$(NULL)
tests_unit_test_srp_iu_name_LDADD = $(UNIT_WIRE_LIBS)

tests_unit_test_srp_iu_rsp_SOURCES = \
	tests/unit/test_srp_iu_rsp.c \
	tests/unit/wire_test.h \
	$(NULL)
tests_unit_test_srp_iu_rsp_LDADD = $(UNIT_WIRE_LIBS)
