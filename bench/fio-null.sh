#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# fio-null.sh [-p PAIRS] [-t SECONDS] [-b BATCH] [-j FILE] [-c] [BUILD]
#
# What is left of fio's own speed when its I/O are SCSI commands: one job,
# depth 64, completion=self, --gtod_reduce=1, against fio's `null` engine,
# which does nothing. BUILD is the build tree, else the current folder.
#
#	full	demo://null		the target moves 4 KiB a command
#	none	demo://null?data=none	it does not
#
# A pair is four runs of SECONDS (1) in the order null, ours, ours, null,
# which takes out a drift; its ratio is of the sums. Two ratios are given: of
# I/Os per second, and of I/Os per second of CPU time, which does not mind
# who else runs on the machine. The median of PAIRS (10), with the lowest and
# highest but one, which enclose the true median of ten with 98 % confidence.
# With -b, BATCH I/Os to a doorbell for both: fio hands over as many as
# --iodepth_batch_submit says before it calls the engine's commit(), and takes
# as many completions at once as --iodepth_batch_complete_max. Without it fio's
# own setting holds, one. Larger batches spare `null` more than they spare us,
# since most of what it costs is calls of the engine: its ratio is lower.
# With -c the exit status is 1 when a median of I/Os per CPU second is below
# what is wanted: 0.45 full, 0.55 none.
set -euo pipefail

pairs=10 seconds=1 batch=1 json='' check=no
while getopts p:t:b:j:c opt; do
	case $opt in
	p) pairs=$OPTARG ;;
	t) seconds=$OPTARG ;;
	b) batch=$OPTARG ;;
	j) json=$OPTARG ;;
	c) check=yes ;;
	*) sed -n 's/^# \(fio-null.sh .*\)/usage: \1/p' "$0" >&2; exit 1 ;;
	esac
done
shift $((OPTIND - 1))
build=$(realpath "${1:-.}")
engine=$build/src/fio/.libs/libfio-srpi.so
if [ ! -e "$engine" ]; then
	echo "no $engine: configure --with-fio=\"\$(scripts/fio-source)\"" >&2
	exit 3
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

batching=()
[ "$batch" = 1 ] || batching=("--iodepth_batch_submit=$batch"
	--iodepth_batch_complete_min=1 "--iodepth_batch_complete_max=$batch")

# fio_run NAME OPTION...: I/Os and CPU seconds of one run go to NAME.runs.
fio_run() {
	local name=$1
	shift
	fio --name=job "$@" --rw=randread --bs=4k --size=1G --thread \
		--iodepth=64 "${batching[@]}" --gtod_reduce=1 \
		--time_based "--runtime=$seconds" --output-format=json |
		sed -n '/^{$/,$p' | jq -c '.jobs[0] | {ios: .read.total_ios,
			seconds: (.read.runtime / 1000),
			cpu: ((.usr_cpu + .sys_cpu) * .job_runtime / 100000)}' \
		>>"$name.runs"
}

null_run() {
	fio_run null --ioengine=null
}

ours_run() { # URL
	fio_run ours "--ioengine=external:$engine" "--target=$1" \
		--completion=self
}

# one_pair NAME URL: its two ratios, appended to NAME.
one_pair() {
	rm -f null.runs ours.runs
	null_run
	ours_run "$2"
	ours_run "$2"
	null_run
	jq -nc --slurpfile null null.runs --slurpfile ours ours.runs '
		def sum(f): map(f) | add;
		def rate(f): sum(.ios) / sum(f);
		{iops: (($ours | rate(.seconds)) / ($null | rate(.seconds))),
		 per_cpu: (($ours | rate(.cpu)) / ($null | rate(.cpu))),
		 ours_iops: ($ours | rate(.seconds)),
		 null_iops: ($null | rate(.seconds))}' >>"$1"
}

# shellcheck disable=SC2016
summary='def median: sort | (.[(length - 1) / 2 | floor] +
		.[length / 2 | floor]) / 2;
	def low: sort | .[if length > 4 then 1 else 0 end];
	def high: sort | .[length - (if length > 4 then 2 else 1 end)];
	def of(f): map(f) | {median: median, low: low, high: high};
	{target: $url, wanted: $wanted, pairs: length,
	 per_cpu: of(.per_cpu), iops: of(.iops),
	 ours_iops: (map(.ours_iops) | median),
	 null_iops: (map(.null_iops) | median)}'

urls=('demo://null' 'demo://null?data=none')
wanted=(0.45 0.55)
for ((pair = 0; pair < pairs; pair++)); do
	for i in 0 1; do
		one_pair "pairs.$i" "${urls[i]}"
	done
done
for i in 0 1; do
	jq -s --arg url "${urls[i]}" --argjson wanted "${wanted[i]}" \
		"$summary" "pairs.$i"
done | jq -s '{batch: $batch, rows: .}' --argjson batch "$batch" >result.json
[ -z "$json" ] || cp result.json "$json"

echo "fio to fio's null engine, $pairs pairs, depth 64, $batch to a doorbell"
jq -r '.rows[] | [.target, .per_cpu.median, .per_cpu.low, .per_cpu.high,
	.iops.median, .iops.low, .iops.high, .ours_iops, .null_iops, .wanted] |
	@tsv' result.json |
	while IFS=$'\t' read -ra row; do
		printf '%-22s per CPU second %.2f (%.2f to %.2f), per second %.2f (%.2f to %.2f)  %9.0f : %9.0f IOPS, wanted %.2f\n' \
			"${row[@]}"
	done
[ "$check" = no ] ||
	jq -e 'all(.rows[]; .per_cpu.median >= .wanted)' result.json >/dev/null
