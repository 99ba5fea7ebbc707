# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# Every test runs through tests/lib/run-one, which bounds its time and sets
# its environment; exit status 77 means skipped. Run one with
#	make check TESTS=tests/unit/test_STEM

TEST_EXTENSIONS = .sh
LOG_COMPILER = $(SHELL) $(srcdir)/tests/lib/run-one
SH_LOG_COMPILER = $(LOG_COMPILER)
AM_TESTS_ENVIRONMENT = \
	top_srcdir='$(srcdir)'; export top_srcdir; \
	top_builddir='$(builddir)'; export top_builddir; \
	CC='$(CC)'; export CC; \
	CXX='$(CXX)'; export CXX; \
	SANITIZED='$(SANITIZED_YES)'; export SANITIZED; \
	IO_DEBUG='$(IO_DEBUG_YES)'; export IO_DEBUG; \
	HAVE_FIO='$(HAVE_FIO_YES)'; export HAVE_FIO;
if HAVE_FIO
HAVE_FIO_YES = yes
else
HAVE_FIO_YES = no
endif
if SANITIZED
SANITIZED_YES = yes
endif
if IO_DEBUG
IO_DEBUG_YES = yes
endif

EXTRA_DIST += \
	tests/lib/fio.sh \
	tests/lib/run-one \
	tests/lib/selftest.sh \
	tests/lib/shell.sh \
	tests/lib/srpd.sh \
	tests/packaging/deb.sh \
	tests/packaging/in-root.sh \
	$(NULL)

# What a unit test of each folder may reach: the folder and those below it.
# A call upward is an undefined reference when the test is linked.
UNIT_UTIL_LIBS = src/util/libutil.la $(CHECK_LIBS)
UNIT_WIRE_LIBS = src/wire/libwire.la $(SGUTILS_LIBS) $(UNIT_UTIL_LIBS)
UNIT_FABRIC_LIBS = \
	src/fabric/libfabric.la \
	$(RDMACM_LIBS) \
	$(IBVERBS_LIBS) \
	$(UNIT_UTIL_LIBS) \
	$(NULL)
UNIT_SOFTRDMA_LIBS = src/softrdma/libsoftrdma.la $(UNIT_FABRIC_LIBS)
UNIT_CORE_LIBS = \
	src/core/libcore.la \
	src/fabric/libfabric.la \
	$(RDMACM_LIBS) \
	$(IBVERBS_LIBS) \
	$(UNIT_WIRE_LIBS) \
	$(NULL)
UNIT_TARGET_LIBS = \
	src/target/libtarget.la \
	src/fabric/libfabric.la \
	$(RDMACM_LIBS) \
	$(IBVERBS_LIBS) \
	$(AIO_LIBS) \
	$(UNIT_WIRE_LIBS) \
	$(NULL)
UNIT_CTL_LIBS = src/ctl/libctl.la $(JANSSON_LIBS) $(UNIT_UTIL_LIBS)
UNIT_LIB_LIBS = $(LIBSRPI_PARTS) $(LIBSRPI_DEPS) $(CHECK_LIBS)
UNIT_TOOLS_LIBS = $(TOOLS_LIBS) $(CHECK_LIBS)
UNIT_SRPD_LIBS = $(SRPD_LIBS) $(CHECK_LIBS)
UNIT_BENCH_LIBS = $(BENCH_LIBS) $(CHECK_LIBS)
# Integration tests run whole paths, initiator to target.
INTEGRATION_LIBS = $(UNIT_LIB_LIBS)

include tests/unit/util.mk
include tests/unit/wire.mk
include tests/unit/fabric.mk
include tests/unit/softrdma.mk
include tests/unit/core.mk
include tests/unit/target.mk
include tests/unit/ctl.mk
include tests/unit/lib.mk
include tests/unit/tools.mk
include tests/unit/srpd.mk
include tests/unit/bench.mk
include tests/integration/local.mk
include tests/fuzz/local.mk
include tests/interop/local.mk
include tests/lint/local.mk

# The programs; those that run longest first, so that none is left alone at
# the end of a parallel run.
CHECKED_TESTS = \
	$(INTEGRATION_TESTS) \
	$(UNIT_CORE_TESTS) \
	$(UNIT_UTIL_TESTS) \
	$(UNIT_WIRE_TESTS) \
	$(UNIT_FABRIC_TESTS) \
	$(UNIT_SOFTRDMA_TESTS) \
	$(UNIT_TARGET_TESTS) \
	$(UNIT_CTL_TESTS) \
	$(UNIT_LIB_TESTS) \
	$(UNIT_TOOLS_TESTS) \
	$(UNIT_SRPD_TESTS) \
	$(UNIT_BENCH_TESTS) \
	$(NULL)

if HAVE_CHECK
check_PROGRAMS += $(CHECKED_TESTS)
TESTS += $(CHECKED_TESTS)
endif
check_PROGRAMS += $(FUZZ_ENTRIES)
TESTS += \
	$(FUZZ_ENTRIES) \
	$(INTEGRATION_SHELL) \
	$(LINT_TESTS) \
	tests/lib/selftest.sh \
	$(NULL)

VALGRIND = valgrind --quiet --leak-check=full --track-fds=no \
	--errors-for-leak-kinds=definite --show-leak-kinds=definite \
	--error-exitcode=99
# One counts allocations by taking the place of malloc(), one measures CPU
# time and memory, two have threads race each other and the clock; the others
# compute for seconds as it is, on memory that the sanitizers see as well.
NOT_UNDER_MEMCHECK = \
	tests/integration/test_core_away \
	tests/integration/test_core_idle \
	tests/integration/test_core_queues \
	tests/integration/test_hot_path \
	tests/unit/test_adaptive \
	tests/unit/test_bias \
	$(NULL)
# ThreadSanitizer cannot follow threads that a forked child of a process with
# threads starts.
NOT_UNDER_TSAN = \
	tests/integration/test_fork \
	$(NULL)
# The test programs alone, under ThreadSanitizer or under memcheck.
.PHONY: check-tsan check-valgrind
check-tsan: all-am $(check_PROGRAMS)
	$(MAKE) check-TESTS TEST_SUITE_LOG=test-suite-tsan.log \
		TESTS='$(filter-out $(NOT_UNDER_TSAN),$(CHECKED_TESTS))'
check-valgrind: all-am $(check_PROGRAMS)
	$(MAKE) check-TESTS TEST_SUITE_LOG=test-suite-valgrind.log \
		TESTS='$(filter-out $(NOT_UNDER_MEMCHECK),$(CHECKED_TESTS))' \
		RUN_UNDER='$(abs_builddir)/libtool --mode=execute $(VALGRIND)'
