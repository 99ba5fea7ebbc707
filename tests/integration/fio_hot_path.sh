# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# shellcheck shell=bash
#
# No memory is allocated per I/O: memcheck counts the same for 4000 I/Os as
# for 20000.
. "${top_srcdir:?}/tests/lib/shell.sh"
. "${top_srcdir:?}/tests/lib/fio.sh"
need valgrind

allocations() { # NR_IOS
	RUN_TIMEOUT=200 run valgrind --log-file="$work/valgrind" \
		--child-silent-after-fork=yes fio --name=job \
		"--ioengine=external:$engine" --target=demo://null \
		--completion=self --thread --rw=randrw --bs=4k --iodepth=32 \
		--iodepth_batch_submit=8 "--number_ios=$1" --norandommap \
		--size=1G --output-format=json
	only_json
	expect_status 0
	expect_report "(.jobs[0].read.total_ios + .jobs[0].write.total_ios) == $1"
	allocs=$(sed -nE 's/.*total heap usage: ([0-9,]+) allocs.*/\1/p' \
		"$work/valgrind" | tr -d ,)
	expect "a count" test -n "$allocs"
}

allocations 4000
few=$allocs
allocations 20000
# fio's own threads make some, over time
expect "$few allocations, then $allocs" test "$((allocs - few))" -lt 800
