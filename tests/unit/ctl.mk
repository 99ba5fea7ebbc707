# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# A test of src/ctl/STEM.c is two lines, both in alphabetic order:
#	tests/unit/test_STEM \                              in the list, and
#	tests_unit_test_STEM_LDADD = $(UNIT_CTL_LIBS)       below it.

UNIT_CTL_TESTS = \
	tests/unit/test_ctl_client \
	tests/unit/test_ctl_lines \
	tests/unit/test_ctl_msg \
	tests/unit/test_ctl_table \
	$(NULL)

tests_unit_test_ctl_client_LDADD = $(UNIT_CTL_LIBS)
tests_unit_test_ctl_lines_LDADD = $(UNIT_CTL_LIBS)
tests_unit_test_ctl_msg_LDADD = $(UNIT_CTL_LIBS)
tests_unit_test_ctl_table_LDADD = $(UNIT_CTL_LIBS)
