# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# shellcheck shell=bash
#
# Several sessions under the default initiator port id, which one ACL fits:
# a login must not end the sessions that are there already.
# shellcheck source=tests/interop/case.sh
. "${0%/*}/../case.sh"

peer_login 0000000000000000 ||
	not_ok the_kernel_logs_in "ib_srp did not log in"
trap peer_logout EXIT
disk=$(peer_disk 1)

begin dd "if=$disk" of=/dev/null bs=4k count=4000 iflag=direct
run srplat "if=$(url 1)" of=/dev/null bs=4k count=500
expect logs_in_beside_the_kernel status=0
finish 30
expect the_kernel_reads_on status=0
if dmesg | grep -qE 'ib_srp: .*(DREQ|reconnect|failed)'; then
	not_ok the_kernel_keeps_its_session \
		"$(dmesg | grep -E 'ib_srp: .*(DREQ|reconnect|failed)' | head -1)"
else
	ok the_kernel_keeps_its_session
fi

pids=()
for i in 1 2 3 4; do
	srplat "if=$(url 1)" of=/dev/null bs=4k count=300 \
		>"/run/sharer.$i" 2>&1 </dev/null &
	pids+=($!)
done
failed=0
for i in 1 2 3 4; do
	wait "${pids[i - 1]}" || failed=$i
done
if [ $failed -eq 0 ]; then
	ok four_processes_share_the_port_id
else
	command_line="four times srplat"
	cp "/run/sharer.$failed" "$stderr"
	not_ok four_processes_share_the_port_id "process $failed failed"
fi
