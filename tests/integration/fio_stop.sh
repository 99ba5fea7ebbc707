# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# shellcheck shell=bash
#
# Runs that are ended: by Ctrl-C, by a target that falls silent, by both.
. "${top_srcdir:?}/tests/lib/shell.sh"
. "${top_srcdir:?}/tests/lib/fio.sh"

stall=$shell_top/tests/integration/stall_thread

# start OPTION...: two jobs, slow enough for the target to sleep in between.
start() {
	run_line=$*
	: >"$work/out"
	: >"$work/err"
	env --default-signal=INT fio --name=job \
		"--ioengine=external:$engine" \
		'--target=demo://ram?irqmode=thread' --rw=randrw --bs=4k \
		--iodepth=4 --numjobs=2 --rate_iops=500 --group_reporting \
		--time_based --runtime=60 --status-interval=1 \
		--output-format=json "$@" >"$work/out" 2>"$work/err" \
		</dev/null &
	pid=$!
	await 'I/O' grep -q '"total_ios" : [1-9]' "$work/out"
}

# await WHAT COMMAND...: until it is so, for a minute at most.
await() {
	local what=$1 end=$((SECONDS + 60))
	shift
	until "$@"; do
		if [ "$SECONDS" -ge "$end" ]; then
			failed "no $what"
			kill -KILL "$pid"
			break
		fi
		sleep 0.05
	done
}

finish() {
	await 'end' ended
	run_status=0
	wait "$pid" || run_status=$?
	only_json
}

ended() {
	! kill -0 "$pid" 2>/dev/null
}

# said NR ERE: has it been, so often?
said() {
	[ "$(grep -cE -- "$2" "$work/err")" -ge "$1" ]
}

# stall_target: it goes on with wake_target.
stall_target() {
	local status=0
	: >"$work/stalled"
	"$stall" "$pid" srp-target >"$work/stalled" 2>"$work/stall.err" &
	stall_pid=$!
	until [ -s "$work/stalled" ]; do
		if ! kill -0 $stall_pid 2>/dev/null; then
			wait $stall_pid || status=$?
			kill -KILL "$pid"
			[ "$status" -ne 77 ] || skip "no ptrace here"
			failed "cannot stall: $(cat "$work/stall.err")"
			return
		fi
		sleep 0.05
	done
}

wake_target() {
	kill $stall_pid
	wait $stall_pid
}

for thread in '' --thread; do
	# a target that answers: nothing is left behind, nothing has failed
	start ${thread:+$thread}
	kill -INT "$pid"
	finish
	expect_status 128
	expect_report '.jobs[0].error == 0 and .jobs[0].read.total_ios > 0'
	! grep -q srpi: "$work/err" || failed "a message of the engine"

	# one that does not: given up a second after Ctrl-C, not by io_timeout
	for option in --completion=self --completion=inline --mem=mmap; do
		start ${thread:+$thread} $option --io_timeout=10m
		stall_target
		sleep 0.5 # commands go out that have no answer
		kill -INT "$pid"
		await 'message' said 2 'srpi: job: interrupted: [0-9]+ commands'
		wake_target # or its end would wait for the thread
		finish
		expect_report '.jobs[0].error == 4 and
			.jobs[0].read.total_ios > 0'
	done

	# nobody ends it: io_timeout does, with an error and what was measured
	start ${thread:+$thread} --io_timeout=1s
	stall_target
	await 'message' said 2 'of LUN 0, offset [0-9]+, 4096 bytes: no answer'
	wake_target
	finish
	expect "an error" test "$run_status" -ne 0
	expect_report '(.jobs[0].error == 110 or .jobs[0].error == 103) and
		.jobs[0].read.total_ios > 0'
done
expect_empty_folder
