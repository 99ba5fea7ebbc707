# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# shellcheck shell=bash
#
# The target goes away while a waiter is blocked: the I/O ends with an error
# within io_timeout, and the program with exit 5. Where the target ends the
# session itself, that is what ends the I/O, long before io_timeout. The
# limits leave five seconds for the emulated machine to end a program.
# shellcheck source=tests/interop/case.sh
. "${0%/*}/../case.sh"

recover() {
	resume_lun
	srpt_enable
}
trap recover EXIT

# Of all its threads, in ticks of 10 ms.
cpu_ticks() {
	awk '{ print $14 + $15 }' "/proc/$pid/stat" 2>/dev/null || echo 0
}

for mode in $modes; do
	# No answer from the device behind the target.
	long_run 6 "$mode" 3
	stall_lun
	mark
	finish 20
	expect "${mode}_silent_device" status=5 within=8000
	resume_lun

	# The same, and the target ends the session meanwhile. Disabling
	# waits for the target's own I/O, hence in the background.
	long_run 6 "$mode" 20
	stall_lun
	sleep 0.3
	before=$(cpu_ticks)
	sleep 1
	spent=$(($(cpu_ticks) - before))
	srpt_disable &
	disabling=$!
	mark
	finish 20
	expect "${mode}_disabled_while_blocked" status=5 within=10000
	if [ "$mode" = inline ]; then
		if [ "$spent" -le 5 ]; then
			ok inline_sleeps_while_it_waits
		else
			not_ok inline_sleeps_while_it_waits \
				"$spent ticks of CPU time in one second of waiting"
		fi
	fi
	resume_lun
	wait $disabling
	srpt_enable

	# In the middle of a stream of I/O.
	long_run 1 "$mode" 20
	mark
	srpt_disable
	finish 20
	expect "${mode}_disabled_while_busy" status=5 within=10000
	srpt_enable

	run srplat "if=$(url 1)" of=/dev/null bs=4k count=64 "completion=$mode"
	expect "${mode}_logs_in_again" status=0
done
