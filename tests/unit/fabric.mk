# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# A test of src/fabric/STEM.c is two lines, both in alphabetic order:
#	tests/unit/test_STEM \                              in the list, and
#	tests_unit_test_STEM_LDADD = $(UNIT_FABRIC_LIBS)      below it.

UNIT_FABRIC_TESTS = \
	tests/unit/test_fab_verbs \
	tests/unit/test_fabric \
	tests/unit/test_mrpool \
	$(NULL)

tests_unit_test_fab_verbs_LDADD = $(UNIT_FABRIC_LIBS)
tests_unit_test_fabric_LDADD = $(UNIT_FABRIC_LIBS)
tests_unit_test_mrpool_LDADD = $(UNIT_FABRIC_LIBS)
