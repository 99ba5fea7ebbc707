#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# srplat against the embedded target: every completion mode that the build
# has, reads and writes, block sizes, and what is refused before any I/O.
# shellcheck source=tests/lib/shell.sh
. "${top_srcdir:?}/tests/lib/shell.sh"
need jq cmp

# Both ends of the demo target, in the two modes that every build has.
for mode in inline self; do
	for target in 'demo://ram?size=1M' 'demo://null' \
		'demo://ram?size=1M&irqmode=thread'; do
		run srplat if="$target" bs=4k count=200 completion=$mode
		expect_status 0
		expect_err '^200\+0 records in$'
		expect_out "^$mode +[0-9.]+ "
		run srplat if=/dev/urandom of="$target" bs=512 count=200 \
			completion=$mode conv=fsync oflag=dsync output=json
		expect_status 0
		expect_json ".runs[0] | .completion == \"$mode\" and
			.count == 200 and .errors == 0 and .block_bytes == 512"
	done
done

# All of them side by side: one run a mode, each with every record.
run srplat if='demo://ram?size=1M' bs=4k count=120 completion=all output=json
expect_status 0
expect_json '[.runs[].completion] | length >= 2 and length == (unique | length)
	and index("inline") != null and index("self") != null'
expect_json '[.runs[] | .count == 120 and .errors == 0 and
	.latency_ns.p50 <= .latency_ns["p99.9"]] | all'
run srplat if='demo://ram?size=1M' bs=4k count=120 completion=all
expect_err '^[0-9]+\+0 records in$'
expect_out '6 rounds \(ABBA\)'
expect_out '^A/A +[0-9.]+ '

# Whose CPU time it is.
run srplat if='demo://ram?size=1M' count=10
expect_out 'include target'
run srplat if='demo://ram?size=1M&irqmode=thread' count=10 output=json
expect_json '.notes | length == 0'

# Data arrives: RAM is zero until written, and copies go where they should.
run srplat if='demo://ram?size=1M' of="$work/zero" bs=64k depth=4
expect_status 0
head -c 1048576 /dev/zero >"$work/expected"
expect 'zeros' cmp "$work/zero" "$work/expected"
head -c 1048576 /dev/urandom >"$work/data"
run srplat if="$work/data" of='demo://ram?size=1M' bs=64k depth=4
expect_status 0
expect_err '^16\+0 records out$'
run srplat if='demo://ram?size=1M&name=a' of='demo://ram?size=1M&name=b' \
	bs=4k depth=8
expect_status 0
expect_err '^256\+0 records out$'

# Depth, time, random order.
run srplat if='demo://ram?size=1M&irqmode=thread' bs=512 depth=32 \
	pattern=rand runtime=200ms warmup=50ms output=json
expect_status 0
expect_json '.runs[0].count > 32'

# Blocks of every size: b is the LUN's block, and so is the default.
for block in 512 520 528 4096 4104 4160; do
	target="demo://ram?block=$block&size=$((block * 64))"
	run srplat if="$target" count=64 bs=1b output=json
	expect_status 0
	expect_json ".runs[0].block_bytes == $block"
	run srplat if="$target" bs=3b
	expect_status 0
	expect_err '^21\+1 records in$'
	run srplat if="$target" bs=$((block + 8))
	expect_status 2
	expect_one_sentence
	expect_err "block size of .* which is $block bytes"
done

# refuses STATUS PATTERN OPERAND...
refuses() {
	local status=$1 pattern=$2
	shift 2
	run srplat "$@"
	expect_refusal "$status" "$pattern"
	run srplat "$@" output=json
	expect_status "$status"
	expect_json ".exit == $status and (.error | length) > 10"
}
refuses 2 'count=257 is past the end.*up to 256 records' \
	if='demo://ram?size=1M' bs=4k count=257
refuses 2 'skip= begins at byte' if='demo://ram?size=1M' bs=4k skip=257
refuses 2 'write protected: nothing was written' \
	if=/dev/zero of='demo://ram?size=1M&ro=yes' count=1
refuses 2 'sizee' if='demo://ram?sizee=1M'
refuses 2 'io_timeout=never' if=demo://ram io_timeout=never
refuses 2 'foo://' if=foo://x
refuses 3 'lun|LUN' if='demo://ram?luns=1&lun=7'
refuses 3 '.' if='srp://[::1]:1/?id_ext=0000000000000001&ioc_guid=0000000000000002&fabric=soft'
run srplat if='demo://ram?size=1M&ro=yes' count=1
expect_status 0

# Killed while it waits: the shell sees the signal, and what was done.
run_until ' copied, ' srplat status=progress if='demo://null?irqmode=thread' \
	runtime=30s completion=self output=json
expect_status 130
expect_json '.runs[0].count > 0 and (.error | test("interrupted"))'
