#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# srpd from start to end: signals, one instance, what is left behind.
# shellcheck source=tests/lib/srpd.sh
. "${top_srcdir:?}/tests/lib/srpd.sh"

srpd_ini <<'EOT'
[target one]
url = demo://ram?size=1M&luns=2
[target two]
url = demo://null
[target nobody]
url = srp://127.222.1.1/?id_ext=0002c90300a0b0c0&ioc_guid=0002c90300a0b0c0&fabric=soft
EOT
all_up='[.targets[] | select(.state == "ready")] | length == 2'

# The one that fails delays nobody and changes no exit status.
for signal in TERM INT; do
	srpd_start
	srpd_until "$all_up"
	srpd_until '.targets[] | select(.name == "nobody") |
		.state == "connecting" and .attempts > 0 and .last_error != ""'
	srpd_end $signal
	expect_srpd_status 0
	expect_nothing_left
done

# Before anything has been logged in.
srpd_launch
until_true "srpd has begun" srpd_says 'srpd: srpd [0-9]'
srpd_end TERM
expect_srpd_status 0
expect_nothing_left

# A second one is refused, by the first one's process id and socket.
srpd_start
srpd_until "$all_up"
run srpd -c "$srpd_file"
expect_status 3
expect_one_sentence
expect_err "another srpd \(pid $srpd_pid\) serves $srpd_socket"
srpd_until "$all_up"

# Stopped, it answers nobody; continued, it goes on as it was.
kill -STOP "$srpd_pid"
RUN_TIMEOUT=1 run srpctl --socket "$srpd_socket" status
expect "no answer while it is stopped" test "$run_status" -ne 0
kill -CONT "$srpd_pid"
srpd_until "$all_up"
srpd_until '[.targets[] | select(.state == "ready") | .attempts] == [1, 1]'

# Killed, it leaves no obstacle.
srpd_end KILL
expect "a socket is left by kill -9" test -S "$srpd_socket"
srpd_start
srpd_until "$all_up"
srpd_end TERM
expect_srpd_status 0
expect_nothing_left

# What is no socket of srpd's is not removed.
echo precious >"$srpd_socket"
run srpd -c "$srpd_file"
expect_status 3
expect_err "$srpd_socket is there and is no socket"
expect "it is still there" grep -q precious "$srpd_socket"
