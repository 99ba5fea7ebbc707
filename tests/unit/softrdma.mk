# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# A test of src/softrdma/STEM.c is three lines, all in alphabetic order:
#	tests/unit/test_STEM \                              in the list, and
#	tests_unit_test_STEM_SOURCES = tests/unit/test_STEM.c $(SOFT_PAIR)
#	tests_unit_test_STEM_LDADD = $(UNIT_SOFTRDMA_LIBS)      below it.

UNIT_SOFTRDMA_TESTS = \
	tests/unit/test_soft_cm \
	tests/unit/test_soft_cm_end \
	tests/unit/test_soft_cq \
	tests/unit/test_soft_dev \
	tests/unit/test_soft_io \
	tests/unit/test_soft_io_errors \
	tests/unit/test_soft_io_queue \
	tests/unit/test_soft_loop \
	tests/unit/test_soft_mem \
	tests/unit/test_soft_qp \
	tests/unit/test_soft_threads \
	$(NULL)

# Two connected ends.
SOFT_PAIR = tests/unit/soft_pair.c tests/unit/soft_pair.h

SOFT_CM_RIG = \
	tests/unit/soft_cm_rig.c \
	tests/unit/soft_cm_rig.h \
	$(SOFT_PAIR)
tests_unit_test_soft_cm_SOURCES = tests/unit/test_soft_cm.c $(SOFT_CM_RIG)
tests_unit_test_soft_cm_LDADD = $(UNIT_SOFTRDMA_LIBS)
tests_unit_test_soft_cm_end_SOURCES = \
	tests/unit/test_soft_cm_end.c \
	$(SOFT_CM_RIG)
tests_unit_test_soft_cm_end_LDADD = $(UNIT_SOFTRDMA_LIBS)
tests_unit_test_soft_cq_SOURCES = tests/unit/test_soft_cq.c $(SOFT_PAIR)
tests_unit_test_soft_cq_LDADD = $(UNIT_SOFTRDMA_LIBS)
tests_unit_test_soft_dev_SOURCES = tests/unit/test_soft_dev.c $(SOFT_PAIR)
tests_unit_test_soft_dev_LDADD = $(UNIT_SOFTRDMA_LIBS)
tests_unit_test_soft_io_SOURCES = tests/unit/test_soft_io.c $(SOFT_PAIR)
tests_unit_test_soft_io_LDADD = $(UNIT_SOFTRDMA_LIBS)
tests_unit_test_soft_io_errors_SOURCES = \
	tests/unit/test_soft_io_errors.c \
	$(SOFT_PAIR)
tests_unit_test_soft_io_errors_LDADD = $(UNIT_SOFTRDMA_LIBS)
tests_unit_test_soft_io_queue_SOURCES = \
	tests/unit/test_soft_io_queue.c \
	$(SOFT_PAIR)
tests_unit_test_soft_io_queue_LDADD = $(UNIT_SOFTRDMA_LIBS)
tests_unit_test_soft_loop_SOURCES = tests/unit/test_soft_loop.c $(SOFT_PAIR)
tests_unit_test_soft_loop_LDADD = $(UNIT_SOFTRDMA_LIBS)
tests_unit_test_soft_mem_SOURCES = tests/unit/test_soft_mem.c $(SOFT_PAIR)
tests_unit_test_soft_mem_LDADD = $(UNIT_SOFTRDMA_LIBS)
tests_unit_test_soft_qp_SOURCES = tests/unit/test_soft_qp.c $(SOFT_PAIR)
tests_unit_test_soft_qp_LDADD = $(UNIT_SOFTRDMA_LIBS)
tests_unit_test_soft_threads_SOURCES = \
	tests/unit/test_soft_threads.c \
	$(SOFT_PAIR) \
	$(NULL)
tests_unit_test_soft_threads_LDADD = $(UNIT_SOFTRDMA_LIBS)
