# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# shellcheck shell=bash
#
# What tests of srpd share, on top of shell.sh. One srpd at a time, in the
# background, with its socket, its file and its messages in $work:
#
#	srpd_ini <<'EOT' ... EOT	the file; [srpd] with the socket is there
#	srpd_start			and waits until its socket is served
#	srpd_until 'jq filter'		polls "srpctl status" until it is true
#	srpd_end TERM			sends it, waits; its status in srpd_status

# shellcheck source=tests/lib/shell.sh
. "${top_srcdir:?}/tests/lib/shell.sh"
need jq

srpd_socket=$work/srpd.sock
srpd_file=$work/srpd.ini
srpd_log=$work/srpd.log
srpd_pid='' srpd_status=''

srpd_ini() {
	{
		printf '[srpd]\nsocket = %s\n' "$srpd_socket"
		cat
	} >"$srpd_file"
}

# until_true WHAT COMMAND...: polls; the test ends if it does not come true.
until_true() {
	local what=$1 end=$((SECONDS + 60))
	shift
	until "$@"; do
		if [ $SECONDS -ge $end ]; then
			failed "waited in vain for: $what"
			sed 's/^/  srpd: /' "$srpd_log"
			exit 1
		fi
		sleep 0.02
	done
}

srpd_is_served() {
	! kill -0 "$srpd_pid" 2>/dev/null ||
		srpctl --socket "$srpd_socket" version >/dev/null 2>&1
}

# srpd_launch: in the background, and returns at once.
srpd_launch() {
	: >"$srpd_log"
	env --default-signal=INT srpd -c "$srpd_file" \
		>"$work/srpd.out" 2>>"$srpd_log" </dev/null &
	srpd_pid=$!
	shell_pids+=("$srpd_pid")
}

srpd_start() {
	srpd_launch
	until_true "srpd serves its socket" srpd_is_served
}

srpctl_run() {
	run srpctl --socket "$srpd_socket" "$@"
}

srpd_is() {
	srpctl --socket "$srpd_socket" --json status >"$work/status" \
		2>"$work/status.err" && jq -e "$1" "$work/status" >/dev/null
}

srpd_until() {
	until_true "$1" srpd_is "$1"
}

# srpd_says ERE: a line of its messages.
srpd_says() {
	grep -qE -- "$1" "$srpd_log"
}

# srpd_wait SECONDS: for its end; killed, and a failure, when that is past.
srpd_wait() {
	local end=$((SECONDS + $1))
	while kill -0 "$srpd_pid" 2>/dev/null; do
		if [ $SECONDS -ge $end ]; then
			failed "srpd has not ended in $1 s"
			sed 's/^/  srpd: /' "$srpd_log"
			kill -KILL "$srpd_pid"
		fi
		sleep 0.02
	done
	srpd_status=0
	wait "$srpd_pid" || srpd_status=$?
	shell_pids=()
}

srpd_end() {
	kill -"$1" "$srpd_pid"
	srpd_wait 60
}

expect_srpd_status() {
	[ "$srpd_status" -eq "$1" ] || {
		failed "srpd's exit status is $srpd_status, not $1"
		sed 's/^/  srpd: /' "$srpd_log"
	}
}

expect_nothing_left() {
	expect "no socket is left" test ! -e "$srpd_socket"
	expect "no lock is left" test ! -e "$srpd_socket.lock"
}
