#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# srplat: latency against load by depth and by rate, and limits that end it
# with status 6. Nothing here depends on how fast the machine is, only on what
# a target that takes 1 ms a command can do.
# shellcheck source=tests/lib/shell.sh
. "${top_srcdir:?}/tests/lib/shell.sh"
need jq

slow='demo://null?irqmode=timer&completion_nsec=1000000'

run srplat if="$slow" sweep=depth:1-16 count=320 output=json
expect_status 0
expect_json '.runs | length == 5 and [.[].depth] == [1, 2, 4, 8, 16]'
expect_json '.sweep | length == 1 and .[0].by == "depth"'
expect_json '.sweep[0].points | [.[].depth] == [1, 2, 4, 8, 16] and
	([.[] | select(.knee)] | length == 1) and
	([.[] | .iops > 0 and .mean_ns > 0 and .p50_ns <= .p99_ns and
		.p99_ns <= .["p99.9_ns"] and .cpu_ns_per_io > 0] | all)'
# One at a time cannot do more than 1000; 16 at a time can.
expect_json '.sweep[0].points | .[0].iops < 1100 and
	.[4].iops > 1.5 * .[0].iops'
# The knee is as the manual says: the last whose p99 is under twice the least.
# shellcheck disable=SC2016
expect_json '.sweep[0].points | (map(.p99_ns) | min) as $low |
	(map(.p99_ns < 2 * $low) | rindex(true)) ==
	(map(.knee) | index(true))'

run srplat if="$slow" sweep=depth:1,3 count=16 completion=self
expect_status 0
expect_out '^completion +depth +IOPS +mean +p50 +p99 +p99\.9 +CPUns/IO$'
expect_out '^self +1 +[0-9]+ '
expect_out '^self +3 +[0-9]+ '
expect_out '<- knee$'

# By rate: below, near and far above what one at a time can do.
run srplat if="$slow" sweep=rate:50,100,10k count=30 output=json
expect_status 0
expect_json '.sweep[0].points | [.[].rate] == [50, 100, 10000]'
expect_json '.runs[2] | .response_ns.max >=
	.latency_ns.mean * .count - 1e9 / .rate * .count'
run srplat if="$slow" sweep=rate:50-100:2 count=5
expect_status 0
expect_out '^completion +rate +IOPS '
expect_out 'from when a record was due to its end'

# All modes, each with a curve of its own.
run srplat if=demo://null sweep=depth:1-4 count=40 completion=all output=json
expect_status 0
expect_json '(.sweep | length >= 2) and
	([.sweep[] | .points | length == 3] | all)'

# An interrupt prints the points that are there.
run_until ' copied, ' srplat status=progress if="$slow" \
	sweep=depth:1-1024 runtime=200ms output=json
expect_status 130
expect_json '.sweep[0].points | length >= 1 and length < 11'

# Limits: 1 ms cannot be under 100 us, and is under 10 s.
run srplat if="$slow" count=20 threshold=p99:100us
expect_status 6
expect_err '^srplat: threshold= is exceeded: [a-z]+ p99 is [0-9.]+ us, more than 100(\.0+)? us$'
expect_err '^20\+0 records in$'
run srplat if="$slow" count=20 threshold=p50:10s,mean:10s,max:1m
expect_status 0
run srplat if="$slow" count=20 threshold=max:10s,mean:100us output=json
expect_status 6
expect_json '.exit == 6 and (.error | test("mean is")) and
	(.error | test("max is") | not) and .runs[0].count == 20'
# At a rate it is the response time that counts.
run srplat if="$slow" count=60 rate=10k threshold=p50:10ms output=json
expect_status 6
expect_json '.error | test("p50 of the response is")'
# An error of another kind goes first.
run srplat if="$slow" count=1 threshold=p99
expect_status 2
expect_one_sentence
