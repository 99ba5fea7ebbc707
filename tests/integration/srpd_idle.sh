#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# Eight sessions that do nothing and one target that is not there: less than
# 1 % of a CPU, less than 50 wake-ups a second.
# shellcheck source=tests/lib/srpd.sh
. "${top_srcdir:?}/tests/lib/srpd.sh"

for i in 1 2 3 4 5 6 7 8; do
	printf '[target t%d]\nurl = demo://ram?size=1M&irqmode=thread\n' $i
done >"$work/targets"
{
	cat "$work/targets"
	echo '[target gone]'
	echo 'url = srp://127.222.1.1/?id_ext=0002c90300a0b0c0&ioc_guid=0002c90300a0b0c0&fabric=soft'
} | srpd_ini
srpd_start
srpd_until '[.targets[] | select(.state == "ready")] | length == 8'

# CPU time in ticks and switches for want of work, of all threads so far.
used() {
	local task ticks=0 switches=0 line
	for task in /proc/"$srpd_pid"/task/*; do
		line=$(<"$task/stat") || continue
		# shellcheck disable=SC2086
		set -- ${line##*) }
		ticks=$((ticks + ${12} + ${13}))
		line=$(awk '/^voluntary/ { print $2 }' "$task/status")
		switches=$((switches + ${line:-0}))
	done
	echo $ticks $switches
}

from_us=${EPOCHREALTIME/./}
read -r ticks switches < <(used)
sleep 5 # what is measured, not waited for
read -r ticks_now switches_now < <(used)
took_us=$((${EPOCHREALTIME/./} - from_us))
cpu_us=$(((ticks_now - ticks) * 1000000 / $(getconf CLK_TCK)))
echo "idle for $((took_us / 1000)) ms: $((cpu_us / 1000)) ms of CPU," \
	"$((switches_now - switches)) wake-ups"
# One tick more or less is the clock's.
[ "${SANITIZED:-}" = yes ] ||
	expect "less than 1 % of a CPU" \
		test $((cpu_us * 100)) -le $((took_us + 2000000))
expect "less than 50 wake-ups a second" \
	test $(((switches_now - switches) * 1000000 / took_us)) -lt 50
srpd_end TERM
expect_srpd_status 0
