# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# A test of src/core/STEM.c is two lines, both in alphabetic order:
#	tests/unit/test_STEM \                              in the list, and
#	tests_unit_test_STEM_LDADD = $(UNIT_CORE_LIBS)      below it.

UNIT_CORE_TESTS = \
	tests/unit/test_adaptive \
	tests/unit/test_bias \
	tests/unit/test_cm \
	tests/unit/test_response \
	$(NULL)

tests_unit_test_adaptive_LDADD = $(UNIT_CORE_LIBS) -lm
tests_unit_test_bias_LDADD = $(UNIT_CORE_LIBS)
tests_unit_test_cm_LDADD = $(UNIT_CORE_LIBS)
tests_unit_test_response_LDADD = $(UNIT_CORE_LIBS)
