#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# Proves that each rule can fail: feeds it a small sound tree, which it must
# pass, then the same tree with one breach, which it must name.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset IO_DEBUG
cc=${CC:-cc}
nr_failed=0
spdx='SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB'
page='.Dd January 1, 2026\n.Dt GO 3\n.Os\n.Sh NAME\n.Nm go\n.Nd goes\n'

# put FILE TEXT: a file of the small tree, licence line first.
put() {
	mkdir -p "$(dirname "$work/tree/$1")"
	case $1 in
	*.[ch]) printf '/* %s */\n%b' "$spdx" "$2" >"$work/tree/$1" ;;
	*.[1-8]) printf '.\\" %s\n%b' "$spdx" "$2" >"$work/tree/$1" ;;
	*) printf '#!/bin/bash\n# %s\n%b' "$spdx" "$2" >"$work/tree/$1" ;;
	esac
}

# plain FILE TEXT: one that can not hold a comment.
plain() {
	mkdir -p "$(dirname "$work/tree/$1")"
	printf '%b' "$2" >"$work/tree/$1"
}

# compile FILE...: builds C files of the small tree, as make would.
compile() {
	local file
	for file; do
		# CC may hold options.
		# shellcheck disable=SC2086
		(cd "$work/tree" && $cc -w -c -Isrc "$file" -o "${file%.c}.o")
	done
}

sound_tree() {
	put include/srpi/srpi.h '#include <stdint.h>\nint srpi_x(uint8_t x);\n'
	put src/util/mem.h '#include <stddef.h>\nvoid mem_x(size_t n);\n'
	put src/util/mem.c '#include "util/mem.h"\nvoid\nmem_x(size_t n)\n{\n\t(void)n;\n}\n'
	put src/core/chan_io.c '#include "util/mem.h"\n/* strcpy() malloc() */\n// gets()\nconst char text[] = "\\" atoi() /*", quote = 0x27;\nvoid\nchan_io(void)\n{\n\tmem_x(1);\n}\n'
	put src/lib/open.h '#include "util/mem.h"\n'
	put src/target/target.h '#include "util/mem.h"\n'
	put src/fabric/fab.c 'int ibv_reg_mr(void);\nint\nfab_x(void)\n{\n\treturn ibv_reg_mr();\n}\n'
	put src/lib/libsrpi.map 'V {\n\tglobal:\n\t\tsrpi_x;\n\tlocal:\n\t\t*;\n};\n'
	put src/lib/open.c '#include <srpi/srpi.h>\nint\nsrpi_x(uint8_t x)\n{\n\treturn x;\n}\n'
	put scripts/go 'echo\n'
	put src/local.mk 'S = src/core/chan_io.c src/fabric/fab.c src/lib/open.c src/lib/open.h \\\n\tsrc/util/mem.c src/util/mem.h\n'
	put src/target/local.mk 'S = src/target/target.h include/srpi/srpi.h\n'
	put man/local.mk 'M = man/srpi.3 \\\n\tman/go.3 \\\n'
	put man/srpi.3 "$page.Sh SYNOPSIS\n.Ft int\n.Fn srpi_x \"uint8_t x\"\n"
	put man/go.3 "$page"
	put configure.ac 'AC_INIT([srpd], [1.2])\n'
	put Makefile.am 'D = debian/changelog debian/control \\\n\tdebian/libsrpi1.symbols \\\n'
	plain debian/control ''
	plain debian/changelog 'srpd (1.2) x; urgency=low\n'
	plain debian/libsrpi1.symbols 'libsrpi.so.1 libsrpi1\n srpi_x@V 1.2\n'
	compile src/util/mem.c src/core/chan_io.c src/fabric/fab.c
	mkdir -p "$work/tree/src/lib/.libs"
	# CC may hold options.
	# shellcheck disable=SC2086
	$cc -shared -fPIC -I"$work/tree/include" "$work/tree/src/lib/open.c" \
		-o "$work/tree/src/lib/.libs/libsrpi.so"
}

run_rule() { # rule [argument]
	LINT_TREE=$work/tree LINT_OBJS=$work/tree \
		bash "$here/$1.sh" ${2:+"$2"} >"$work/output" 2>&1
}

fail() {
	echo "FAIL: $*"
	sed 's/^/    /' "$work/output"
	nr_failed=$((nr_failed + 1))
}

option() { # rule: what makes a report fail
	[ "$1" != check-sizes ] || echo --strict
}

# breach RULE WHAT EXPECTED FILE TEXT: with FILE holding TEXT, RULE must fail
# and its message must hold EXPECTED.
breach() {
	rm -rf "$work/tree"
	cp -R "$work/sound" "$work/tree"
	case $4 in
	debian/*) plain "$4" "$5" ;;
	*) put "$4" "$5" ;;
	esac
	case $1:$4 in
	check-hot:* | check-verbs:*) compile "$4" ;;
	esac
	if run_rule "$1" "$(option "$1")"; then
		fail "$1 lets pass: $2"
	elif ! grep -qF -- "$3" "$work/output"; then
		fail "$1 does not name: $2"
	fi
}

lines() { # count text: the text that many times
	local i
	for ((i = 0; i < $1; i++)); do
		printf '%s' "$2"
	done
}

sound_tree
for path in "$here"/check-*.sh; do
	rule=$(basename "$path" .sh)
	run_rule "$rule" "$(option "$rule")" || [ $? -eq 77 ] ||
		fail "$rule refuses a sound tree"
done
cp -R "$work/tree" "$work/sound"

breach check-deps 'core includes target' 'chan.c includes target/target.h' \
	src/core/chan.c '#include "target/target.h"\n'
breach check-deps 'an upward include in angle brackets' 'target/target.h' \
	src/util/x.c '#include <target/target.h>\n'
breach check-deps 'util takes a library' 'jansson.h' \
	src/util/x.c '#include <stdio.h>\n#if 0\n#include <jansson.h>\n#endif\n'
breach check-deps 'an include without its folder' 'write "folder/mem.h"' \
	src/util/x.c '#if 0\n#include "mem.h"\n#endif\n'
breach check-deps 'a folder that nobody entered' 'folder odd' \
	src/odd/x.c ''
breach check-deps 'the public header includes ours' 'util/mem.h' \
	include/srpi/srpi.h '#include "util/mem.h"\n'

for symbol in malloc free pthread_mutex_lock snprintf __printf_chk \
	log_write ibv_reg_mr ibv_dereg_mr read write poll syscall; do
	breach check-hot "$symbol on the I/O path" "calls $symbol " \
		src/core/chan_io.c "int $symbol(int);\nint\nx(int y)\n{\n\treturn $symbol(y);\n}\n"
done
rm "$work/tree/src/core/chan_io.o"
if run_rule check-hot; then
	fail "check-hot passes without objects"
fi

for symbol in ibv_reg_mr_iova2 ___ibv_query_port rdma_create_id; do
	breach check-verbs "$symbol in core" "names $symbol" \
		src/core/x.c "int $symbol(int);\nint\nx(int y)\n{\n\treturn $symbol(y);\n}\n"
done
breach check-verbs 'a call that the compiler inlines' \
	'calls ibv_query_device_ex' src/core/x.c \
	'static int ibv_query_device_ex(void) { return 0; }\nint\nx(void)\n{\n\treturn ibv_query_device_ex();\n}\n'

breach check-headers 'a header that lacks an include' 'util/x.h' \
	src/util/x.h 'size_t x_size(void);\n'
breach check-headers 'a header without a guard' 'util/x.h' \
	src/util/x.h 'struct x {\n\tint y;\n};\n'
breach check-headers 'a public header that needs src/' 'srpi.h' \
	include/srpi/srpi.h '#include <util/mem.h>\n'
breach check-headers 'a public header that is not C++' 'srpi.h' \
	include/srpi/srpi.h 'int srpi_x(int class);\n'
breach check-headers 'a public header that is not C11' 'srpi.h' \
	include/srpi/srpi.h 'static inline void srpi_x(void)\n{\n\ttypeof(1) x;\n\t(void)x;\n}\n'

breach check-map 'a function that is not exported' 'lacks srpi_y' \
	include/srpi/srpi.h 'int srpi_x(int x);\nint\tsrpi_y(int y,\n\tint z);\n'
breach check-map 'a symbol that is not declared' 'exports srpi_y' \
	src/lib/libsrpi.map '\tglobal:\n\t\tsrpi_x;\n\t\tsrpi_y;\n\tlocal:\n'
breach check-map 'names out of order' 'not sorted' \
	src/lib/libsrpi.map '\tglobal:\n\t\tsrpi_y;\n\t\tsrpi_x;\n\tlocal:\n'

for call in strcpy strncpy strcat sprintf atoi strtok alloca gets; do
	breach check-forbidden "$call" "calls $call" \
		src/util/x.c "int $call(int);\nint\nx(int y)\n{\n\treturn $call(y);\n}\n"
done
for word in TODO FIXME XXX; do
	breach check-forbidden "$word" "$word" \
		src/util/x.c "/* $word: finish */\n"
	breach check-forbidden "$word in a script" "$word" \
		scripts/x "# $word\n"
done

breach check-exports 'a function that is not exported' 'declares srpi_y()' \
	include/srpi/srpi.h 'int srpi_x(int x);\nint srpi_y(int x);\n'
breach check-exports 'a symbol that is not declared' 'exports srpi_x' \
	include/srpi/srpi.h '/* srpi_x() */\n'

breach check-listed 'a header in no list' src/util/x.h src/util/x.h ''
breach check-listed 'a source listed in a comment only' src/target/target.h \
	src/target/local.mk '# src/target/target.h \\\n'
breach check-listed 'a script in no list' scripts/x.sh scripts/x.sh ''

breach check-debian 'another version' 'begins with 1.1' \
	debian/changelog 'srpd (1.1) x; urgency=low\n'
breach check-debian 'a symbol that is not in the package' 'lacks srpi_x' \
	debian/libsrpi1.symbols 'libsrpi.so.1 libsrpi1\n'
breach check-debian 'a symbol that there is not' 'has srpi_y' \
	debian/libsrpi1.symbols ' srpi_x@V 1.2\n srpi_y@V 1.2\n'
breach check-debian 'a file that is not shipped' 'debian/x.install is not' \
	debian/x.install 'usr/bin\n'

breach check-man 'a program without a page' 'come has no page' \
	src/come.mk 'bin_PROGRAMS += src/x/come\n'
breach check-man 'a page that is not shipped' 'man/come.3 is not in' \
	man/come.3 "$page"
breach check-man 'a page that is not there' 'refers to srpcome(1)' \
	man/go.3 "$page.Sh SEE ALSO\n.Xr srpcome 1\n"
breach check-man 'a function without a page' 'lacks srpi_x()' \
	man/srpi.3 "$page"
breach check-man 'a function that there is not' 'has srpi_y()' \
	man/srpi.3 "$page.Sh SYNOPSIS\n.Ft int\n.Fn srpi_y \"int y\"\n"
breach check-man 'a member without a page' 'lacks odd_ns' \
	include/srpi/srpi.h 'struct srpi_y {\n\tint srpi_x, odd_ns[2];\n};\n'
breach check-man 'a constant without a page' 'lacks SRPI_ODD' \
	include/srpi/srpi.h '#define SRPI_ODD 1\n'
breach check-man 'an example that is another' 'differ' \
	examples/srpi_read.c 'int x;\n'
breach check-man 'a message that there is not' 'which no program says' \
	doc/runbook.md "## 9\n| \`there is no go\` | 3 | x |\n"
if command -v mandoc >/dev/null; then
	breach check-man 'a macro that there is not' 'unknown macro' \
		man/go.3 "$page.Xy\n"
fi

breach check-sizes 'a function of 81 lines' 'x() has 81 lines' src/util/x.c \
	"int\nx(int a,\n\tint b)\n{\n$(lines 77 '\n')}\n"
breach check-sizes 'a file of 601 lines' '601 lines' src/util/x.c \
	"$(lines 600 '\n')"
breach check-sizes 'a line of 101 columns' '101 columns' src/util/x.c \
	"/*\t$(lines 90 x) */\n"
breach check-sizes 'a function of 7 parameters' '7 parameters' src/util/x.c \
	'int\nx(int a, int b, int c, int d,\n\tint e, int f, int g)\n{\n}\n'

spdx='SPDX-License-Identifier: MIT' breach check-spdx 'another licence' \
	src/util/mem.c src/util/mem.c ''
spdx='' breach check-spdx 'a script without a licence' scripts/go \
	scripts/go 'echo\n'

if command -v shellcheck >/dev/null; then
	breach check-shell 'an unquoted variable' 'scripts/go' \
		scripts/go "rm \$1\n"
fi

echo "$nr_failed failed"
[ "$nr_failed" -eq 0 ]
