# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# A test of src/wire/STEM.c is two lines, both in alphabetic order:
#	tests/unit/test_STEM \                              in the list, and
#	tests_unit_test_STEM_LDADD = $(UNIT_WIRE_LIBS)      below it.

UNIT_WIRE_TESTS = \
	tests/unit/test_srp_iu \
	$(NULL)

tests_unit_test_srp_iu_SOURCES = \
	tests/unit/test_srp_iu.c \
	tests/unit/wire_test.h \
	$(NULL)
tests_unit_test_srp_iu_LDADD = $(UNIT_WIRE_LIBS)
