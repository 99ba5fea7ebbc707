#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# srplat at a rate: service time and time from the intended start, below and
# above what the target can do. The target answers each command after 2 ms, so
# that at depth one it cannot do more than 500 a second, however fast or busy
# the machine is; a slower machine only does less.
# shellcheck source=tests/lib/shell.sh
. "${top_srcdir:?}/tests/lib/shell.sh"
need jq

slow='demo://null?irqmode=timer&completion_nsec=2000000'

# Above capacity: one at a time, the wait of each is that of all before it.
# Nothing is left out: the percentiles from the intended start show it.
run srplat if="$slow" rate=5k count=100 output=json completion=self
expect_status 0
# shellcheck disable=SC2016
expect_json '.runs[0] | .count == 100 and .rate == 5000 and
	.missed_sends > 90 and .unsent == 0 and .max_waiting > 50'
expect_json '.runs[0] | .latency_ns.min >= 1900000 and .iops < 530'
expect_json '.runs[0] | .response_ns.p50 > 10 * .latency_ns.p50 and
	.response_ns.p99 >= .response_ns.p50 and
	.response_ns.max > 150000000'
# The last has waited for all: the services, less what was between the dues.
expect_json '.runs[0] | .response_ns.max >=
	.latency_ns.mean * .count - 1e9 / .rate * .count'

# Deeper, up to depth=: 16 at a time can do what one at a time cannot.
run srplat if="$slow" rate=1k count=200 depth=16 output=json
expect_status 0
expect_json '.runs[0] | .count == 200 and .depth == 16 and .unsent == 0'
expect_json '.runs[0].elapsed_ns > 198000000'

# Below capacity nobody waits for others: a response is a service and little
# more, at least where a busy machine does not hold it up.
run srplat if="$slow" rate=20 count=20 output=json
expect_status 0
expect_json '.runs[0] | .response_ns.min < 3 * .latency_ns.p50 and
	.elapsed_ns >= 950000000'

# By time: what was due and never began counts too, and the run ends in time.
run srplat if="$slow" rate=10k runtime=300ms output=json
expect_status 0
expect_json '.runs[0] | .count < 160 and .unsent > 2500 and
	.response_ns.p50 > 100000000 and .elapsed_ns < 5e9'

# The table: two rows a mode, and what was missed.
run srplat if="$slow" rate=2k count=50 completion=all rounds=1 warmup=0 late=1ms
expect_status 0
expect_out '^completion +p50 '
for mode in inline self; do
	expect_out "^$mode service +[0-9.]+ "
	expect_out "^$mode response +[0-9.]+ "
	expect_out "^$mode: 2000 a second were due, [0-9]+ were done; [0-9]+ sends missed \(begun more than 1000.00 us late\)"
done

# Files too, and copies.
head -c 1048576 /dev/urandom >"$work/file"
run srplat if="$work/file" of="$work/copy" bs=64k rate=1k depth=4 output=json
expect_status 0
expect_json '.runs[0] | .count == 16 and .response_ns.mean > 0'
expect 'the copy is the file' cmp "$work/file" "$work/copy"

# An interrupt prints what is there.
run_until ' copied, ' srplat status=progress if="$slow" rate=1k \
	runtime=30s output=json
expect_status 130
expect_json '.runs[0] | .count > 0 and .unsent > 0'
