# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# shellcheck shell=bash
#
# Sourced by every case in the guest. A case runs a program and states what
# must come of it; each statement becomes one line of the report:
#
#	ok CASE.NAME
#	not ok CASE.NAME	and, after '#', what was seen instead
#	skip CASE.NAME REASON

# Some variables are for the cases alone.
# shellcheck disable=SC2034
# shellcheck source=tests/interop/lio.sh
. "${BASH_SOURCE%/*}/lio.sh"

case_name=${0##*/}
case_name=${case_name%.sh}
case_name=${case_name#[0-9][0-9]-}
scratch=/scratch
stdout=/run/case.stdout
stderr=/run/case.stderr
modes=${INTEROP_MODES:-inline self}
all_modes=${INTEROP_MODES:-inline thread poll self adaptive}
status=0 took_ms=0 command_line=

if [ -d "$srpt" ]; then
	gid=0x$(tr -d ':\n' <$port/gids/0)
	tpg=$srpt/$gid/$gid
	GUID=$(sed s/^0x// /sys/module/ib_srpt/parameters/srpt_service_guid)
fi

ok() { echo "ok $case_name.$1"; }
skip() { echo "skip $case_name.$1 $2"; }

# not_ok NAME WHY...
not_ok() {
	echo "not ok $case_name.$1"
	shift
	printf '#   %s\n' "$@"
	echo "#   command: $command_line"
	echo "#   exit status $status after $took_ms ms"
	sed 's/^/#   stderr: /' "$stderr" | head -12
	sed 's/^/#   stdout: /' "$stdout" | head -12
}

now_ms() { echo "$((${EPOCHREALTIME/./} / 1000))"; }

# run [-t SECONDS] COMMAND...: to its end, or killed at the limit.
run() {
	local limit=30 from
	if [ "$1" = -t ]; then
		limit=$2
		shift 2
	fi
	command_line=$*
	from=$(now_ms)
	timeout -k 2 "$limit" "$@" >"$stdout" 2>"$stderr" </dev/null
	status=$?
	took_ms=$(($(now_ms) - from))
}

# begin COMMAND...; finish SECONDS: the same with something in between. The
# time is counted from mark, or from begin.
begin() {
	command_line=$*
	"$@" >"$stdout" 2>"$stderr" </dev/null &
	pid=$!
	mark
}

mark() { marked=$(now_ms); }

finish() {
	while kill -0 "$pid" 2>/dev/null; do
		if [ $(($(now_ms) - marked)) -gt $(($1 * 1000)) ]; then
			kill -KILL "$pid"
		fi
		sleep 0.05
	done
	wait "$pid" 2>/dev/null
	status=$?
	took_ms=$(($(now_ms) - marked))
}

# expect NAME CONDITION...: judges the last run. Conditions are
#	status=N	exit status; for 2, 3 and 4, stderr must be one line
#	says=REGEX	somewhere in stderr, whatever the case
#	within=MS	and not longer
expect() {
	local name=$1 want why=() lines
	shift
	for want in "$@"; do
		case $want in
		status=*)
			[ "$status" -eq "${want#*=}" ] ||
				why+=("exit status is $status instead of ${want#*=}")
			;;
		says=*)
			grep -qiE -- "${want#*=}" "$stderr" ||
				why+=("stderr does not say '${want#*=}'")
			;;
		within=*)
			[ "$took_ms" -le "${want#*=}" ] ||
				why+=("took $took_ms ms, at most ${want#*=} wanted")
			;;
		*) why+=("unknown condition '$want'") ;;
		esac
	done
	# libibverbs warns of its own accord.
	lines=$(grep -cvE '^(libibverbs:|    |$)' "$stderr")
	case $status in
	[234]) [ "$lines" -eq 1 ] || why+=("stderr has $lines lines, not 1") ;;
	esac
	if [ ${#why[@]} -eq 0 ]; then
		ok "$name"
	else
		not_ok "$name" "${why[@]}"
	fi
}

# same NAME FILE FILE
same() {
	local said
	if said=$(cmp "$2" "$3" 2>&1); then
		ok "$1"
	else
		not_ok "$1" "$said"
	fi
}

# holds NAME JQ_FILTER: the last run's stdout is JSON of which this is true.
holds() {
	local said
	if said=$(jq -e "$2" "$stdout" 2>&1); then
		ok "$1"
	else
		not_ok "$1" "$2 gives $said"
	fi
}

# each_test LUN: a line for each test that the last run, of a program of
# tests/integration, tells of: FILE:LINE:P:CASE:TEST:ITERATION: Passed
each_test() {
	grep -E '^[^:]+:[0-9]+:[PFE]:' "$stdout" |
		while IFS=: read -r _ _ outcome _ name iteration why; do
			case $outcome in
			P) ok "lun$1.$name.$iteration" ;;
			*) not_ok "lun$1.$name.$iteration" "$why" ;;
			esac
		done
}

random_file() { # FILE BYTES
	head -c "$2" /dev/urandom >"$1"
}

# Commands that LIO has had for a LUN.
lun_commands() { cat "$tpg/lun/lun_$1/statistics/scsi_tgt_port/in_cmds"; }

lun_is_busy() { # LUN SINCE
	[ "$(lun_commands "$1")" -gt $(($2 + 50)) ] || ! kill -0 "$pid" 2>/dev/null
}

# long_run LUN MODE SECONDS_OF_IO_TIMEOUT: begins a run that only an error
# ends; returns when it is at its I/O.
long_run() {
	local before
	before=$(lun_commands "$1")
	begin srplat "if=$(url "$1" "io_timeout=${3}s")" of=/dev/null bs=4k \
		runtime=120s "completion=$2"
	wait_until lun_is_busy "$1" "$before"
	if ! kill -0 "$pid" 2>/dev/null; then
		finish 1
		not_ok "${2}_runs" "ended before anything happened to the target"
	fi
}
