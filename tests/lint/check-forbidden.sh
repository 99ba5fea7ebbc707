#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# Calls that cannot be used safely, and words that say a thing is unfinished.
# shellcheck source=tests/lint/lint.sh
. "$(dirname "$0")/lint.sh"

calls='strcpy|strncpy|strcat|strncat|sprintf|vsprintf|atoi|atol|atoll|strtok'
calls="$calls|alloca|gets"

for file in $(lint_files examples src include tests bench -- -name '*.[ch]'); do
	for call in $(lint_code "$file" |
		grep -oE "(^|[^A-Za-z0-9_>.])($calls) *\(" |
		grep -oE "$calls" | sort -u); do
		complain "$file calls $call"
	done
done

# The rules themselves have to name the words.
words='(^|[^A-Za-z0-9_])(TODO|FIXME|XXX)([^A-Za-z0-9_]|$)'
for file in $(lint_files examples src include tests scripts bench etc man doc \
	m4/srpd.m4 configure.ac Makefile.am README.md CONTRIBUTING.md run.in -- \
	! -path 'tests/lint/*' ! -path 'tests/fuzz/seeds/*' ! -name '*.log' \
	! -name '*.o' ! -name '*.lo' ! -path '*/.libs/*' ! -path '*/.deps/*'); do
	line=$(grep -nIE -m 1 "$words" "$lint_tree/$file") ||
		continue
	complain "$file:$line"
done
lint_finish
