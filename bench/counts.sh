#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# counts.sh [-m MODE] [-d] [-- OPTION...]
#
# What a read costs in calls, by completion mode, queues and depth, as a table
# in Markdown: once with the target in the reader's own thread (softirq), once
# in a thread of its own, where a reader really waits. Depths 1, 32 and 256 and
# 1 and 8 queues are shown; -d shows all. OPTIONs go to srpbench counts.
# The exit status is 6 when there is more than there must be.
#
# Run it in the build tree; top_builddir says where that is otherwise.
set -euo pipefail

mode='' all=no
usage() {
	sed -n 's/^# \(counts.sh .*\)/usage: \1/p' "$0" >&2
	exit "$1"
}
while getopts m:dh opt; do
	case $opt in
	m) mode=$OPTARG ;;
	d) all=yes ;;
	h) usage 0 ;;
	*) usage 1 ;;
	esac
done
shift $((OPTIND - 1))

srpbench=${top_builddir:-.}/src/bench/srpbench
[ -x "$srpbench" ] || {
	echo "counts.sh: $srpbench is not there: build first, or set" \
		"top_builddir" >&2
	exit 3
}

worst=0
for irqmode in softirq thread; do
	rc=0
	result=$("$srpbench" counts --check --json --irqmode "$irqmode" \
		${mode:+--completion "$mode"} "$@") || rc=$?
	[ $rc -eq 0 ] || [ $rc -eq 6 ] || exit $rc
	[ $rc -eq 0 ] || worst=$rc
	echo "Per read, irqmode=$irqmode:"
	echo
	jq -r --arg all $all '
		def n: . * 1000 | round / 1000;
		"| completion | queues | depth | doorbells | receive doorbells | arms | events | wake-ups | polls |",
		"|---|--:|--:|--:|--:|--:|--:|--:|--:|",
		(.rows[] | select($all == "yes" or
			((.depth == 1 or .depth == 32 or .depth == 256) and
			 (.queues == 1 or .queues == 8))) |
		"| \(.completion) | \(.queues) | \(.depth) | \(.doorbells | n) | \(.recv_doorbells | n) | \(.arms | n) | \(.events | n) | \(.wakeups | n) | \(.polls | n) |")
		' <<<"$result"
	echo
done
exit $worst
