# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# A test of src/target/STEM.c is two lines, both in alphabetic order:
#	tests/unit/test_STEM \                              in the list, and
#	tests_unit_test_STEM_LDADD = $(UNIT_TARGET_LIBS)      below it.

UNIT_TARGET_TESTS = \
	tests/unit/test_tgt_chan \
	tests/unit/test_tgt_login \
	tests/unit/test_tgt_media \
	tests/unit/test_tgt_nexus \
	tests/unit/test_tgt_scsi \
	$(NULL)

tests_unit_test_tgt_chan_SOURCES = \
	tests/unit/test_tgt_chan.c \
	tests/unit/tgt_test.h \
	$(NULL)
tests_unit_test_tgt_chan_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_tgt_login_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_tgt_media_SOURCES = \
	tests/unit/test_tgt_media.c \
	tests/unit/tgt_test.h \
	$(NULL)
tests_unit_test_tgt_media_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_tgt_nexus_SOURCES = \
	tests/unit/test_tgt_nexus.c \
	tests/unit/tgt_test.h \
	$(NULL)
tests_unit_test_tgt_nexus_LDADD = $(UNIT_TARGET_LIBS)
tests_unit_test_tgt_scsi_SOURCES = \
	tests/unit/test_tgt_scsi.c \
	tests/unit/tgt_test.h \
	$(NULL)
tests_unit_test_tgt_scsi_LDADD = $(UNIT_TARGET_LIBS)
