#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# srplat on plain files: the same measurement as on a LUN, and dd's own
# behaviour where dd has one.
# shellcheck source=tests/lib/shell.sh
. "${top_srcdir:?}/tests/lib/shell.sh"
need jq dd cmp

file=$work/file
copy=$work/copy
dd if=/dev/urandom of="$file" bs=4096 count=64 status=none

# Reading to the end: dd's three lines on stderr, the table on stdout.
run srplat if="$file" bs=4k
expect_status 0
expect_err '^64\+0 records in$'
expect_err '^64\+0 records out$'
expect_err '^262144 bytes \(262 kB, 256 KiB\) copied, [0-9.e-]+ s, [0-9.]+ [kMG]B/s$'
expect_out '^completion +p50 +p90 +p99 +p99\.9 +p99\.99 +max +mean +1/bw +IOPS +CPUns/IO +ctxsw/IO( +cyc/IO +ins/IO)?$'
expect_out '^libaio +[0-9.]+ '
expect_out '^clock: CLOCK_MONOTONIC from .*resolution [0-9]+ ns.*one read [0-9]+ ns.*share of a latency: [0-9]+ ns$'
expect 'three lines on stderr' test "$(wc -l <"$work/err")" -eq 3

# dd says the same of the same copy, but for the time it took.
dd_lines() {
	sed -E 's/copied, .*//' "$1"
}
run srplat if="$file" of="$copy" bs=1000
dd_lines "$work/err" >"$work/ours"
dd if="$file" of="$work/dd" bs=1000 2>"$work/err"
dd_lines "$work/err" >"$work/theirs"
expect "dd's lines" cmp "$work/ours" "$work/theirs"
expect 'the copy is the file' cmp "$file" "$copy"

# skip= and seek= without truncating.
run srplat if="$file" of="$copy" bs=4k count=3 skip=5 seek=2 conv=notrunc,fsync
expect_status 0
dd if="$file" of="$work/dd" bs=4k count=3 skip=5 seek=2 conv=notrunc status=none
expect 'as dd with skip, seek and notrunc' cmp "$copy" "$work/dd"

# Truncation begins where writing does, and only then.
run srplat if=/dev/zero of="$copy" bs=4k count=1 seek=1 depth=4
expect_status 0
expect 'cut behind what was written' test "$(stat -c %s "$copy")" -eq 8192
run srplat if=/dev/zero of="$copy" bs=4k count=x
expect_status 2
expect 'bad operands cut nothing' test "$(stat -c %s "$copy")" -eq 8192

# Deep, random, repeated.
run srplat if="$file" bs=512 count=100 depth=16 pattern=rand rounds=3 warmup=10
expect_status 0
expect_err '^100\+0 records in$'
expect_out 'paired by round; least and greatest of 3 are'
expect_out '^A/A +[0-9.]+ '

# JSON: the object and nothing else on stdout.
run srplat if="$file" bs=4k count=50 output=json
expect_status 0
# shellcheck disable=SC2016
expect_json '.runs | length == 1'
expect_json '.runs[0] | .completion == "libaio" and .output == "/dev/null"
	and .block_bytes == 4096 and .count == 50 and .errors == 0'
expect_json '.runs[0].latency_ns | .min > 0 and .min <= .p50 and .p50 <= .p90
	and .p90 <= .p99 and .p99 <= .["p99.9"] and .["p99.9"] <= .["p99.99"]
	and .["p99.99"] <= .max and .mean >= .min and .mean <= .max'
# One command at a time: the mean latency is 1/bandwidth, but for the probe.
expect_json '.runs[0] | (4096e9 / .bandwidth_bytes_per_s / .latency_ns.mean)
	| . >= 0.99 and . < 1.5'
expect_json '.runs[0] | (.iops * .block_bytes / .bandwidth_bytes_per_s)
	| . > 0.999 and . < 1.001'
expect_json '.runs[0].cpu_ns_per_io > 0'
expect_json 'has("error") | not'

# status= leaves lines out.
run srplat if="$file" bs=4k status=none
expect_no_err
run srplat if="$file" bs=4k status=noxfer
expect 'two lines' test "$(wc -l <"$work/err")" -eq 2

# An interrupt prints what is there, and the caller sees the signal.
run_until ' copied, ' srplat status=progress if=/dev/zero of=/dev/null \
	bs=4k runtime=30s output=json
expect_status 130
expect_json '.runs[0].count > 0 and (.error | test("interrupted by signal 2"))'
expect_err 'records out$'

# Time bounds a run.
run srplat if="$file" bs=4k runtime=200ms output=json
expect_status 0
expect_json '.runs[0].count > 64'
