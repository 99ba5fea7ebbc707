#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# srplat: where the time of a command goes, and the log of slow ones.
# shellcheck source=tests/lib/shell.sh
. "${top_srcdir:?}/tests/lib/shell.sh"
need jq

target='demo://ram?size=1M&irqmode=thread'

# The parts of each mode add up to its latency, and name what happens there.
run srplat if="$target" bs=4k count=240 completion=all stages=yes warmup=0 output=json
expect_status 0
expect_json '[.runs[] | .stages_ns | has("submit->posted") and
	has("last->delivered") and has("delivered->probe")] | all'
# shellcheck disable=SC2016
expect_json '[.runs[] | ([.stages_ns[] | .mean * .count] | add) as $parts |
	$parts / (.latency_ns.mean * .count) | . > 0.98 and . < 1.02] | all'
expect_json '[.runs[] | select(.completion == "self") | .stages_ns |
	has("posted->seen") and (has("posted->woken") | not) and
	(has("seen->woken") | not)] | all'
expect_json '[.runs[] | select(.completion == "inline") | .stages_ns |
	has("posted->woken") or has("posted->seen")] | all'
run srplat if="$target" count=100 completion=self stages=yes
expect_status 0
expect_out '^stages in us; they cost 4 more reads of the clock a record, [0-9]+ ns'
expect_out '^completion +stage +mean +p50 +p99 +records$'
expect_out '^self +posted->seen +[0-9.]+ +[0-9.]+ +[0-9.]+ +100$'
run srplat if="$target" count=100
expect 'no stages unasked' test "$(grep -c 'posted' "$work/out")" -eq 0

# A target that takes 1 ms is slow by any limit below; the log has at most 100.
slow='demo://null?irqmode=timer&completion_nsec=1000000'
run srplat if="$slow" bs=512 count=130 slow=500us
expect_status 0
expect 'a hundred lines' test "$(grep -c 'srplat: slow: .* LBA ' "$work/err")" -eq 100
expect_err '^srplat: slow: 0\.[0-9]+ s after the beginning, read of 512 bytes at LBA 0: [0-9.]+ us \(submit->posted [0-9.]+, posted->'
expect_err 'LBA 99: '
expect_err '^srplat: slow: 130 records took longer than 500\.00 us, of which the first 100 are above$'
run srplat if=/dev/urandom of="$slow" bs=1k count=3 seek=2 slow=500us output=json
expect_status 0
expect_err 'write of 1024 bytes at LBA 4: '
expect_json '.slow | .count == 3 and .limit_ns == 500000 and
	(.ios | length == 3) and (.ios[2] | .offset == 4096 and .write)'
run srplat if="$slow" count=3 slow=1m
expect_status 0
expect 'no slow record' test "$(grep -c slow: "$work/err")" -eq 0

# Files have a log but no stages.
head -c 65536 /dev/urandom >"$work/file"
run srplat if="$work/file" bs=4k slow=1ns
expect_status 0
expect_err 'slow: .* read of 4096 bytes at byte 61440: [0-9.]+ us$'
run srplat if="$work/file" bs=4k stages=yes
expect_status 2
expect_one_sentence
expect_err 'stages=yes is for LUNs'

# Counters are stated, or why there are none.
run srplat if="$target" count=100 output=json
expect_json '.counters | if .scope then (.scope | test("user")) else
	(.reason | test("perf_event_open")) end'
expect_json '(.counters.scope == null) or
	(.runs[0].instructions_per_io > 0 and .runs[0].cycles_per_io > 0)'
run srplat if="$target" count=100
expect_out '^cycles and instructions: '
