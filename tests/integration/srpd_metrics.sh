#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# Metrics of a running srpd: what promtool thinks of them, what they say
# after a reconnect, while a target hangs, and after a change of the ini
# file. No secret is in them.
# shellcheck source=tests/lib/srpd.sh
. "${top_srcdir:?}/tests/lib/srpd.sh"
need curl

metrics=$work/metrics.sock
write_ini() {
	srpd_ini <<EOT
metrics = $1
[target disk]
url = demo://ram?size=1M&luns=2
[target hangs]
url = demo://null?irqmode=timer&completion_nsec=1000000000&luns=200
EOT
}
write_ini "$metrics"
srpd_start
if srpd_says 'built without libmicrohttpd'; then
	srpd_end TERM
	skip 'this srpd has no metrics'
fi
srpd_until '.targets[0].state == "ready"'

scrape() {
	run curl -sS --unix-socket "$metrics" http://srpd/metrics
	expect_status 0
}

# The login of one is still under way in what comes.
scrape
expect_out '^srpd_target_state\{target="disk",state="ready"\} 1$'
expect_out '^srpd_target_state\{target="hangs",state="connecting"\} 1$'
expect_out '^srpd_login_attempts_total\{target="hangs"\} 1$'
expect_out '^srpd_lun_size_bytes\{target="disk",lun="1"\} 1048576$'
if command -v promtool >/dev/null; then
	cp "$work/out" "$work/scraped"
	run bash -c "promtool check metrics <'$work/scraped'"
	expect_status 0
	expect_no_err
else
	echo 'no promtool here: the format is not checked by it'
fi

# Counters survive a reconnect.
counter() {
	scrape
	sed -nE "s/^$1\{target=\"disk\"\} //p" "$work/out"
}
before=$(counter srpd_doorbells_total)
srpctl_run reconnect disk
expect_status 0
after=$(counter srpd_doorbells_total)
expect 'counters survive a reconnect' test "$after" -gt "$before"
expect 'the reconnect is counted' \
	test "$(counter srpd_reconnects_total)" -eq 1
scrape
expect_out '_count\{target="disk",operation="login"\} 2$'

# Off, and on again, without a restart.
write_ini off
kill -HUP "$srpd_pid"
is_off() {
	[ ! -e "$metrics" ]
}
until_true 'metrics are off' is_off
write_ini "$metrics"
kill -HUP "$srpd_pid"
is_on() {
	curl -s --unix-socket "$metrics" http://srpd/metrics >/dev/null
}
until_true 'metrics are on' is_on
scrape
expect_out '^srpd_build_info'

srpd_end TERM
expect_srpd_status 0
expect 'no socket of the metrics is left' test ! -e "$metrics"
