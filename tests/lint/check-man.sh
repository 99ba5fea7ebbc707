#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# Every program has a manual page; pages are clean under mandoc and refer only
# to pages that exist; srpi.3 has all that libsrpi.map and srpi.h have, and
# the example as it is in examples/. The run book quotes what programs say.
# shellcheck source=tests/lint/lint.sh
. "$(dirname "$0")/lint.sh"

header=include/srpi/srpi.h
map=src/lib/libsrpi.map
page=man/srpi.3
example=examples/srpi_read.c

# What mandoc can not know: whose system this is, and our pages before they
# are installed, which is checked below.
not_ours='operating system explicitly specified|referenced manual not found'

programs() {
	lint_files src -- -name '*.mk' | while read -r file; do
		sed 's/#.*//' "$lint_tree/$file"
	done | sed -nE 's/^s?bin_PROGRAMS *\+?= *//p' | tr ' ' '\n' |
		sed 's,.*/,,'
}

exported() {
	sed -n '/global:/,/local:/{/:/!p}' "$lint_tree/$map" | tr -d '\t ;'
}

documented() {
	sed -nE 's/^\.F[no] ([a-z0-9_]+).*/\1/p' "$lint_tree/$page" | sort -u
}

# Constants and members of structures that the header declares.
public_names() {
	lint_code "$header" | perl -0777 -ne '
		print "$1\n" while /\b(SRPI_(?!SRPI_H)[A-Z0-9_]+)/g;
		while (/struct srpi_\w+ \{(.*?)\};/gs) {
			for (split /;/, $1) {
				s/\[[^\]]*\]//g;
				print "$1\n" while /(\w+)\s*(?:,|$)/g;
			}
		}' | sort -u
}

# The example as the page has it, without mdoc's escapes.
shown() {
	sed -n '/^\.Bd -literal/,/^\.Ed/{/^\.[BE]d/!p}' "$lint_tree/$page" |
		sed 's/^\\&//; s/\\e/\\/g'
}

for program in $(programs); do
	[ -e "$lint_tree/man/$program.1" ] ||
		[ -e "$lint_tree/man/$program.8" ] ||
		complain "$program has no page in man/"
done

for file in $(lint_files man -- -name '*.[1-8]'); do
	grep -qE "(^|[[:space:]])$file([[:space:]]|\$)" \
		"$lint_tree/man/local.mk" ||
		complain "$file is not in man/local.mk"
	while read -r name section; do
		[ -e "$lint_tree/man/$name.$section" ] ||
			complain "$file refers to $name($section)"
	done < <(sed -nE 's/^\.(It )?Xr (srp[^ ]*) ([1-8]).*/\2 \3/p' \
		"$lint_tree/$file")
	[ -n "$(command -v mandoc)" ] || continue
	while read -r line; do
		complain "$line"
	done < <(cd "$lint_tree" && mandoc -Tlint -Wstyle "$file" 2>/dev/null |
		grep -vE "$not_ours")
done

while read -r name; do
	complain "$page lacks $name()"
done < <(comm -23 <(exported | sort -u) <(documented))
while read -r name; do
	complain "$page has $name(), which $map does not"
done < <(comm -13 <(exported | sort -u) <(documented))
while read -r name; do
	grep -qwE -- "$name" "$lint_tree/$page" ||
		complain "$page lacks $name, which $header declares"
done < <(public_names)
if [ -e "$lint_tree/$example" ]; then
	diff <(tail -n +2 "$lint_tree/$example") <(shown) >&2 ||
		complain "$page and $example differ"
fi

# What the run book says that programs say: the first column of its last table.
runbook=doc/runbook.md
quoted() {
	[ ! -e "$lint_tree/$runbook" ] ||
		sed -nE '/^## 9/,$s/^\| `([^`]*)`.*/\1/p' "$lint_tree/$runbook"
}

# All strings of the sources, each whole and on a line.
said=$(lint_files src -- -name '*.[ch]' | while read -r file; do
	perl -0777 -ne 's/"\s*(?:PRI\w+\s*)?"//g;
		print "$1\n" while /"((?:\\.|[^"\\\n])*)"/g' "$lint_tree/$file"
done)
while read -r text; do
	grep -qF -- "$text" <<<"$said" ||
		complain "$runbook has \"$text\", which no program says"
done < <(quoted)

if [ "$lint_nr_bad" -eq 0 ] && [ -z "$(command -v mandoc)" ]; then
	echo "mandoc is not installed"
	exit 77
fi
lint_finish
