# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# A test of src/util/STEM.c is two lines, both in alphabetic order:
#	tests/unit/test_STEM \                              in the list, and
#	tests_unit_test_STEM_LDADD = $(UNIT_UTIL_LIBS)      below it.

EXTRA_DIST += tests/unit/unit.h

UNIT_UTIL_TESTS = \
	tests/unit/test_bitset \
	tests/unit/test_bytes \
	tests/unit/test_clock \
	tests/unit/test_crc32c \
	tests/unit/test_hist \
	tests/unit/test_list \
	tests/unit/test_log \
	tests/unit/test_loop \
	tests/unit/test_mem \
	tests/unit/test_parse \
	tests/unit/test_ring \
	tests/unit/test_stdfd \
	tests/unit/test_thread \
	tests/unit/test_worker \
	$(NULL)

tests_unit_test_bitset_LDADD = $(UNIT_UTIL_LIBS)
tests_unit_test_bytes_LDADD = $(UNIT_UTIL_LIBS)
tests_unit_test_clock_LDADD = $(UNIT_UTIL_LIBS)
tests_unit_test_crc32c_LDADD = $(UNIT_UTIL_LIBS)
tests_unit_test_hist_LDADD = $(UNIT_UTIL_LIBS)
tests_unit_test_list_LDADD = $(UNIT_UTIL_LIBS)
tests_unit_test_log_LDADD = $(UNIT_UTIL_LIBS)
tests_unit_test_loop_LDADD = $(UNIT_UTIL_LIBS)
tests_unit_test_mem_LDADD = $(UNIT_UTIL_LIBS)
tests_unit_test_parse_LDADD = $(UNIT_UTIL_LIBS)
tests_unit_test_ring_LDADD = $(UNIT_UTIL_LIBS)
tests_unit_test_stdfd_LDADD = $(UNIT_UTIL_LIBS)
tests_unit_test_thread_LDADD = $(UNIT_UTIL_LIBS)
tests_unit_test_worker_LDADD = $(UNIT_UTIL_LIBS)
