#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# Signals while srpd works: rescans of several targets without end, logins and
# logouts, scrapes of its metrics, clients of the control socket, one target
# that hangs. Exit statuses, sockets, the time to stop.
# shellcheck source=tests/lib/srpd.sh
. "${top_srcdir:?}/tests/lib/srpd.sh"
need curl

metrics=$work/metrics.sock
write_ini() { # SIZE
	srpd_ini <<EOT
metrics = $metrics
stop_timeout = 10s
log_level = debug
[target one]
url = demo://ram?size=$1&luns=4
probe_interval = 100ms
[target two]
url = demo://null?luns=16
probe_interval = 100ms
[target slow]
url = demo://null?irqmode=timer&completion_nsec=2000000&luns=4
probe_interval = 100ms
[target nobody]
url = srp://127.222.1.1/?id_ext=0002c90300a0b0c0&ioc_guid=0002c90300a0b0c0&fabric=soft
url2 = srp://127.222.1.2/?id_ext=0002c90300a0b0c0&ioc_guid=0002c90300a0b0c0&fabric=soft
reconnect_delay = 1s
EOT
}
all_up='[.targets[] | select(.state == "ready")] | length == 3'

# Until it is told to end, or srpd is gone.
worker() {
	while [ -e "$work/go" ]; do
		"$@" >>"$work/said" 2>&1
	done
}

workers=()
work_begin() {
	touch "$work/go"
	: >"$work/said"
	local target
	for target in one two slow; do
		worker srpctl --socket "$srpd_socket" rescan $target &
		workers+=($!)
	done
	worker srpctl --socket "$srpd_socket" reset two 3 &
	workers+=($!)
	worker srpctl --socket "$srpd_socket" reconnect one &
	workers+=($!)
	worker srpctl --socket "$srpd_socket" stats &
	workers+=($!)
	worker curl -sS --max-time 30 --unix-socket "$metrics" \
		http://srpd/metrics &
	workers+=($!)
	shell_pids+=("${workers[@]}")
	# it is at work
	srpd_until '[.targets[] | select(.name == "two" or .name == "slow") |
		.rescans >= 2] | all'
}

work_end() {
	rm -f "$work/go"
	wait "${workers[@]}" || true
	workers=()
}

expect_clean() {
	expect 'no socket of the metrics is left' test ! -e "$metrics"
	expect_nothing_left
}

write_ini 1M
for signal in TERM INT; do
	srpd_start
	if srpd_says 'built without libmicrohttpd'; then
		srpd_end TERM
		skip 'this srpd has no metrics'
	fi
	srpd_until "$all_up"
	work_begin
	begun=$SECONDS
	srpd_end $signal
	expect "srpd stops within stop_timeout" test $((SECONDS - begun)) -le 30
	expect_srpd_status 0
	work_end
	expect_clean
done

# changes_seen N: as many times the file was read again with one target changed.
changes_seen() {
	[ "$(grep -c ' 1 changed, ' "$srpd_log")" -ge "$1" ]
}

# Read again, changed each time, while all of it goes on.
srpd_start
srpd_until "$all_up"
work_begin
for round in 1 2; do
	# at once, as an editor does: half a file is one with fewer targets
	srpd_file=$work/new.ini
	write_ini ${round}M
	mv "$srpd_file" "$work/srpd.ini"
	srpd_file=$work/srpd.ini
	kill -HUP "$srpd_pid"
	# unchanged in the first round
	[ "$round" -eq 1 ] || until_true "the file was read $round times" \
		changes_seen "$((round - 1))"
done
srpd_until "$all_up"

# Stopped, then continued.
kill -STOP "$srpd_pid"
RUN_TIMEOUT=1 run srpctl --socket "$srpd_socket" status
expect 'no answer while it is stopped' test "$run_status" -ne 0
kill -CONT "$srpd_pid"
srpd_until '[.targets[] | select(.name == "two" or .name == "slow") |
	.state == "ready" and .attempts == 1] | all'

# Killed: the next one takes over.
srpd_end KILL
work_end
srpd_start
srpd_until "$all_up"
srpd_end TERM
expect_srpd_status 0
expect_clean
