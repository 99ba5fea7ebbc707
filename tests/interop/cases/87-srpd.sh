# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# shellcheck shell=bash
#
# srpd as a user who may open the devices and no more: a target that works
# beside one that is not there and one that refuses, one that goes and comes
# back, and logins without end.
# shellcheck source=tests/interop/case.sh
. "${0%/*}/../case.sh"

dir=/run/srpd-case
socket=$dir/srpd.sock
log=$dir/log
group=4242
rounds=${INTEROP_ROUNDS:-25}
srpd=$(find /opt/srpd -path '*/sbin/srpd' | head -1)
keys="id_ext=$GUID&ioc_guid=$GUID"

mkdir -p $dir
cat >$dir/srpd.ini <<EOT
[srpd]
socket = $socket
login_timeout = 3s
[target absent]
url = "srp://10.0.0.77/?$keys"
[target refusing]
url = "srp://$PORTAL/?id_ext=0123456789abcdef&ioc_guid=$GUID"
[target lio]
url = "srp://$PORTAL/?$keys"
required = yes
reconnect_delay = 1h
EOT
chown -R nobody $dir

# Only members of the group may open the devices.
chgrp $group /dev/infiniband/*
chmod 660 /dev/infiniband/*
as_user=(setpriv --reuid=nobody --regid=nogroup "--groups=$group"
	--bounding-set=-all --inh-caps=-all --no-new-privs)

ctl() { srpctl --socket $socket "$@"; }
# (Of no output jq -e says nothing wrong.)
is() {
	ctl --json status >$dir/status 2>$dir/status.err &&
		jq -e "$1" $dir/status >/dev/null
}
target() { echo ".targets[] | select(.name == \"$1\") | $2"; }

is_soon() {
	local end=$((SECONDS + 40))
	until is "$1"; do
		[ $SECONDS -lt $end ] || return
		sleep 0.1
	done
}

# holds_soon NAME FILTER: of the status.
holds_soon() {
	if is_soon "$2"; then
		ok "$1"
	else
		ctl --json status >"$stdout" 2>&1
		cp $log "$stderr"
		not_ok "$1" "never so: $2"
	fi
}

command_line="srpd -c $dir/srpd.ini"
sh -c 'ulimit -l 65536; exec "$@"' sh "${as_user[@]}" "$srpd" \
	-c $dir/srpd.ini 2>$log &
pid=$!
holds_soon one_that_works_is_ready "$(target lio '.state == "ready"')"
took='(.srpd.uptime_ns - (.targets[] | select(.name == "lio") | .session_ns))'
ready_ms=$(($(ctl --json status | jq "$took | floor") / 1000000))
# The emulated CPU is slow: a login alone, by a program of its own.
run srplat "if=$(url 1)" of=/dev/null bs=4k count=1
if [ $ready_ms -lt $((2000 + took_ms)) ]; then
	ok within_two_seconds_of_the_start
else
	not_ok within_two_seconds_of_the_start \
		"after $ready_ms ms; srplat alone takes $took_ms ms"
fi
echo "# ready after $ready_ms ms; one read by srplat takes $took_ms ms"
holds_soon the_absent_one_is_tried_again \
	"$(target absent '.state == "connecting" and .attempts > 1')"
holds_soon the_refusing_one_is_tried_again \
	"$(target refusing '.state == "connecting" and .attempts > 1')"
run srpctl --socket $socket status
holds_text() { # NAME ERE
	if tr '\n' ' ' <"$stdout" | grep -qE -- "$2"; then
		ok "$1"
	else
		not_ok "$1" "status does not say: $2"
	fi
}
holds_text the_absent_one_is_explained 'absent: .*10\.0\.0\.77'
holds_text the_refusing_one_is_explained 'refusing: .*0x00010003'
run srpctl --socket $socket luns lio
expect all_luns_are_listed status=0

# The target goes and comes back: an hour's wait is cut short.
srpt_disable
holds_soon a_lost_one_is_told \
	"$(target lio '.state == "blocked" or .state == "fail-fast"')"
srpt_enable
run srpctl --socket $socket reconnect lio
expect a_reconnect_brings_it_back status=0
holds_soon it_is_ready_again \
	"$(target lio '.state == "ready" and .reconnects >= 1')"

# What many logins leave behind, in descriptors, in the device and in memory,
# while another session carries load that is checked.
# (The kernel names the thread that made one.)
resources() {
	local threads
	threads=$(find "/proc/$pid/task" -mindepth 1 -maxdepth 1 -printf '%f|')
	echo "$(find /proc/$pid/fd | wc -l) descriptors," \
		"$(rdma resource show qp | grep -cE " pid (${threads%|}) ") queue pairs," \
		"$(rdma resource show mr | grep -cE " pid (${threads%|}) ") memory regions"
}
rss_kib() { awk '/^VmRSS/ { print $2 }' /proc/$pid/status; }
for name in absent refusing; do
	ctl logout $name >/dev/null 2>&1
done
login_again() { ctl logout lio && ctl login lio; }

load() {
	local nr=0
	until [ -e $dir/enough ]; do
		srplat "of=$(url 0)" verify=write bs=16k count=64 depth=4 \
			status=none >/dev/null || return
		nr=$((nr + 1))
		echo $nr >$dir/verified
	done
} 2>$dir/load.err
load &
load_pid=$!
for _ in $(seq 3); do
	login_again >/dev/null
done
before=$(resources)
rss_before=$(rss_kib)
nr_rounds=0
while [ $nr_rounds -lt "$rounds" ] && login_again >/dev/null; do
	nr_rounds=$((nr_rounds + 1))
done
after=$(resources)
grown=$(($(rss_kib) - rss_before))
: >$dir/enough
command_line="$rounds logouts and logins"
if [ "$before" = "$after" ] && [ "$nr_rounds" -eq "$rounds" ] &&
	[[ $after != *" 0 "* ]] &&
	is "$(target lio '.state == "ready"')"; then
	ok logins_leave_nothing
else
	not_ok logins_leave_nothing \
		"$nr_rounds rounds; before: $before, after: $after"
fi
if [ $grown -lt 1024 ]; then
	ok logins_take_no_memory
else
	not_ok logins_take_no_memory "$grown KiB more after $rounds rounds"
fi
if wait $load_pid && [ "$(cat $dir/verified)" -gt 0 ]; then
	ok another_session_is_not_disturbed
else
	not_ok another_session_is_not_disturbed "$(head -3 $dir/load.err)"
fi
echo "# $nr_rounds rounds: $after; $grown KiB more;" \
	"$(cat $dir/verified) x 1 MiB written, read and verified meanwhile"

mark
kill -TERM $pid
finish 20
expect it_ends_by_sigterm status=0 within=12000
if [ -e $socket ] || [ -e $socket.lock ]; then
	not_ok nothing_is_left "$(ls $dir)"
else
	ok nothing_is_left
fi
chmod 666 /dev/infiniband/*
