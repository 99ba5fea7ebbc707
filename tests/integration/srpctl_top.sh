#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# srpctl top on a terminal: what is on the screen at 80 and 160 columns, after
# a change of size, when srpd goes and comes, and what is left of it.
# shellcheck source=tests/lib/srpd.sh
. "${top_srcdir:?}/tests/lib/srpd.sh"
need tmux

srpd_ini <<'EOT'
[target disk]
url = demo://ram?size=1M&luns=2
[target a-target-with-a-name-that-is-longer-than-others]
url = demo://null
[target off]
url = demo://null
autologin = no
EOT
srpd_start
srpd_until '.targets[1].state == "ready"'

terminal() {
	TMUX='' tmux -f /dev/null -S "$work/tmux" "$@"
}
# Before the scratch folder goes.
trap 'terminal kill-server 2>/dev/null; shell_end' EXIT

screen() {
	terminal capture-pane -p -t top >"$work/out"
}
# shows ERE: a line of the screen.
shows() {
	screen && grep -qE -- "$1" "$work/out"
}
await() {
	until_true "the screen shows $1" shows "$1"
}
resize() {
	terminal resize-window -t top -x "$1" -y "$2"
}
fits() {
	screen && [ "$(wc -L <"$work/out")" -le "$1" ]
}

export TERM=screen
terminal new-session -d -s top -x 80 -y 24 "bash --norc --noprofile"
terminal send-keys -t top "stty -a >$work/stty.before; \
srpctl --socket $srpd_socket --interval 0.1 top; \
echo status \$?; stty -a >$work/stty.after" Enter

await '^TARGET +STATE +READ/s.* RESCAN *$'
await '^disk +ready +0 '
await '^off +logged-out'
await 'srpd .* 2 of 3 targets ready'
expect 'nothing is over 80 columns' fits 80

resize 160 30
await '^TARGET .*RESCAN +RETRY/s +CMD/s +DBELL/s.* LUNS'
await 'a-target-with-a-.*ready'
expect 'nothing is over 160 columns' fits 160

resize 60 5
await '^and 2 more'
resize 80 24
await '^off +logged-out'

# srpd goes and another one comes.
srpd_end KILL
await 'no srpd at'
srpd_start
await 'srpd .* 2 of 3 targets ready'

# Its own key, ^Z and ^C, and the terminal as it was.
terminal send-keys -t top q
await '^status 0'
expect 'the screen is as it was' test -z "$(grep -l '^TARGET' "$work/out")"
terminal send-keys -t top "clear; srpctl --socket $srpd_socket top" Enter
await '^TARGET'
terminal send-keys -t top C-z
await 'Stopped'
terminal send-keys -t top 'fg' Enter
await '^TARGET'
terminal send-keys -t top C-c
await '^bash'
terminal send-keys -t top "echo then \$?" Enter
await '^then 0'
same_terminal() {
	cmp -s "$work/stty.before" "$work/stty.after"
}
terminal send-keys -t top "stty -a >$work/stty.after" Enter
until_true 'the terminal is as it was' same_terminal

# A dumb terminal gets blocks.
terminal send-keys -t top "clear; TERM=dumb srpctl --socket $srpd_socket \
--interval 0.1 --count 2 top; echo status \$?" Enter
await '^status 0'
expect 'two blocks' test "$(grep -c '^TARGET' "$work/out")" -eq 2

srpd_end TERM
expect_srpd_status 0
