# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# shellcheck shell=bash
#
# What shell tests of the programs share; sourced first:
#	. "${top_srcdir:?}/tests/lib/shell.sh"
#
#	run srplat if=demo://null count=1
#	expect_status 0
#	expect_out '1+0 records in'
#
# Every expectation that fails is told with what the program said, and the
# test goes on; the exit status tells at the end. $work is a scratch folder
# that goes away, and with it every process that "background" started.

set -u
export LC_ALL=C
shell_top=$(cd "${top_builddir:-.}" && pwd)
PATH=$shell_top/src/tools:$shell_top/src/srpd:$shell_top/src/bench:$PATH
work=$(mktemp -d)
shell_nr_failed=0
shell_pids=()
run_line='' run_status=0

shell_end() {
	local status=$?
	trap - EXIT
	[ ${#shell_pids[@]} -eq 0 ] || kill "${shell_pids[@]}" 2>/dev/null
	wait
	rm -rf "$work"
	[ "$status" -ne 0 ] || [ "$shell_nr_failed" -eq 0 ] || status=1
	exit "$status"
}
trap shell_end EXIT

# skip REASON: ends the test, for what this machine lacks.
skip() {
	echo "skipped: $*"
	exit 77
}

# need COMMAND...: skips the test where one is not installed.
need() {
	local command
	for command; do
		command -v "$command" >/dev/null || skip "no $command here"
	done
}

# run COMMAND [ARG...]: keeps its output, its messages and its exit status,
# and ends it after $RUN_TIMEOUT seconds (60) with status 124.
run() {
	run_line=$*
	run_status=0
	timeout --kill-after=5 "${RUN_TIMEOUT:-60}" "$@" \
		>"$work/out" 2>"$work/err" </dev/null || run_status=$?
}

# run_until ERE COMMAND [ARG...]: as run, and interrupts the command (one
# SIGINT) as soon as a line of its messages matches: a fixed time would hit a
# slow machine before the program has begun.
run_until() {
	local line=$1 pid end=$((SECONDS + ${RUN_TIMEOUT:-60})) sent=''
	shift
	run_line=$*
	run_status=0
	: >"$work/err"
	env --default-signal=INT "$@" >"$work/out" 2>"$work/err" </dev/null &
	pid=$!
	while kill -0 "$pid" 2>/dev/null; do
		[ "$SECONDS" -lt "$end" ] || kill -KILL "$pid"
		if [ -z "$sent" ] && grep -qE -- "$line" "$work/err"; then
			kill -INT "$pid"
			sent=yes
		fi
		sleep 0.05
	done
	wait "$pid" || run_status=$?
	expect "a message that matches: $line" test -n "$sent"
}

# background COMMAND [ARG...]: runs it until the test ends.
background() {
	"$@" </dev/null &
	shell_pids+=($!)
}

failed() {
	shell_nr_failed=$((shell_nr_failed + 1))
	echo "FAILED: $*"
	echo "  command: $run_line"
	echo "  status:  $run_status"
	sed 's/^/  out: /' "$work/out" 2>/dev/null
	sed 's/^/  err: /' "$work/err" 2>/dev/null
	return 0
}

expect_status() {
	[ "$run_status" -eq "$1" ] || failed "exit status $1 expected"
}

# expect_out ERE, expect_err ERE: a line of the output, of the messages.
expect_out() {
	grep -qE -- "$1" "$work/out" || failed "no output matches: $1"
}

expect_err() {
	grep -qE -- "$1" "$work/err" || failed "no message matches: $1"
}

expect_no_out() {
	[ ! -s "$work/out" ] || failed "no output expected"
}

expect_no_err() {
	[ ! -s "$work/err" ] || failed "no message expected"
}

# expect_one_sentence: bad input is answered with one line and no output.
expect_one_sentence() {
	expect_no_out
	[ "$(wc -l <"$work/err")" -eq 1 ] || failed "one sentence expected"
}

# expect_refusal STATUS ERE: nothing was done, and one sentence says why.
expect_refusal() {
	expect_status "$1"
	expect_one_sentence
	expect_err "$2"
}

# expect WHAT COMMAND...: a condition of any kind.
expect() {
	local what=$1
	shift
	"$@" || failed "$what"
}

# expect_json FILTER: jq's, true of the object that is the output. (Of no
# output jq -e says nothing wrong.)
expect_json() {
	[ -s "$work/out" ] || failed "no output, where this should be so: $1"
	jq -e "$1" "$work/out" >"$work/jq" 2>&1 || failed "not so: $1"
}
