#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# interop-ratios.sh [-p PAIRS] [-j FILE] [-c]
#
# Runs in the guest of tests/interop, once its target is set up: our programs
# and the kernel's ib_srp read the same LUN, LIO's null LUN 1, in turn.
#
#	512_inline 512_self	srplat bs=512 : dd iflag=direct bs=512 on ib_srp
#	4096_inline 4096_self	srplat bs=4k  : dd iflag=direct bs=4k
#	deep_4096		srpbench loopback, depth 32 : the better of fio
#				with libaio and with io_uring, depth 32
#	same_4096		dd : dd, what two equal runs differ by here
#
# Both modes of srplat, as self keeps a CPU busy while it waits: where the
# virtual machine has not got both of its CPUs for itself, self loses what the
# target would need, and inline does not.
#
# Absolute figures move with the machine, so each row is PAIRS (5) ratios of
# I/O rates. A pair is a handful of short runs of each side in the order ours,
# peer, peer, ours, ..., which takes out a drift, and the median of each side's
# runs, which leaves out some that the machine interrupted. The lowest and
# highest of five ratios enclose the true median with 94 % confidence. -j
# writes every figure as JSON; with -c the exit status is 1 when a median is
# below what is wanted, of srplat in both modes.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
# shellcheck source=tests/interop/lio.sh
. "$here/../tests/interop/lio.sh"

pairs=5 json='' check=no
count=500	# commands of one run at depth one
runtime=1	# seconds of one run at depth 32
runs=4		# of each side in one pair
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
srplat_rate() { # BYTES MODE
	srplat "if=$(url 1)" of=/dev/null "bs=$1" "count=$count" \
		"completion=$2" output=json 2>/run/ratios.err |
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

median() { # FILE
	jq -s 'sort | .[(length - 1) / 2 | floor] / 2 + .[length / 2 | floor] / 2' "$1"
}

# pair COMMAND...: the median rate of each, on one line
pair() {
	local i j
	rm -f /run/ratios.side.*
	for j in $(seq $runs); do
		for ((i = 1; i <= $#; i++)); do
			side=$((j % 2 ? i : $# + 1 - i))
			${!side} >>"/run/ratios.side.$side"
		done
	done
	for ((i = 1; i <= $#; i++)); do
		median "/run/ratios.side.$i"
	done | paste -sd ' '
}

# rows WANTED NAME=COMMAND... -- PEER...: a row for each name against the best
# peer of its pair. WANTED 0 = only shown
rows() {
	local wanted=$1 names=() commands=() rates i n best
	shift
	while [ "$1" != -- ]; do
		names+=("${1%%=*}")
		commands+=("${1#*=}")
		shift
	done
	shift
	for i in $(seq "$pairs"); do
		read -ra rates < <(pair "${commands[@]}" "$@")
		n=${#names[@]}
		echo "interop-ratios: pair $i: ${names[*]}: ${rates[*]}" >&2
		best=$(printf '%s\n' "${rates[@]:n}" | sort -g | tail -1)
		for ((n = 0; n < ${#names[@]}; n++)); do
			echo "${names[n]} $wanted ${rates[n]} $best"
		done
	done >>$table
}

# The rows of the table as JSON, with the median and spread of the ratios.
summary() {
	jq -Rn --arg kernel "$(uname -r)" --arg cpus "$(nproc)" \
		--arg clock "$(cat /sys/devices/system/clocksource/clocksource0/current_clocksource)" '
	def median: sort | .[(length - 1) / 2 | floor] / 2 +
		.[length / 2 | floor] / 2;
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
		. + {met: (.median >= .wanted)}))} |
	. + {met: [.rows | group_by(.name | split("_")[0])[] | any(.met)] | all}
	' <$table
}

show() {
	echo "# ratio of I/O rates, ours to the kernel's ib_srp; $pairs interleaved pairs"
	printf '# %-12s %9s %9s %8s %8s %8s %8s\n' row ours/s peer/s median \
		min max wanted
	jq -r '.rows[] | [.name, .ours_median_iops, .peer_median_iops, .median,
		.min, .max, .wanted, .met] | @tsv' <<<"$1" |
	while read -r name ours peer median min max wanted met; do
		printf '  %-12s %9.0f %9.0f %8.2f %8.2f %8.2f %8s%s\n' "$name" \
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

rows 1.3 "512_inline=srplat_rate 512 inline" \
	"512_self=srplat_rate 512 self" -- "dd_rate 512"
rows 1.2 "4096_inline=srplat_rate 4096 inline" \
	"4096_self=srplat_rate 4096 self" -- "dd_rate 4096"
rows 1.2 "deep_4096=loopback_rate 4096" -- \
	"fio_rate libaio 4096" "fio_rate io_uring 4096"
rows 0 "same_4096=dd_rate 4096" -- "dd_rate 4096"

result=$(summary)
show "$result"
[ -z "$json" ] || echo "$result" >"$json"
[ $check = no ] || jq -e .met <<<"$result" >/dev/null
