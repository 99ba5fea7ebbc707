#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# SIGHUP changes what differs and nothing else.
# shellcheck source=tests/lib/srpd.sh
. "${top_srcdir:?}/tests/lib/srpd.sh"

# Since when a target's session is up, and the attempts it took.
session_of() {
	srpctl --socket "$srpd_socket" --json status |
		jq -c --arg name "$1" '.srpd.time_ns as $now | .targets[] |
			select(.name == $name) | [$now - .session_ns, .attempts]'
}

said_since() {
	tail -n "+$((nr_lines + 1))" "$srpd_log" | grep -qE -- "$1"
}

# hangup PATTERN: sends SIGHUP and waits until a line says what came of it.
hangup() {
	nr_lines=$(wc -l <"$srpd_log")
	kill -HUP "$srpd_pid"
	until_true "the file was read again: $1" said_since "$1"
}

write_ini() { # SIZE_OF_B [MORE...]
	local size=$1
	shift
	{
		echo 'log_level = debug'
		printf '[target a]\nurl = demo://null\n'
		printf '[target b]\nurl = demo://ram?size=%s\n' "$size"
		printf '%s\n' "$@"
	} | srpd_ini
}

write_ini 1M '[target c]' 'url = demo://null'
srpd_start
srpd_until '[.targets[].state] == ["ready", "ready", "ready"]'
a=$(session_of a)
b=$(session_of b)
c=$(session_of c)

# Nothing differs.
hangup ' 0 started, 0 stopped, 0 changed, 3 kept'
expect "the sessions are the same" \
	test "$a $b $c" = "$(session_of a) $(session_of b) $(session_of c)"

# One changes its session, one its times, one goes, one comes.
write_ini 2M '[target d]' 'url = demo://null'
sed -i 's,^url = demo://null$,&\nreconnect_delay = 5,;' "$srpd_file"
hangup ' 1 started, 1 stopped, 2 changed, 0 kept'
srpd_until '[.targets[] | .name + " " + .state] ==
	["a ready", "b ready", "d ready"]'
srpd_until '.targets[] | select(.name == "b") | .attempts == 2'
expect "a new time keeps the session" test "$a" = "$(session_of a)"
srpctl_run luns b
expect_out '2.*Mi?B|4096'

# A default of [srpd] is every target's.
sed -i 's,^log_level.*,&\ndepth = 9,' "$srpd_file"
hangup ' 0 started, 0 stopped, 3 changed, 0 kept'
srpd_until '[.targets[].attempts] == [2, 3, 2] and
	([.targets[].state] | unique) == ["ready"]'

# A file with a problem changes nothing and is told.
b=$(session_of b)
cp "$srpd_file" "$work/good"
printf 'frob = 1\nurl = demo://null\nurl = demo://null\n' >>"$srpd_file"
hangup 'srpd.ini:[0-9]+: .*stays as it was'
expect "a broken file keeps the sessions" test "$b" = "$(session_of b)"
rm "$srpd_file"
hangup "can't be read: No such file.*stays as it was"
expect "no file keeps the sessions" test "$b" = "$(session_of b)"
cp "$work/good" "$srpd_file"

# What only a restart changes is told too.
sed -i 's,^socket = .*,socket = /nowhere/else,' "$srpd_file"
hangup ' 0 started, 0 stopped, 0 changed, 3 kept'
expect "told of the socket" srpd_says 'only a restart changes it'
srpctl_run version
expect_status 0

# A target that was logged out stays so.
srpctl_run logout b
expect_status 0
hangup ' 0 started, 0 stopped, 0 changed, 3 kept'
srpd_until '.targets[] | select(.name == "b") | .state == "logged-out"'

# The level of the lines.
sed -i 's,^log_level.*,log_level = warning,' "$srpd_file"
nr_lines=$(wc -l <"$srpd_log")
kill -HUP "$srpd_pid"
srpd_until '.srpd.log_level == "warning"'
srpd_end TERM
expect_srpd_status 0
expect "no line below warning" test -z "$(tail -n "+$((nr_lines + 1))" \
	"$srpd_log" | grep -v warning)"
expect "the new socket was not made" test ! -e /nowhere/else
