# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# shellcheck shell=bash
#
# tests/integration/test_blktests against LIO: the cases of blktests' srp
# group by their numbers, each a line of the report; on a LUN with blocks of
# 512 bytes and one with 4096.
# shellcheck source=tests/interop/case.sh
. "${0%/*}/../case.sh"

for lun in 0 2; do
	run -t 140 env "SRPI_TEST_URL=$(url $lun)" CK_VERBOSITY=verbose \
		"$TEST_PROGRAMS/test_blktests"
	# FILE:LINE:P:CASE:TEST:ITERATION: Passed
	while IFS=: read -r _ _ outcome _ name iteration why; do
		case $outcome in
		P) ok "lun$lun.$name.$iteration" ;;
		F | E) not_ok "lun$lun.$name.$iteration" "$why" ;;
		esac
	done < <(grep -E '^[^:]+:[0-9]+:[PFE]:' "$stdout")
	expect "lun$lun.all_of_them" status=0
done
