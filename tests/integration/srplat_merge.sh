#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# srplat merge: results of several runs as one, exactly, or a sentence.
# shellcheck source=tests/lib/shell.sh
. "${top_srcdir:?}/tests/lib/shell.sh"
need jq

# result FILE OPERAND...: a run's JSON, all of its histograms with it.
result() {
	local file=$1
	shift
	run srplat if='demo://ram?size=1M' bs=4k output=json histogram=yes "$@"
	expect_status 0
	cp "$work/out" "$file"
}
a=$work/a.json b=$work/b.json c=$work/c.json
result "$a" count=200 completion=self
result "$b" count=50 completion=self

# The histogram is all there is: counts, sum and bounds are the run's own.
# shellcheck disable=SC2016
expect_json '.runs[0] | .histogram as $h | $h.count == .count and
	([$h.buckets[][2]] | add) == .count and
	$h.min_ns == .latency_ns.min and $h.max_ns == .latency_ns.max and
	(($h.sum_ns / $h.count - .latency_ns.mean) | fabs) < 0.01 and
	([$h.buckets[] | .[0] <= .[1]] | all)'

run srplat merge "$a" "$b" output=json histogram=yes
expect_status 0
expect_no_err
cp "$work/out" "$c"
expect_json '.merged_files == 2 and (.runs | length) == 1'
expect_json '.runs[0] | .count == 250 and .completion == "self" and
	.block_bytes == 4096 and .depth == 1'
run jq -es '(.[2].runs[0].histogram.buckets | map({"\(.[0])": .[2]}) | add) as $sum |
	(.[0].runs[0].histogram.buckets + .[1].runs[0].histogram.buckets |
		group_by(.[0]) | map({"\(.[0][0])": map(.[2]) | add}) | add) ==
	$sum' "$a" "$b" "$c"
expect_status 0
run jq -es '.[2].runs[0].latency_ns as $l | [.[0:2][].runs[0].latency_ns] |
	(map(.max) | max) == $l.max and (map(.min) | min) == $l.min' \
	"$a" "$b" "$c"
expect_status 0

# What is merged can be merged again; order does not matter.
run srplat merge "$c" "$a" output=json
expect_status 0
expect_json '.runs[0].count == 450'
run srplat merge "$b" "$a" output=json histogram=yes
cp "$work/out" "$work/d.json"
run jq -es '.[0].runs[0].histogram == .[1].runs[0].histogram' \
	"$c" "$work/d.json"
expect_status 0

# As a table, and judged.
run srplat merge "$a" "$b"
expect_status 0
expect_out ', 2 files merged$'
expect_out '^self +[0-9.]+ '
expect_out '^self: [0-9]+ IOPS together$'
run srplat merge "$a" "$b" threshold=mean:1ns
expect_status 6
expect_err 'threshold= is exceeded: self mean is'

# Curves and rates.
result "$a" count=20 sweep=depth:1-4
result "$b" count=20 sweep=depth:1-4
run srplat merge "$a" "$b" output=json
expect_status 0
expect_json '[.runs[].count] == [40, 40, 40] and
	(.sweep[0].points | length) == 3'
run srplat merge "$a" "$c"
expect_status 2
result "$a" count=20 rate=10k depth=2
run srplat merge "$a" "$a" output=json
expect_status 0
expect_json '.runs[0] | .rate == 10000 and .response_ns.max > 0'

# refuses STATUS PATTERN WORD...: as text and as JSON.
refuses() {
	local status=$1 pattern=$2
	shift 2
	run srplat merge "$@"
	expect_refusal "$status" "$pattern"
	run srplat merge "$@" output=json
	expect_status "$status"
	expect_json ".exit == $status and (.runs | length) == 0"
}
result "$a" count=20 depth=1
result "$b" count=20 depth=2
refuses 2 'b\.json: depth is 2, but in .*a\.json it is 1: only runs of the same settings' "$a" "$b"
result "$b" count=20 pattern=rand
refuses 2 'pattern is "rand"' "$a" "$b"
run srplat if='demo://ram?size=1M' bs=4k count=20 output=json
cp "$work/out" "$b"
refuses 2 'has no histogram: make it with histogram=yes' "$a" "$b"
jq '.runs[0].histogram.buckets[0][2] += 1' "$a" >"$b"
refuses 2 'histogram is not one that srplat has written' "$a" "$b"
echo '{"runs": ' >"$b"
refuses 2 'b\.json: is no JSON file' "$b"
refuses 2 'none\.json: ' "$work/none.json"
refuses 2 'merge needs files' threshold=max:1s
run srplat merge "$a" --fast
expect_status 1
run srplat merge --help
expect_status 0
expect_out 'srplat merge FILE'
run srplat merge --version
expect_status 0
expect_out '^srplat \(srpd\) [0-9]'
run srplat if=demo://ram count=1 histogram=yes
expect_status 2
expect_err 'histogram=yes is for JSON'
