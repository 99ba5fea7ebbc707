# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# shellcheck shell=bash
#
# Completion for bash of all programs. What can be completed is read from
# each program's own --help, so that nothing here has to follow it: options
# (--name), operands (name=) and commands (the first word of a line that is
# indented by two). Targets are asked of the srpd that is running.

# _srpi_help PROGRAM: its help, once a shell.
_srpi_help() {
	local name=_srpi_help_${1//[^a-z]/_}
	[ -n "${!name:-}" ] || printf -v "$name" %s "$("$1" --help 2>/dev/null)"
	printf '%s\n' "${!name}"
}

_srpi_options() {
	_srpi_help "$1" | grep -oE '(^|[][ ,|(])--[a-z][a-z-]*' |
		grep -oE -- '--[a-z-]+' | sort -u
}

_srpi_operands() {
	_srpi_help "$1" |
		grep -oE '^  [a-z_]+=[^ ]*( [a-z_]+=[^ ]*)*' |
		grep -oE '[a-z_]+=' | sort -u
}

# "  login TARGET   log in ...", "  counts     doorbells ..."
_srpi_commands() {
	_srpi_help "$1" |
		sed -nE 's/^  ([a-z][a-z0-9_-]*)( [[A-Z][^ ]*)*(  .*)?$/\1/p' |
		sort -u
}

# _srpi_takes_target PROGRAM COMMAND
_srpi_takes_target() {
	_srpi_help "$1" | grep -qE "^  $2 \[?TARGET"
}

# _srpi_targets PROGRAM [OPTION...]: the names that srpd knows.
_srpi_targets() {
	"$@" --timeout 1 --json status 2>/dev/null |
		sed -nE 's/^ *"name": "([^"\\]*)",?$/\1/p'
}

# The command among the words so far, and the socket if one was named. "--x=y"
# comes as three words.
_srpi_scan() {
	local i word
	command='' socket=()
	for ((i = 1; i < COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		case $word in
		--socket | --timeout | --interval | --count)
			((i++))
			[ "${COMP_WORDS[i]:-}" != = ] || ((i++))
			[ "$word" != --socket ] ||
				socket=(--socket "${COMP_WORDS[i]:-}")
			;;
		-*) ;;
		*) command=${command:-$word} ;;
		esac
	done
}

_srpi() {
	local program=${COMP_WORDS[0]} word=${COMP_WORDS[COMP_CWORD]}
	local before=${COMP_WORDS[COMP_CWORD - 1]} words command socket
	COMPREPLY=()
	# A value: files, which is what bash does without an answer.
	if [ "$before" = = ] || [ "$word" = = ]; then
		return
	fi
	_srpi_scan
	if [[ $word == -* ]]; then
		words=$(_srpi_options "$program")
	elif [[ ${program##*/} == srpctl && -n $command ]]; then
		_srpi_takes_target "$program" "$command" || return
		words=$(_srpi_targets "$program" "${socket[@]}")
	elif [[ -z $command ]]; then
		words="$(_srpi_commands "$program") $(_srpi_operands "$program")"
	else
		words=$(_srpi_operands "$program")
	fi
	mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
	# A value follows at once.
	[[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] ||
		compopt -o nospace 2>/dev/null
}

complete -o default -F _srpi srpbench srpctl srpd srplat srpmatrix srptgt
