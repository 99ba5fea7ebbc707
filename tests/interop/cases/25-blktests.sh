# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# shellcheck shell=bash
#
# tests/integration/test_blktests against LIO: the cases of blktests' srp
# group by their numbers, each a line of the report; on a LUN with blocks of
# 512 bytes, and the transfers also on one with 4096.
# shellcheck source=tests/interop/case.sh
. "${0%/*}/../case.sh"

export CK_VERBOSITY=verbose
SRPI_TEST_URL=$(url 0) run -t 100 "$TEST_PROGRAMS/test_blktests"
each_test 0
expect lun0.ends_well status=0
SRPI_TEST_URL=$(url 2) CK_RUN_CASE=transfers \
	run -t 60 "$TEST_PROGRAMS/test_blktests"
each_test 2
expect lun2.ends_well status=0
