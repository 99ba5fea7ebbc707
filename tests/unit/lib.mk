# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# A test of src/lib/STEM.c is two lines, both in alphabetic order:
#	tests/unit/test_STEM \                              in the list, and
#	tests_unit_test_STEM_LDADD = $(UNIT_LIB_LIBS)      below it.

UNIT_LIB_TESTS = \
	tests/unit/test_demo \
	tests/unit/test_host \
	tests/unit/test_keys \
	tests/unit/test_opts \
	tests/unit/test_resolve \
	tests/unit/test_text \
	tests/unit/test_url \
	$(NULL)

tests_unit_test_demo_LDADD = $(UNIT_LIB_LIBS)
tests_unit_test_host_LDADD = $(UNIT_LIB_LIBS)
tests_unit_test_keys_LDADD = $(UNIT_LIB_LIBS)
tests_unit_test_opts_LDADD = $(UNIT_LIB_LIBS)
tests_unit_test_resolve_LDADD = $(UNIT_LIB_LIBS)
tests_unit_test_text_LDADD = $(UNIT_LIB_LIBS)
tests_unit_test_url_LDADD = $(UNIT_LIB_LIBS)
