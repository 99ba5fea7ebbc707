#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# The control socket under all that can be done to it at once: thousands of
# connections, garbage, half lines, lines without end, more peers than there
# may be, readers that do not read. Who behaves is answered, srpd lives, and
# nothing is left of it.
# shellcheck source=tests/lib/srpd.sh
. "${top_srcdir:?}/tests/lib/srpd.sh"

srpd_ini <<'EOT'
[target demo]
url = demo://ram?size=1M&luns=3
EOT
srpd_start
srpd_until '.targets[0].state == "ready"'

descriptors() {
	find "/proc/$srpd_pid/fd" -mindepth 1 | wc -l
}
before=$(descriptors)

run "$shell_top/tests/integration/ctl_storm" "$srpd_socket" 3
expect_status 0
cat "$work/out"
value() {
	awk -v name="$1" '$1 == name { print $2 }' "$work/out"
}
connections=$(($(value come) + $(value garbage) + $(value half) + \
	$(value long) + 24 * ($(value crowd) + $(value crowd2) + \
	$(value crowd3))))
expect 'there were connections' test "$connections" -gt 100
expect 'who behaves was answered' test "$(value answers)" -gt 0
echo "$((connections / 3)) connections a second"

expect 'srpd lives' kill -0 "$srpd_pid"
srpctl_run status
expect_status 0
expect_out '^demo +ready'

are_closed() {
	[ "$(descriptors)" -le "$before" ]
}
until_true 'its connections are closed' are_closed

# The limit is told at once. More are started than there may be, since those
# that ask take part.
idle_pids=()
for _ in {1..72}; do
	srpctl --socket "$srpd_socket" --interval 1h top >/dev/null 2>&1 &
	idle_pids+=($!)
done
shell_pids+=("${idle_pids[@]}")
is_full() {
	srpctl_run version
	[ "$run_status" -eq 6 ] && grep -q '64 connections' "$work/err"
}
until_true 'the limit is reached' is_full
kill "${idle_pids[@]}" 2>/dev/null
is_free() {
	srpctl_run version
	[ "$run_status" -eq 0 ]
}
until_true 'there is room again' is_free

srpd_end TERM
expect_srpd_status 0
expect_nothing_left
