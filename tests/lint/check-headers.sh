#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# Each header compiles alone and twice. The public one also does so without
# src/ and our feature macros, as strict C11 and as C++.
# shellcheck source=tests/lint/lint.sh
. "$(dirname "$0")/lint.sh"

compile() { # header command...
	local header=$1 output
	shift
	output=$(printf '#include "%s"\n#include "%s"\n' "$header" "$header" |
		"$@" -fsyntax-only -Wall -Wextra -Werror - 2>&1) ||
		complain "$header does not compile alone ($*):"$'\n'"$output"
}

# CC may hold options.
read -ra cc <<<"${CC:-cc}"
read -ra cxx <<<"${CXX:-c++}"
internal=(-x c -std=gnu11 -D_GNU_SOURCE -I"$lint_tree/src"
	-I"$lint_tree/include" -I"$lint_objs")
public=(-I"$lint_tree/include")

for file in $(lint_files src -- -name '*.h'); do
	# fio's own headers are not part of this tree.
	[[ $file != src/fio/* ]] || continue
	compile "${file#src/}" "${cc[@]}" "${internal[@]}"
done
for file in $(lint_files include -- -name '*.h'); do
	header=${file#include/}
	compile "$header" "${cc[@]}" -x c -std=c11 -pedantic "${public[@]}"
	compile "$header" "${cxx[@]}" -x c++ -std=c++11 "${public[@]}"
done
lint_finish
