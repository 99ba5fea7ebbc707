#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# libsrpi.map names every function that srpi.h declares, sorted, one a line,
# and nothing else: what is exported is what is promised.
# shellcheck source=tests/lint/lint.sh
. "$(dirname "$0")/lint.sh"

header=include/srpi/srpi.h
map=src/lib/libsrpi.map

declared=$(lint_code "$header" | grep -oE '\bsrpi_[a-z0-9_]+ ?\(' |
	tr -d ' (' | sort -u)
exported=$(sed -n '/global:/,/local:/{/:/!p}' "$lint_tree/$map" |
	tr -d '\t ;')

[ -n "$declared" ] || complain "$header declares no function"
[ "$exported" = "$(sort -u <<<"$exported")" ] ||
	complain "$map is not sorted, or has a name twice"
while read -r name; do
	complain "$map lacks $name, which $header declares"
done < <(comm -23 <(echo "$declared") <(sort -u <<<"$exported"))
while read -r name; do
	complain "$map exports $name, which $header does not declare"
done < <(comm -13 <(echo "$declared") <(sort -u <<<"$exported"))
lint_finish
