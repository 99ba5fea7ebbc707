#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# Every source, header and script is named in a .mk file: one that is not is
# neither built nor shipped.
# shellcheck source=tests/lint/lint.sh
. "$(dirname "$0")/lint.sh"

lists=$(lint_files examples src tests scripts bench -- -name '*.mk' |
	while read -r file; do
		sed 's/#.*//' "$lint_tree/$file"
	done | tr -s ' \t\134' '\n')

# A program of one file is named without its .c.
is_listed() {
	grep -qxF -e "$1" -e "${1%.c}" <<<"$lists"
}

for file in $(lint_files examples src include tests scripts bench -- \
	-name '*.[ch]' -o -name '*.sh'); do
	is_listed "$file" || complain "$file is in no .mk file"
done
lint_finish
