# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# A test of src/bench/STEM.c is two lines, both in alphabetic order:
#	tests/unit/test_STEM \                              in the list, and
#	tests_unit_test_STEM_LDADD = $(UNIT_BENCH_LIBS)      below it.

UNIT_BENCH_TESTS = \
	tests/unit/test_bench_read \
	$(NULL)

tests_unit_test_bench_read_LDADD = $(UNIT_BENCH_LIBS)
