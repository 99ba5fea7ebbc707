# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# shellcheck shell=bash
#
# What the rules share; sourced. A rule complains once for each breach and
# ends with lint_finish, which fails if there were any. selftest.sh points
# LINT_TREE and LINT_OBJS at small trees that break each rule.

set -eu
export LC_ALL=C
lint_tree=${LINT_TREE:-${top_srcdir:-$(dirname "$0")/../..}}
lint_objs=${LINT_OBJS:-${top_builddir:-$lint_tree}}
lint_nr_bad=0

complain() {
	printf '%s: %s\n' "$(basename "$0" .sh)" "$*" >&2
	lint_nr_bad=$((lint_nr_bad + 1))
}

lint_finish() {
	[ "$lint_nr_bad" -eq 0 ] || exit 1
	exit 0
}

# lint_files DIR... -- FIND_TEST...: files below these folders of the tree,
# relative to it; folders that are not there are passed over.
lint_files() {
	local dirs=()
	while [ "$1" != -- ]; do
		[ ! -e "$lint_tree/$1" ] || dirs+=("$1")
		shift
	done
	shift
	[ ${#dirs[@]} -gt 0 ] || return 0
	(cd "$lint_tree" && find "${dirs[@]}" -type f \( "$@" \) | sort)
}

# lint_code FILE: the C file without its comments and the text of strings.
lint_code() {
	perl -0777 -pe '
		s{"(?:\\.|[^"\\])*"|(\x27(?:\\.|[^\x27\\])*\x27)|/\*.*?\*/|//[^\n]*}
		 {defined $1 ? $1 : substr($&, 0, 1) eq "\"" ? "\"\"" : " "}gse' \
		"$lint_tree/$1"
}

# lint_objects: objects built from src/, relative to the build tree. Where
# libtool made a PIC and a plain object, both.
lint_objects() {
	(cd "$lint_objs" && find src -name '*.o' | sort)
}

# in_table TABLE KEY VALUE: has the table a line "KEY ... VALUE ..." whose
# words, after the key, match the value as patterns? '#' starts a comment.
in_table() {
	local row word
	while read -ra row; do
		[ "${row[0]:-}" = "$2" ] || continue
		for word in "${row[@]:1}"; do
			[ "$word" != '#' ] || break
			# The word is a pattern on purpose.
			# shellcheck disable=SC2053
			[[ $3 != $word ]] || return 0
		done
	done <<<"$1"
	return 1
}
