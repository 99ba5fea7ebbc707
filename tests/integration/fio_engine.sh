# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# shellcheck shell=bash
#
# The engine's options, what fio asks of it, and what it refuses.
. "${top_srcdir:?}/tests/lib/shell.sh"
. "${top_srcdir:?}/tests/lib/fio.sh"

ram='--target=demo://ram?size=4M'

# ---- what works
for completion in inline thread poll self adaptive; do
	run_fio "$ram" --thread "--completion=$completion" --rw=randrw \
		--bs=4k --iodepth=16 --iodepth_batch_submit=4 \
		--iodepth_batch_complete_min=0 --iodepth_batch_complete_max=8
	expect_clean
done
for option in --doorbell=wait --mem=mmap --mem=malloc --create_serialize=0 \
	--rate_iops=20000 --iodepth_batch_submit=16 \
	--bs=1m --bsrange=512-16k --fsync=4 --thinktime=10; do
	run_fio "$ram" --thread --rw=randrw --iodepth=16 --number_ios=1000 \
		"$option"
	expect_clean
done
run_fio "$ram" --rw=randwrite --bs=4k --iodepth=8 --verify=md5 \
	--verify_async=2 --verify_state_save=0
expect_clean
run_fio "$ram" --rw=randtrimwrite --bs=4k --iodepth=8
expect_clean

# more than the target lets us send at once works, and is said once
for thread in '' --thread; do
	run_fio "$ram" ${thread:+$thread} --numjobs=4 --rw=randread --bs=4k \
		--iodepth=2000 --group_reporting
	expect_status 0
	expect_report '.jobs[0].error == 0 and .jobs[0].read.total_ios == 4096'
	expect "said once" test "$(grep -c 'iodepth=2000 is more' "$work/err")" = 1
done

# threads share a session and its connections, processes do not (a session
# also counts its own commands, none of which writes)
for thread in '' --thread; do
	rm -f "$work/stats"
	run_fio "$ram" ${thread:+$thread} --numjobs=3 --rw=randwrite --bs=4k \
		--iodepth=4 "--stats_file=$work/stats" --time_based --runtime=1
	expect_clean
	expect "3 lines of counters" test "$(jq -c . "$work/stats" | wc -l)" = 3
	# shellcheck disable=SC2016
	expect "the session is shared by threads alone" jq -se \
		--arg thread "$thread" '
		if $thread == "" then
			all(.[]; .session.writes == .queue.writes)
		else
			([.[].queue.writes] | max) <
				([.[].session.writes] | max)
		end' "$work/stats"
done

# a doorbell that waits is one for several commands
for doorbell in now wait; do
	rm -f "$work/stats"
	run_fio "$ram" --rw=read --bs=4k --iodepth=64 --completion=self \
		"--doorbell=$doorbell" "--stats_file=$work/stats"
	expect_clean
	eval "$doorbell=$(jq .queue.doorbells "$work/stats")"
done
# shellcheck disable=SC2154
expect "fewer doorbells: $wait, not $now" test "$((wait * 2))" -lt "$now"

# a URL with characters that are fio's, in a file: %3b for ;
truncate -s 1M "$work/a b;c:d[1]%2"
cat >"$work/odd.fio" <<-EOT
	[odd]
	ioengine=external:$engine
	target=demo://$work/a%20b%3bc:d[1]%252
	rw=read
	bs=64k
EOT
run fio "$work/odd.fio" --output-format=json
only_json
expect_clean

# status reports in between are JSON, each of them
run_fio "$ram" --rw=randread --bs=4k --iodepth=4 --time_based --runtime=3 \
	--status-interval=1
expect_clean
expect "several reports" test "$(grep -c '^{$' "$work/out")" -ge 2
expect "all JSON" jq -e . "$work/out"

# ---- nothing is touched: a folder that takes no files, a file in the way
(cd /sys && fio --name=job "--ioengine=external:$engine" "$ram" --rw=write \
	--bs=4k --output-format=json) >"$work/out" 2>"$work/err"
run_status=$?
only_json
expect_clean
run_fio "$ram" --rw=write --bs=4k --filename=some/file
expect_status 0
expect_err 'filename=some/file is not used'
expect_empty_folder

# ---- without a login
run fio --name=job "--ioengine=external:$engine" --target=demo://nowhere \
	--rw=read --parse-only
expect_status 0
run fio --name=job "--ioengine=external:$engine" --target=demo://nowhere \
	--rw=read --showcmd
expect_status 0
run fio "--enghelp=$engine"
expect_status 0
for key in target stats_file doorbell completion io_timeout lun id_ext; do
	expect_out "^$key +:"
done

# ---- what is refused: one sentence, a report, no file
refused() { # ERE OPTION...
	local sentence=$1
	shift
	run_fio "$@"
	expect_status 1
	expect_err "^srpi: job: $sentence"
	expect "one sentence" test "$(grep -c srpi: "$work/err")" = 1
	expect_empty_folder
}
refused 'target=URL is missing' --rw=read
refused 'demo://nowhere is not known' --target=demo://nowhere --rw=read
refused 'completion=never is not known' "$ram" --completion=never --rw=read
refused 'bs=1000 is not a multiple of the block' "$ram" --rw=read --bs=1000
refused 'bs=512 is not a multiple of the block' \
	'--target=demo://ram?block=4096' --rw=write --bs=512
refused 'offset=100 is not a multiple' "$ram" --rw=read --offset=100
refused 'LUN 0 is write protected' "$ram&ro=yes" --rw=randrw
refused 'offset=0 and size=.* reach past the end' "$ram" --rw=read --size=8M
refused 'a job works on one LUN' "$ram" --rw=read --nrfiles=2

run_fio "$ram" --rw=read --io_submit_mode=offload
expect "fio refuses" test "$run_status" -ne 0
expect_err "can't be used with offloaded submit"
expect_empty_folder

# An I/O that fails: LUN, offset, length and the sense in words.
truncate -s 1M "$work/short"
run fio --name=job "--ioengine=external:$engine" \
	"--target=demo://$work/short" --rw=read --bs=4k \
	"--exec_prerun=truncate -s 0 $work/short"
rm -f job.prerun.txt
expect_status 1
expect_err 'Read\(10\) of LUN 0, offset 0, 4096 bytes: .*MEDIUM ERROR'
expect_empty_folder

# ---- an engine for another fio says so before fio refuses it
version=$(fio --version)
other=fio-9${version#fio-?}
sed "s/$version\\x00/$other\\x00/g" "$engine" >"$work/other.so"
run fio --name=job "--ioengine=external:$work/other.so" "$ram" --rw=read
expect "fio fails" test "$run_status" -ne 0
expect_err "this is $version, and the engine was built for $other"
expect "its one symbol" test \
	"$(nm -D --defined-only "$engine" | awk '{ print $3 }')" = ioengine
