#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# Every file that can hold a comment says its licence in its first line, a
# script in its second.
# shellcheck source=tests/lint/lint.sh
. "$(dirname "$0")/lint.sh"

licence='SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB'
c_line="/* $licence */"

# A name without a dot that begins with #! is a script.
is_text() {
	case ${1##*/} in
	*.[ch] | *.map | *.sh | *.mk | *.am | *.ac | *.m4 | *.in | *.py) ;;
	*.fio | *.ini | *.awk | *.[1-8]) ;;
	*.*) return 1 ;;
	*) [ "$(head -c 2 "$lint_tree/$1" | tr -d '\0')" = '#!' ] ;;
	esac
}

for file in $(lint_files examples src include tests scripts bench etc man .ci \
	m4/srpd.m4 autogen.sh configure.ac Makefile.am run.in -- \
	! -path '*/.libs/*' ! -path '*/.deps/*' \
	! -path 'tests/fuzz/seeds/*'); do
	is_text "$file" || continue
	first=$(head -n 1 "$lint_tree/$file" | tr -d '\0')
	case $file in
	*.[ch]) [ "$first" = "$c_line" ] && continue ;;
	*)
		[[ $first != '#!'* ]] ||
			first=$(sed -n 2p "$lint_tree/$file")
		[[ $first == *"$licence"* ]] && continue
		;;
	esac
	complain "$file does not begin with $licence"
done
lint_finish
