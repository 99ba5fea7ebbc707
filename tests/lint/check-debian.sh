#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# What the packaging says again is what the sources say: the version, the
# symbols of the library, the files that the tarball must have.
# shellcheck source=tests/lint/lint.sh
. "$(dirname "$0")/lint.sh"

map=src/lib/libsrpi.map
symbols=debian/libsrpi1.symbols

# A tree without packaging has nothing to say.
[ -e "$lint_tree/debian/control" ] || lint_finish

version=$(sed -nE 's/^AC_INIT\(\[[^]]*\], \[([^]]*)\].*/\1/p' \
	"$lint_tree/configure.ac")
packaged=$(sed -nE '1s/^[^ ]+ \(([^)]*)\).*/\1/p' \
	"$lint_tree/debian/changelog")
[ "$version" = "$packaged" ] || complain \
	"debian/changelog begins with $packaged, configure.ac has $version"

exported() {
	sed -n '/global:/,/local:/{/:/!p}' "$lint_tree/$map" |
		tr -d '\t ;' | sort
}

listed() {
	sed -nE 's/^ (srpi_[a-z0-9_]+)@.*/\1/p' "$lint_tree/$symbols" | sort
}

while read -r name; do
	complain "$symbols lacks $name, which $map has"
done < <(comm -23 <(exported) <(listed))
while read -r name; do
	complain "$symbols has $name, which $map does not"
done < <(comm -13 <(exported) <(listed))

for file in $(lint_files debian -- ! -name '*.log' ! -name '*.substvars' \
	! -path 'debian/tmp/*' ! -path 'debian/.debhelper/*' \
	! -path 'debian/*/DEBIAN/*' ! -path 'debian/*/usr/*' \
	! -path 'debian/*/etc/*' ! -path 'debian/*/lib/*' \
	! -name 'autoreconf.*' ! -name debhelper-build-stamp ! -name files); do
	grep -qE "(^|[[:space:]])$file([[:space:]]|\$)" \
		"$lint_tree/Makefile.am" ||
		complain "$file is not in Makefile.am"
done
lint_finish
