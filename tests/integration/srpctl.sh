#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# srpctl against an srpd: each command, its sentences and exit statuses.
# shellcheck source=tests/lib/srpd.sh
. "${top_srcdir:?}/tests/lib/srpd.sh"

# Without an srpd.
srpctl_run status
expect_status 3
expect_one_sentence
expect_err "no srpd at $srpd_socket: there is no such socket; start srpd"
run srpctl
expect_status 1
expect_one_sentence
run srpctl stauts
expect_status 1
expect_err 'did you mean status'
run srpctl login
expect_status 2
expect_err 'srpctl login TARGET'
run srpctl --help
expect_status 0
expect_no_err
run srpctl --version
expect_out '^srpctl \(srpd\) [0-9]'

# The one that hangs takes a second for each command of its login.
srpd_ini <<'EOT'
[target disk]
url = demo://ram?size=1M&block=4096&luns=2
[target off]
url = demo://null
autologin = no
[target hangs]
url = demo://null?irqmode=timer&completion_nsec=1000000000&luns=200
EOT
srpd_start
srpd_until '.targets[0].state == "ready"'

# Whatever hangs, answers come: it is still under way in them.
srpctl_run --json status
expect_status 0
expect_no_err
expect_json '.targets[2].state == "connecting"'
expect_json '.targets[2].attempts == 1'
expect_json '.targets | length == 3'
srpctl_run --json stats hangs
expect_status 0
expect_json '.targets[0].latency.login.count == 0'

srpctl_run status
expect_status 0
expect_out '^disk +ready'
expect_out '^off: Logged out: srpctl login off logs in'
expect_out '^hangs: Login 1 is under way'
expect 'status fits 80 columns' test "$(wc -L <"$work/out")" -le 80
srpctl_run targets disk
expect_out 'url +demo://ram'
srpctl_run luns
expect_out '^disk +1 +1.0 MiB +4096'
srpctl_run --json luns disk
expect_json '.targets[0].luns[1].size_bytes == 1048576'
srpctl_run stats disk
expect_out 'login +1 '

# What changes something.
srpctl_run login off
expect_status 0
expect_out '^login off: done'
srpctl_run logout disk
expect_status 0
expect_out 'logged-out'
# What needs a session waits for the login, and says so.
srpctl_run --timeout 0.2 rescan disk
expect_status 3
expect_err 'disk is logged-out: rescan waits for srpctl login disk'
expect_err 'has not answered rescan in time'
srpctl --socket "$srpd_socket" reset disk 1 >"$work/reset" 2>&1 &
reset=$!
until_true 'the reset waits' grep -q 'reset waits for' "$work/reset"
until_true 'srpd has it' grep -q 'a reset waits for its login' "$srpd_log"
srpctl_run reconnect disk
expect 'reconnect of who is logged out is refused' test "$run_status" -ne 0
srpctl_run login disk
expect_status 0
status=0
wait "$reset" || status=$?
expect 'the reset that waited is carried out' test "$status" -eq 0
expect 'and says so' grep -q '^reset disk: done' "$work/reset"
srpctl_run rescan disk
expect_status 0
expect_no_err
srpctl_run reset disk 7
expect_status 2
expect_err 'no LUN 7'
srpctl_run reconnect disk
expect_status 0
srpctl_run --json stats disk
expect_json '.targets[0].latency.login.count == 3'
expect_json '.targets[0].latency.rescan.count >= 1'
expect_json '.targets[0].latency.reset.count == 1'
srpctl_run login dsik
expect_status 2
expect_one_sentence
expect_err 'did you mean disk\?'

srpctl_run set log_level debug
expect_status 0
srpctl_run --json status
expect_json '.srpd.log_level == "debug"'
srpctl_run set log_level loud
expect_status 2
srpctl_run set depth 4
expect_status 2
srpctl_run version
expect_out 'control protocol 1$'

# An answer is not waited for without end.
srpctl_run --timeout 0.05 login hangs
expect_status 3
expect_one_sentence
expect_err 'has not answered login in time'

# top where there is no terminal: blocks.
srpctl_run --interval 0.05 --count 2 top
expect_status 0
expect_no_err
expect 'two blocks' test "$(grep -c '^TARGET' "$work/out")" -eq 2
expect 'no escapes' test -z "$(grep -l $'\033' "$work/out")"
srpctl_run --interval 0.05 --count 1 --json top disk
expect_json '.targets[0].name == "disk" and .targets[0].reads_per_s == 0'
srpctl_run --interval 0.05 --count 1 top dsik
expect_status 2

# A full disk, a reader that has gone.
run bash -c "srpctl --socket $srpd_socket status >/dev/full"
expect_status 5

# A daemon that hangs is told from one that is not there.
kill -STOP "$srpd_pid"
srpctl_run --timeout 0.2 status
expect_status 3
expect_err 'has not answered status in time'
kill -CONT "$srpd_pid"
srpctl_run status
expect_status 0

# One that ends tells who waits.
# (It is the second to ask: the first did not wait for the answer.)
srpctl --socket "$srpd_socket" login hangs >"$work/login" 2>&1 &
login=$!
waits() {
	[ "$(grep -c 'login hangs, asked for by uid' "$srpd_log")" -eq 2 ]
}
until_true 'the login is waited for' waits
srpd_end TERM
expect_srpd_status 0
status=0
wait $login || status=$?
expect "who waited has been told: $(cat "$work/login")" \
	grep -qE '^srpctl: (login hangs: |srpd )' "$work/login"
expect 'with an exit status' test $status -ne 0
expect_nothing_left
kill -0 "$srpd_pid" 2>/dev/null || srpctl_run status
expect_status 3
