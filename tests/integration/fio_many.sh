# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# shellcheck shell=bash
#
# 33 jobs, as processes and as threads, and 64; with SRPD_TEST_ALL=yes 20 times.
. "${top_srcdir:?}/tests/lib/shell.sh"
. "${top_srcdir:?}/tests/lib/fio.sh"

repeats=2
[ "${SRPD_TEST_ALL:-no}" = no ] || repeats=20
for ((i = 0; i < repeats; i++)); do
	for thread in '' --thread; do
		run_fio '--target=demo://ram?size=1M' ${thread:+$thread} \
			--numjobs=33 --rw=randrw --bs=4k --iodepth=4 \
			--group_reporting
		expect_clean
		expect_report '.jobs[0].read.total_ios +
			.jobs[0].write.total_ios == 33 * 256'
	done
done
run_fio '--target=demo://null?size=1M' --thread --numjobs=64 --rw=read \
	--bs=4k --iodepth=4 --group_reporting
expect_clean
