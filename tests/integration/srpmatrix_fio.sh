#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# srpmatrix with the real fio and our engine, for the whole way.
# shellcheck source=tests/lib/shell.sh
. "${top_srcdir:?}/tests/lib/shell.sh"
need jq
[ "${HAVE_FIO:-no}" = yes ] || skip "built without --with-fio"
need fio
export SRPI_FIO_ENGINE=$shell_top/src/fio/.libs/libfio-srpi.so
RUN_TIMEOUT=200

run srpmatrix --target 'demo://null?irqmode=thread' --bs 512,4k --jobs 1,3 \
	--completion inline,poll,self --rounds 2 --runtime 50ms --warmup 20ms \
	--rw randread --json
expect_status 0
expect_json '.rows | length == 4'
expect_json '[.rows[].modes[] | .median | .iops > 0 and .cpu_ns_per_io > 0 and
	.latency_ns.p50 > 0 and .doorbells_per_io > 0] | all'
# At depth one every command has a doorbell of its own; self takes no events.
expect_json '[.rows[] | select(.jobs == 1) | .modes[] |
	.median.doorbells_per_io | . > 0.95 and . < 1.1] | all'
expect_json '[.rows[].modes[] | select(.name == "self") |
	.median.events_per_io < 0.05] | all'
# The histogram holds every I/O of every round.
expect_json '[.rows[].modes[] | select(.baseline | not) |
	.latency_ns.count == ([.rounds[].ios] | add)] | all'

run srpmatrix --target 'demo://ram?size=1M' --bs 4k --jobs 2 --fork --depth 16 \
	--completion self --rounds 1 --runtime 50ms --rw randrw
expect_status 0
expect_out '^ +4k +2 +[0-9]+'
expect_out 'include target'

# The target's own words come with the row.
run srpmatrix --target 'demo://ram?size=1M&irqmode=thread' --bs 4k --jobs 1 \
	--completion inline --rounds 1 --runtime 50ms --compare /dev/null
expect_status 5
expect_out '^failed: 4k x 1, libaio, round 1: fio'
