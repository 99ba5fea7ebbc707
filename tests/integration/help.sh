#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# What each program says of itself is said everywhere alike: every option,
# operand and command of its --help is in its man page, every option of the
# man page is in its --help, and the completion for bash offers all of them
# and nothing that the program does not know.
# shellcheck source=tests/lib/shell.sh
. "${top_srcdir:?}/tests/lib/shell.sh"
# shellcheck source=scripts/completion.bash
. "$top_srcdir/scripts/completion.bash"
PATH=$shell_top/src/srpd:$PATH

# offered WORD...: what is offered for the last of these.
offered() {
	COMP_WORDS=("$@")
	COMP_CWORD=$(($# - 1))
	_srpi
	printf '%s\n' "${COMPREPLY[@]}"
}

# in_man NAME PAGE: is the name there as an option, operand or command?
in_man() {
	case $1 in
	--*) grep -qE "(Fl|, |\\|) *-${1#--}([^a-z-]|\$)" "$2" ;;
	*=) grep -qE "(Cm|Ar|Ic) .*${1%=}( |=|\$)" "$2" ;;
	*) grep -qE "Cm .*$1( |\$)" "$2" ;;
	esac
}

# man_options PAGE: "--name" for each ".Fl -name".
man_options() {
	grep -oE '(Fl|Fl [a-z] .*,|\|) -[a-z][a-z-]+' "$1" |
		grep -oE -- '-[a-z][a-z-]+$' | sed 's/^/-/' | sort -u
}

check() { # PROGRAM PAGE
	local program=$1 page=$top_srcdir/man/$2 word words
	run "$program" --help
	expect_status 0
	words="$(_srpi_options "$program") $(_srpi_operands "$program")"
	words="$words $(_srpi_commands "$program")"
	expect "$program says something of itself" test -n "${words// /}"
	for word in $words; do
		expect "$2 has $word" in_man "$word" "$page"
	done
	for word in $(man_options "$page"); do
		expect "$program --help has $word" \
			grep -qxF -- "$word" <(_srpi_options "$program")
		expect "$word of $program is offered" \
			grep -qxF -- "$word" <(offered "$program" "$word")
	done
	# Nothing is offered that is not known: a value may be missing, but
	# the option is no stranger.
	for word in $(offered "$program" --); do
		run "$program" "$word"
		expect "$program knows $word" \
			test -z "$(grep -iE 'unknown option' "$work/err")"
	done
	# Help that is lost is told.
	run bash -c '"$1" --help >/dev/full' -- "$program"
	expect_status 5
	expect_err "^$program: .*([sS]tandard output|results|output could)"
	for word in $(offered "$program" '' | grep -v =); do
		run "$program" "$word" --no-such-option
		expect "$program knows $word" \
			test -z "$(grep -iE 'not a (command|benchmark)' \
				"$work/err")"
	done
}

check srpctl srpctl.1
check srptgt srptgt.1
check srpbench srpbench.1
check srpd srpd.8
check srplat srplat.1
check srpmatrix srpmatrix.1

# The completion is for each program there is, and for no other.
for program in "$top_srcdir"/man/*.1 "$top_srcdir"/man/*.8; do
	program=$(basename "$program")
	expect "there is a completion for ${program%.*}" \
		grep -qE "^complete .* ${program%.*}( |\$)" \
		"$top_srcdir/scripts/completion.bash"
done
