# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# A test of src/target/STEM.c is two lines, both in alphabetic order:
#	tests/unit/test_STEM \                              in the list, and
#	tests_unit_test_STEM_LDADD = $(UNIT_TARGET_LIBS)      below it.

UNIT_TARGET_TESTS = \
	$(NULL)
