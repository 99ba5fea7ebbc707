# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# shellcheck shell=bash
#
# Logins, and the LUNs behind them with their geometry.
# shellcheck source=tests/interop/case.sh
. "${0%/*}/../case.sh"

# LUN, block bytes, blocks
geometry="0 512 262144
1 512 262144
2 4096 4096
3 1024 16384
4 2048 8192
5 512 32768
6 512 32768"

while read -r lun block blocks; do
	run srplat "if=$(url "$lun")" of=/dev/null "bs=$block" count=1
	expect "lun_${lun}_first_block_is_read" status=0
	run srplat "if=$(url "$lun")" of=/dev/null "bs=$block" count=1 \
		"skip=$((blocks - 1))"
	expect "lun_${lun}_last_block_is_read" status=0
	run srplat "if=$(url "$lun")" of=/dev/null "bs=$block" count=1 \
		"skip=$blocks"
	expect "lun_${lun}_ends_where_it_should" status=2
done <<<"$geometry"

run srplat "if=$(url 9)" of=/dev/null bs=4k count=1
expect an_absent_lun_is_named status=3 says='lun 9'

for mode in $modes; do
	run srplat "if=$(url 1)" of=/dev/null bs=4k count=64 "completion=$mode"
	expect "login_in_$mode" status=0
done

# Many logins after one another leave nothing behind in the target.
before=$(find "$tpg/acls" -name info -exec cat {} + 2>/dev/null | grep -c InitiatorName)
for _ in $(seq 10); do
	run srplat "if=$(url 1)" of=/dev/null bs=512 count=1
	[ "$status" -eq 0 ] || break
done
expect ten_logins_in_a_row status=0
sleep 1
after=$(find "$tpg/acls" -name info -exec cat {} + 2>/dev/null | grep -c InitiatorName)
if [ "$after" -le "$before" ]; then
	ok no_session_is_left
else
	not_ok no_session_is_left "sessions in the target: $before before, $after after"
fi
