# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# shellcheck shell=bash
#
# perf on libsrpi's static probes, as doc/probes.md has it: every stage of
# every command is there, in order, with its arguments.
# shellcheck source=tests/interop/case.sh
. "${0%/*}/../case.sh"

lib=$(find /opt/srpd -name 'libsrpi.so.*' -type f)
data=/run/perf.data
if ! grep -q stapsdt "$lib"; then
	skip all 'this build has no probes: configure found no sys/sdt.h'
	exit
fi
mountpoint -q /sys/kernel/tracing ||
	mount -t tracefs tracefs /sys/kernel/tracing

run perf buildid-cache --add "$lib"
run perf probe --quiet --add '%sdt_srpi:*'
expect are_found status=0

end() {
	perf probe --quiet --del 'sdt_srpi:*'
	rm -f $data
}
trap end EXIT

# events: of the last record, "STAGE QUEUE TAG OPCODE LBA BYTES" each
events() {
	perf script -i $data -F event,trace 2>/dev/null |
		sed -En 's/.*sdt_srpi:([a-z]+): \([0-9a-f]+\)/\1/p' |
		sed 's/ arg[0-9]=/ /g'
}

# On one CPU, so that the order is that of one clock; without build ids, which
# take the emulated CPU seconds.
record() { # SRPLAT_OPERAND...
	run -t 60 perf record --quiet -B -N -o $data -e 'sdt_srpi:*' \
		taskset -c 0 srplat status=none "$@"
	events >/run/events
}

# What queue 0 must have seen of so many commands in a row, each alone.
wanted() { # OPCODE LBA BLOCKS BYTES COUNT
	local i stage
	for ((i = 0; i < $5; i++)); do
		for stage in submitted posted seen delivered; do
			echo "$stage $1 $(($2 + i * $3)) $4"
		done
	done
}

# commands NAME: those of the last record are what is in /run/wanted.
commands() {
	local said
	if said=$(awk '$1 != "woken" && $2 == 0 { print $1, $4, $5, $6 }' \
		/run/events | diff /run/wanted -); then
		ok "$1"
	else
		not_ok "$1" "$(head -5 <<<"$said")"
	fi
}

record "if=$(url 1)" of=/dev/null bs=4k count=5 skip=16 completion=inline
expect reads_are_recorded status=0
wanted 40 128 8 4096 5 >/run/wanted
commands reads_show_their_stages
if awk '$2 == 0 && $1 == "submitted" { print $3 }' /run/events | sort |
	uniq -d | grep -q .; then
	not_ok each_has_its_tag "$(grep '^submitted 0 ' /run/events)"
else
	ok each_has_its_tag
fi

record if=/dev/zero "of=$(url 2)" bs=8k count=3 completion=inline
wanted 42 0 2 8192 3 >/run/wanted
commands writes_show_their_stages

# A client of mode thread sleeps until the service has seen its response.
record "if=$(url 1)" of=/dev/null bs=512 count=5 completion=thread
wanted 40 0 1 512 5 | sort >/run/wanted
sort -o /run/events /run/events
sed -n '/^woken 0 /p' /run/events >/run/woken
awk '$1 != "woken" && $2 == 0 { print $1, $4, $5, $6 }' /run/events |
	sort >/run/seen
same a_service_is_seen_too /run/wanted /run/seen
if grep -q '^woken 0 1$' /run/woken && ! grep -qv '^woken 0 [01]$' /run/woken; then
	ok wake_ups_tell_what_is_done
else
	not_ok wake_ups_tell_what_is_done "$(head -3 /run/woken)"
fi
