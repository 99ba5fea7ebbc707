#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# The command line of srpd, its files, and the targets it requires.
# shellcheck source=tests/lib/srpd.sh
. "${top_srcdir:?}/tests/lib/srpd.sh"

run srpd --help
expect_status 0
expect_out '--check-config'
expect_no_err
run srpd --version
expect_status 0
expect_out '^srpd [0-9]'

refuses() { # STATUS PATTERN OPTION...
	local status=$1 pattern=$2
	shift 2
	run srpd "$@"
	expect_refusal "$status" "$pattern"
}
refuses 1 'unknown option --chek-config: did you mean --check-config' \
	--chek-config
refuses 1 'takes no operand, such as "a.ini"' a.ini
refuses 1 '-c needs a file' -c
refuses 2 "/no/such/file: can't be read: No such file" -c /no/such/file
refuses 2 "can't be read: Is a directory" -c "$work"
refuses 3 'no-such-folder/s.lock' -c <(printf \
	'[srpd]\nsocket = %s/no-such-folder/s\n' "$work")

# Every problem at once, with its line.
srpd_ini <<'EOT'
dept = 4
depth = 4
depth = 5
[target a:b]
[target a]
url = demo://nul
required = maybe
EOT
run srpd -c "$srpd_file" --check-config
expect_status 2
expect_no_out
expect_err "^$srpd_file:3: key \"dept\" is not known: did you mean \"depth\""
expect_err "^$srpd_file:5: depth is there twice in \[srpd\]: see line 4$"
expect_err "^$srpd_file:6: section \[target a:b\]"
expect_err "^$srpd_file:8: url: .*did you mean demo://null"
expect_err "^$srpd_file:9: required=maybe is neither"
expect "five problems" test "$(wc -l <"$work/err")" -eq 5
cp "$work/err" "$work/told"
run srpd -c "$srpd_file"
expect_status 2
expect "srpd itself says the same" cmp "$work/err" "$work/told"

# What is dumped is a file that says the same.
srpd_ini <<'EOT'
completion = inline
[target a]
url = "demo://ram?size=1M"
dev_loss_tmo = off
EOT
run srpd -c "$srpd_file" --check-config
expect_status 0
expect_no_out
expect_no_err
run srpd -c "$srpd_file" --dump-config
expect_status 0
expect_out '^dev_loss_tmo = off$'
expect_out '^reconnect_delay = 10s$'
cp "$work/out" "$work/dumped"
run srpd -c "$work/dumped" --dump-config
expect_status 0
expect "a dump of the dump is the same" cmp "$work/out" "$work/dumped"
run srpd -c "$top_srcdir/etc/srpd.ini" --check-config
expect_status 0

# A required target that is not there ends srpd; one that is not required
# does not, although it is as far away.
nobody='srp://127.222.1.1/?id_ext=0002c90300a0b0c0&ioc_guid=0002c90300a0b0c0'
srpd_ini <<EOT
start_timeout = 1
[target a]
url = demo://null
[target gone]
url = $nobody&fabric=soft
required = yes
EOT
srpd_launch
srpd_wait 60
expect_srpd_status 3
expect "it says which and why" srpd_says \
	'target gone is required and not ready within start_timeout: .*127\.222'
expect "it never was ready" test -z "$(grep 'srpd: ready' "$srpd_log")"
expect_nothing_left
sed -i 's/^required = yes/required = no/' "$srpd_file"
srpd_start
srpd_until '.srpd.uptime_ns > 1500000000'
expect "it is ready" srpd_says '^srpd: ready: [01] of 2 targets ready'
srpd_end TERM
expect_srpd_status 0

# Lines for the journal have its levels.
srpd_ini <<EOT
[target gone]
url = $nobody&fabric=soft
EOT
(
	exec 2>"$work/journal"
	JOURNAL_STREAM=$(stat -Lc %d:%i /dev/stderr)
	export JOURNAL_STREAM
	srpd_log=/dev/stderr srpd_launch
	until grep -q 'login failed' "$work/journal"; do sleep 0.02; done
	kill "$srpd_pid"
	wait "$srpd_pid"
)
expect "a warning of level 4" grep -q '^<4>srpd: target gone: login failed' \
	"$work/journal"
expect "information of level 6" grep -q '^<6>srpd: ' "$work/journal"
