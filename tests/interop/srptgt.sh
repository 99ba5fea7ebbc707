# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# shellcheck shell=bash
#
# Sourced after case.sh by cases that run srptgt on the guest's soft-RoCE
# device, with the kernel's ib_srp as its initiator.
# case.sh assigns stderr.
# shellcheck disable=SC2154

tgt_portal=10.0.0.1:5556
tgt_id=0002c90300a0b0c0
tgt_out=/run/srptgt.out
tgt_err=/run/srptgt.err

tgt_url() {
	echo "srp://$tgt_portal/?id_ext=$tgt_id&ioc_guid=$tgt_id&lun=$1"
}

tgt_listens() { grep -q ^srp: $tgt_out; }

# tgt_start OPTION...: or the case ends.
tgt_start() {
	srptgt --listen $tgt_portal --id-ext $tgt_id "$@" \
		>$tgt_out 2>$tgt_err &
	tgt_pid=$!
	if wait_until tgt_listens; then
		ok listens
	else
		cp $tgt_err "$stderr"
		not_ok listens 'no URL on its output'
		exit
	fi
}

tgt_kill() {
	kill "$tgt_pid" 2>/dev/null
	wait "$tgt_pid" 2>/dev/null
}

# The disk of LUN $1 behind the newest SCSI host.
tgt_disk() {
	local d
	for d in /sys/class/scsi_device/"$host":0:0:"$1"/device/block/*; do
		[ ! -e "$d" ] || echo "/dev/${d##*/}"
	done
}

disk_is_there() { [ -b "$(tgt_disk "$1")" ]; }

# ib_srp logs in with so many channels; it reads ch_count when it is loaded.
try_kernel_login() { # CHANNELS LAST_LUN
	local add=/sys/class/infiniband_srp/srp-rxe0-1/add_target
	modprobe -r ib_srp
	modprobe ib_srp "ch_count=$1" && wait_until test -e $add || return
	echo "id_ext=$tgt_id,ioc_guid=$tgt_id,dest=$tgt_portal,initiator_ext=0000000000000001,queue_size=64,max_cmd_per_lun=32" \
		>$add || return
	host=$(cd /sys/class/scsi_host && printf '%s\n' host* | sort -V | tail -1)
	host=${host#host}
	wait_until disk_is_there "$2"
}

# The same, or the case ends.
kernel_login() {
	if try_kernel_login "$@"; then
		ok kernel_logs_in
	else
		not_ok kernel_logs_in "$(tail -3 $tgt_err)"
		exit
	fi
}

kernel_logout() {
	peer_logout
	modprobe -r ib_srp
}
