#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# interop-ratios.sh [-p PAIRS] [-j FILE] [-c]
#
# Runs in the guest of tests/interop, once its target is set up: our programs
# and the kernel's ib_srp read the same LUN, LIO's null LUN 1, in turn.
#
#	depth1_512	srplat bs=512     : dd iflag=direct bs=512 on ib_srp
#	depth1_4096	srplat bs=4k      : dd iflag=direct bs=4k
#	depth32_4096	srpbench loopback : the better of fio with libaio and
#					    with io_uring, depth 32, on ib_srp
#	same_dd_4096	dd : dd, what two equal runs differ by here
#
# Absolute figures move with the machine, so each row is PAIRS (5) ratios of
# I/O rates, each of runs next to each other in the order ours, peer, peer,
# ours, which takes out a drift. The lowest and highest of five ratios enclose
# the true median with 94 % confidence. -j writes every figure as JSON; with -c
# the exit status is 1 when a median is below what is wanted.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
# shellcheck source=tests/interop/lio.sh
. "$here/../tests/interop/lio.sh"

pairs=5 json='' check=no
count=1500	# commands of one run at depth one
runtime=2	# seconds of one run at depth 32
table=/run/ratios.table

while getopts p:j:c opt; do
	case $opt in
	p) pairs=$OPTARG ;;
	j) json=$OPTARG ;;
	c) check=yes ;;
	*) sed -n 's/^# \(interop-ratios.sh .*\)/usage: \1/p' "$0" >&2; exit 2 ;;
	esac
done

# Each of these prints I/Os per second.
srplat_rate() { # BYTES
	srplat "if=$(url 1)" of=/dev/null "bs=$1" "count=$count" \
		completion=self output=json 2>/run/ratios.err |
		jq -e '.runs[0].iops'
}

dd_rate() { # BYTES
	LC_ALL=C dd "if=$disk" of=/dev/null "bs=$1" "count=$count" iflag=direct \
		2>&1 | awk -v n="$count" '/copied/ {
			for (i = 2; i <= NF; i++)
				if ($i == "s,")
					print n / $(i - 1)
		}'
}

loopback_rate() { # BYTES
	srpbench loopback --target "$(url 1)" --depth 32 --bs "$1" \
		--runtime $runtime --json 2>/run/ratios.err | jq -e .iops
}

fio_rate() { # ENGINE BYTES
	fio --name=peer "--filename=$disk" "--ioengine=$1" --direct=1 \
		--rw=read "--bs=$2" --iodepth=32 --runtime=$runtime \
		--time_based --output-format=json --output=/run/ratios.fio \
		>/dev/null
	jq -e '.jobs[0].read.iops' /run/ratios.fio
}

# mean A B: of two rates over the same number of I/Os or the same time
mean() { awk -v a="$1" -v b="$2" 'BEGIN { print (a + b) / 2 }'; }
larger() { awk -v a="$1" -v b="$2" 'BEGIN { print (a > b) ? a : b }'; }

# row NAME WANTED OURS PEER: commands; WANTED 0 = only shown
row() {
	local i ours ours_again peer peer_again
	for i in $(seq "$pairs"); do
		ours=$($3)
		peer=$($4)
		peer_again=$($4)
		ours_again=$($3)
		ours=$(mean "$ours" "$ours_again")
		peer=$(mean "$peer" "$peer_again")
		echo "$1 $2 $ours $peer" >>$table
		echo "interop-ratios: $1 pair $i: $ours $peer" >&2
	done
}

# The same with two peers, of which the better counts in each pair.
row_of_two() { # NAME WANTED OURS PEER_A PEER_B
	local i ours ours_again a a_again b b_again
	for i in $(seq "$pairs"); do
		ours=$($3)
		a=$($4)
		b=$($5)
		b_again=$($5)
		a_again=$($4)
		ours_again=$($3)
		ours=$(mean "$ours" "$ours_again")
		a=$(mean "$a" "$a_again")
		b=$(mean "$b" "$b_again")
		echo "$1 $2 $ours $(larger "$a" "$b")" >>$table
		echo "interop-ratios: $1 pair $i: $ours $a $b" >&2
	done
}

# The rows of the table as JSON, with the median and spread of the ratios.
summary() {
	jq -Rn --arg kernel "$(uname -r)" --arg cpus "$(nproc)" \
		--arg clock "$(cat /sys/devices/system/clocksource/clocksource0/current_clocksource)" '
	def median: sort | .[((length - 1) / 2 | floor)] / 2 +
		.[(length / 2 | floor)] / 2;
	[inputs | split(" ") | {name: .[0], wanted: (.[1] | tonumber),
		ours: (.[2] | tonumber), peer: (.[3] | tonumber)}] |
	{kernel: $kernel, cpus: ($cpus | tonumber), clocksource: $clock,
	 rows: (group_by(.name) | map({
		name: .[0].name, wanted: .[0].wanted,
		ours_iops: map(.ours), peer_iops: map(.peer),
		ratios: map(.ours / .peer)} |
		. + {ours_median_iops: (.ours_iops | median),
		     peer_median_iops: (.peer_iops | median),
		     median: (.ratios | median),
		     min: (.ratios | min), max: (.ratios | max)} |
		. + {met: (.median >= .wanted)}))}' <$table
}

show() {
	echo "# ratio of I/O rates, ours to the kernel's ib_srp; $pairs interleaved pairs"
	printf '# %-14s %9s %9s %8s %8s %8s %8s\n' row ours/s peer/s median \
		min max wanted
	jq -r '.rows[] | [.name, .ours_median_iops, .peer_median_iops, .median,
		.min, .max, .wanted, .met] | @tsv' <<<"$1" |
	while read -r name ours peer median min max wanted met; do
		printf '  %-14s %9.0f %9.0f %8.2f %8.2f %8.2f %8s%s\n' "$name" \
			"$ours" "$peer" "$median" "$min" "$max" \
			"$([ "$wanted" = 0 ] && echo - || echo "$wanted")" \
			"$([ "$met" = true ] || echo '  below')"
	done
}

GUID=$(sed s/^0x// /sys/module/ib_srpt/parameters/srpt_service_guid)
peer_login 0000000000000001
trap peer_logout EXIT
disk=$(peer_disk 1)
echo none >"/sys/block/${disk##*/}/queue/scheduler"
: >$table

row depth1_512 1.3 "srplat_rate 512" "dd_rate 512"
row depth1_4096 1.2 "srplat_rate 4096" "dd_rate 4096"
row_of_two depth32_4096 1.2 "loopback_rate 4096" \
	"fio_rate libaio 4096" "fio_rate io_uring 4096"
row same_dd_4096 0 "dd_rate 4096" "dd_rate 4096"

result=$(summary)
show "$result"
[ -z "$json" ] || echo "$result" >"$json"
[ $check = no ] || jq -e '[.rows[].met] | all' <<<"$result" >/dev/null
