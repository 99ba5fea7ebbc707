#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# Reports functions over 80 lines, files over 600, lines over 100 columns,
# functions of more than 6 parameters, stems without a unit test, and the
# medians. A report: review decides. With --strict what is over fails.
# shellcheck source=tests/lint/lint.sh
. "$(dirname "$0")/lint.sh"

# Reads C files in the tree's layout: a definition's name and its closing
# brace are in the first column. Prints "lines file name parameters".
# shellcheck disable=SC2016
functions='
FNR == 1 { name = "" }
/^[a-z_][a-z0-9_]*\(/ && !name {
	name = $0
	sub(/\(.*/, "", name)
	start = FNR
	head = ""
	open = 1
}
name && open {
	head = head $0
	if (/^{/)
		open = 0
	else if (/;[ \t]*$/)
		name = ""
}
name && /^}/ {
	sub(/^[^(]*\(/, "", head)
	sub(/\)[^)]*$/, "", head)
	nr = gsub(/,/, ",", head) + 1
	print FNR - start + 1, FILENAME, name, nr
	name = ""
}
'
# shellcheck disable=SC2016
columns='{
	line = $0
	while (i = index(line, "\t"))
		sub(/\t/, substr("        ", (i - 1) % 8 + 1), line)
	if (length(line) > 100)
		printf "%s:%d: %d columns\n", FILENAME, FNR, length(line)
}'

quantile() { # fraction; numbers on stdin
	sort -n | awk -v q="$1" '{ v[NR] = $1 }
		END { i = int(NR * q) + 1
			if (i > NR)
				i = NR
			print v[i] + 0 }'
}

sources=$(lint_files src include -- -name '*.[ch]')
if [ -z "$sources" ]; then
	complain "no sources below $lint_tree"
	lint_finish
fi
cd "$lint_tree"
# File names of the tree hold no spaces.
# shellcheck disable=SC2086
{
	sizes=$(awk "$functions" $sources)
	file_sizes=$(wc -l $sources | grep -v ' total$' || true)
	wide=$(awk "$columns" $sources)
}
over=$(
	awk '$1 > 80 { printf "%s: %s() has %d lines\n", $2, $3, $1 }
		$4 > 6 { printf "%s: %s() has %d parameters\n", $2, $3, $4 }' \
		<<<"$sizes"
	# A header of wire layouts is as long as its standard.
	awk '$1 > 600 && $2 !~ /^src\/wire\/.*\.h$/ {
		printf "%s: %d lines\n", $2, $1 }' <<<"$file_sizes"
	[ -z "$wide" ] || echo "$wide"
)
for file in $(lint_files src -- -name '*.c'); do
	stem=$(basename "$file" .c)
	case $file in
	src/bench/* | src/fio/*) continue ;;
	esac
	[ -e "tests/unit/test_$stem.c" ] ||
		echo "$file: no tests/unit/test_$stem.c"
done

source_lines=$(lint_files src include -- -name '*.[ch]' |
	xargs cat | wc -l)
test_lines=$(lint_files tests -- -name '*.[ch]' -o -name '*.sh' |
	xargs -r cat | wc -l)
printf 'functions: median %d lines, p90 %d; ' \
	"$(quantile 0.5 <<<"$sizes")" "$(quantile 0.9 <<<"$sizes")"
printf '.c files: median %d lines\n' \
	"$(grep '\.c$' <<<"$file_sizes" | quantile 0.5)"
awk -v s="$source_lines" -v t="$test_lines" 'BEGIN {
	printf "%d source lines, %d test lines, %.2f to 1\n", s, t, s ? t / s : 0 }'

if [ -n "$over" ]; then
	echo "$over"
	[ "${1:-}" != --strict ] || complain "over the limit"
fi
lint_finish
