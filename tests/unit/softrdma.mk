# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# A test of src/softrdma/STEM.c is two lines, both in alphabetic order:
#	tests/unit/test_STEM \                              in the list, and
#	tests_unit_test_STEM_LDADD = $(UNIT_SOFTRDMA_LIBS)      below it.
# Those with two connected ends name their sources too, for soft_pair.c.

UNIT_SOFTRDMA_TESTS = \
	tests/unit/test_soft_cm \
	tests/unit/test_soft_cq \
	tests/unit/test_soft_io \
	$(NULL)

SOFT_PAIR = tests/unit/soft_pair.c tests/unit/soft_pair.h

tests_unit_test_soft_cm_SOURCES = tests/unit/test_soft_cm.c $(SOFT_PAIR)
tests_unit_test_soft_cm_LDADD = $(UNIT_SOFTRDMA_LIBS)
tests_unit_test_soft_cq_SOURCES = tests/unit/test_soft_cq.c $(SOFT_PAIR)
tests_unit_test_soft_cq_LDADD = $(UNIT_SOFTRDMA_LIBS)
tests_unit_test_soft_io_SOURCES = tests/unit/test_soft_io.c $(SOFT_PAIR)
tests_unit_test_soft_io_LDADD = $(UNIT_SOFTRDMA_LIBS)
