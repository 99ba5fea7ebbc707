#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# libsrpi.so exports what srpi.h declares, all of it and nothing else.
# shellcheck source=tests/lint/lint.sh
. "$(dirname "$0")/lint.sh"

header=include/srpi/srpi.h
library=$lint_objs/src/lib/.libs/libsrpi.so

declared() {
	lint_code $header | grep -oE '\<srpi_[a-z0-9_]+\(' | tr -d '(' | sort -u
}

exported() {
	nm -D --defined-only "$library" | sed 's/@.*//' |
		awk '$2 != "A" { print $3 }' | sort -u
}

if [ ! -e "$library" ]; then
	complain "src/lib/libsrpi.so is not built"
	lint_finish
fi
while read -r name; do
	complain "$header declares $name(), which libsrpi.so does not export"
done < <(comm -23 <(declared) <(exported))
while read -r name; do
	complain "libsrpi.so exports $name, which $header does not declare"
done < <(comm -13 <(declared) <(exported))
lint_finish
