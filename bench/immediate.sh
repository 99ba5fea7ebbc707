#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# immediate.sh [-p PAIRS] [-n COUNT] [-c MODE] [-j FILE] [URL]
#
# Writes of 512 bytes to 8 KiB to the LUN of URL, one at a time, with and
# without imm_data: is it faster to send the data with the command, or to let
# the target fetch it? URL is demo://null unless given; the LUN is written to.
#
# Each row is PAIRS (7) ratios of median latencies, without to with, each of
# COUNT (2000) writes in the order with, without, without, with, which takes out
# a drift. The lowest and highest of seven enclose the true median with 98 %
# confidence: both above 1, imm_data is faster; both below, slower. Medians,
# since on a busy machine the mean is made by a few waits for a CPU. -j writes
# every figure as JSON.
#
# Runs with srplat in PATH, or else in the build tree that top_builddir names.
set -euo pipefail

pairs=7 count=2000 mode=self json=''
usage() {
	sed -n 's/^# \(immediate.sh .*\)/usage: \1/p' "$0" >&2
	exit "$1"
}
while getopts p:n:c:j:h opt; do
	case $opt in
	p) pairs=$OPTARG ;;
	n) count=$OPTARG ;;
	c) mode=$OPTARG ;;
	j) json=$OPTARG ;;
	h) usage 0 ;;
	*) usage 1 ;;
	esac
done
shift $((OPTIND - 1))
[ $# -le 1 ] || usage 1
url=${1:-'demo://null'}

srplat=$(command -v srplat || echo "${top_builddir:-.}/src/tools/srplat")
[ -x "$srplat" ] || {
	echo "immediate.sh: no srplat: build first, or set top_builddir" >&2
	exit 3
}
table=$(mktemp)
trap 'rm -f "$table"' EXIT

case $url in
*\?*) with="$url&imm_data=yes" without="$url&imm_data=no" ;;
*) with="$url?imm_data=yes" without="$url?imm_data=no" ;;
esac

median_ns() { # URL BYTES
	"$srplat" if=/dev/zero "of=$1" "bs=$2" "count=$count" \
		warmup=$((count / 10)) "completion=$mode" output=json \
		status=none | jq -e '.runs[0].latency_ns.p50'
}

for bs in 512 1024 2048 4096 8192; do
	for _ in $(seq "$pairs"); do
		a=$(median_ns "$with" $bs)
		b=$(median_ns "$without" $bs)
		c=$(median_ns "$without" $bs)
		d=$(median_ns "$with" $bs)
		echo "$bs $a $b $c $d" >>"$table"
	done
done

result=$(jq -Rn --arg url "$url" --arg mode "$mode" '
	def median: sort | .[((length - 1) / 2 | floor)] / 2 +
		.[(length / 2 | floor)] / 2;
	[inputs | split(" ") | map(tonumber) |
		{bs: .[0], with: ((.[1] + .[4]) / 2),
		 without: ((.[2] + .[3]) / 2)}] |
	{target: $url, completion: $mode, rows: (group_by(.bs) | map({
		bs: .[0].bs, with_ns: map(.with),
		without_ns: map(.without),
		ratios: map(.without / .with)} |
		. + {with_median_ns: (.with_ns | median),
		     without_median_ns: (.without_ns | median),
		     median: (.ratios | median),
		     min: (.ratios | min), max: (.ratios | max)}))}' <"$table")
echo "# median ns of a write with imm_data=yes and =no, $url, $mode; $pairs pairs"
printf '# %6s %10s %10s %8s %8s %8s\n' bytes with without median min max
jq -r '.rows[] | [.bs, .with_median_ns, .without_median_ns, .median,
	.min, .max] | @tsv' <<<"$result" |
	while read -r bs a b median min max; do
		printf '  %6s %10.0f %10.0f %8.2f %8.2f %8.2f\n' \
			"$bs" "$a" "$b" "$median" "$min" "$max"
	done
[ -z "$json" ] || echo "$result" >"$json"
