# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# shellcheck shell=bash
#
# tests/integration/test_channels against LIO: four channels, immediate data on
# and off, aborts during I/O, and 33 processes that log in at once under the
# default initiator port id.
# shellcheck source=tests/interop/case.sh
. "${0%/*}/../case.sh"

export CK_VERBOSITY=verbose
SRPI_TEST_URL=$(url 0) run -t 140 "$TEST_PROGRAMS/test_channels"
each_test 0
expect lun0.ends_well status=0
# as LIO counts them: a channel is a session of its own
if dmesg | grep -qE 'ib_srpt: .*(SRP_MULTICHAN_SINGLE|Rejected)'; then
	not_ok no_login_is_rejected \
		"$(dmesg | grep -E 'ib_srpt: .*(SINGLE|Rejected)' | head -1)"
else
	ok no_login_is_rejected
fi
