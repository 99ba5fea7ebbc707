#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# instructions.sh [-b BENCHMARK] [-n EXCHANGES] [-m MAXIMUM] [-- OPTION...]
#
# Instructions per exchange of an srpbench benchmark (pingpong), by callgrind:
# two runs of different length are subtracted, so that set-up cancels out. The
# table says which folder of src/ they were spent in; libc is almost all the
# copying of data. OPTIONs go to srpbench, for example --depth 1.
# With -m the exit status is 1 when there are more than MAXIMUM.
#
# Run it in the build tree; top_builddir says where that is otherwise.
set -euo pipefail

benchmark=pingpong exchanges=20000 maximum=''
usage() {
	sed -n 's/^# \(instructions.sh .*\)/usage: \1/p' "$0" >&2
	exit "$1"
}
while getopts b:n:m:h opt; do
	case $opt in
	b) benchmark=$OPTARG ;;
	n) exchanges=$OPTARG ;;
	m) maximum=$OPTARG ;;
	h) usage 0 ;;
	*) usage 1 ;;
	esac
done
shift $((OPTIND - 1))

srpbench=${top_builddir:-.}/src/bench/srpbench
[ -x "$srpbench" ] || {
	echo "instructions.sh: $srpbench is not there: build first, or set" \
		"top_builddir" >&2
	exit 3
}
command -v callgrind_annotate >/dev/null || {
	echo "instructions.sh: callgrind_annotate is not there: install" \
		"valgrind" >&2
	exit 3
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# One run: "instructions folder" per line into $work/NR.
profile() { # NR OPTION...
	local nr=$1
	shift
	valgrind --tool=callgrind --callgrind-out-file="$work/out" \
		"$srpbench" "$benchmark" --exchanges "$nr" "$@" \
		>"$work/log" 2>&1 || {
		cat "$work/log" >&2
		exit 5
	}
	callgrind_annotate --threshold=100 --auto=no --show-percs=no \
		"$work/out" | tr -d , |
		awk '$1 ~ /^[0-9]+$/ && $2 ~ /:/ {
			where = "other"
			if ($2 ~ /src\/[a-z]+\//) {
				where = $2
				sub(/.*src\//, "", where)
				sub(/\/.*/, "", where)
			} else if ($0 ~ /libc|\/string\/|multiarch|mem(cpy|move|set)/) {
				where = "libc"
			}
			sum[where] += $1
		} END { for (w in sum) print w, sum[w] }' >"$work/$nr"
}

long=$((exchanges * 2))
profile "$exchanges" "$@"
profile "$long" "$@"

awk -v n="$exchanges" -v max="$maximum" -v what="$benchmark $*" '
	NR == FNR { short[$1] = $2; next }
	{ long[$1] = $2 }
	END {
		for (w in long) {
			each = (long[w] - short[w]) / n
			total += each
			if (each >= 0.5)
				line[w] = sprintf("%-10s %8.1f", w, each)
		}
		printf "%s: %.1f instructions an exchange\n", what, total
		for (w in line)
			print line[w] | "sort -k2 -rn"
		close("sort -k2 -rn")
		if (max != "" && total > max) {
			printf "more than %s\n", max
			exit 1
		}
	}' "$work/$exchanges" "$work/$long"
