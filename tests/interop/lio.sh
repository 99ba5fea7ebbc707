# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# shellcheck shell=bash
#
# Sourced in the guest: a soft-RoCE device, the Linux kernel's SRP target on
# it, and the kernel's SRP initiator as a peer.
#
# standard_target makes this, reachable at 10.0.0.1:5555:
#
#	LUN  block  size     what
#	 0    512   128 MiB  RAM
#	 1    512   128 MiB  no data: reads and writes go nowhere
#	 2   4096    16 MiB  RAM
#	 3   1024    16 MiB  RAM
#	 4   2048    16 MiB  RAM
#	 5    512    16 MiB  RAM, write protected for every initiator
#	 6    512    16 MiB  a device that stall_lun can bring to a halt

PORTAL=10.0.0.1:5555
SRP_MAX_REQ_SIZE=8276 # ib_srpt's default
target=/sys/kernel/config/target
core=$target/core
srpt=$target/srpt
port=/sys/class/infiniband/rxe0/ports/1

# ---- soft-RoCE -------------------------------------------------------------

# rxe works between two ends of one host. An MTU of 4200 leaves room for the
# headers, so that the path MTU is 4096.
roce_up() {
	local m
	for m in dummy ib_uverbs rdma_ucm rdma_rxe; do
		modprobe "$m" || return
	done
	if [ ! -e /sys/class/net/roce0 ]; then
		ip link add roce0 type dummy
		ip addr add 10.0.0.1/24 dev roce0
	fi
	ip link set roce0 mtu 4200 up
	[ -e /sys/class/infiniband/rxe0 ] ||
		rdma link add rxe0 type rxe netdev roce0
}

# A device can be deleted only when no process holds it any more.
roce_down() {
	rdma link delete rxe0
}

# The last 8 bytes of GID 0: what initiators put into their port id.
roce_guid() {
	local words
	words=$(<$port/gids/0)
	words=${words//:/}
	echo "${words:16}"
}

# ---- backing stores --------------------------------------------------------

lio_core_up() {
	local m
	for m in configfs sd_mod target_core_mod target_core_iblock; do
		modprobe "$m" || return
	done
	mountpoint -q /sys/kernel/config ||
		mount -t configfs configfs /sys/kernel/config
}

# lio_ram NAME MIB [BLOCK_BYTES [OPTION]]
lio_ram() {
	local dir=$core/rd_mcp_0/$1
	mkdir -p "$dir"
	echo "rd_pages=$(($2 * 256))${4:+,$4}" >"$dir/control"
	echo 1 >"$dir/enable"
	echo "${3:-512}" >"$dir/attrib/block_size"
}

# lio_block NAME DEVICE
lio_block() {
	local dir=$core/iblock_0/$1
	mkdir -p "$dir"
	echo "udev_path=$2" >"$dir/control"
	echo 1 >"$dir/enable"
}

# ---- the SRP target --------------------------------------------------------

# LIO takes RDMA-CM logins only after it was told a port. Port groups hang
# below the port's GID, spelled as a number.
srpt_load() { # SRP_MAX_REQ_SIZE
	modprobe ib_srpt "srp_max_req_size=$1" || return
	mkdir -p $srpt
	echo -n "${PORTAL#*:}" >$srpt/discovery_auth/rdma_cm_port
	gid=0x$(tr -d ':\n' <$port/gids/0)
	tpg=$srpt/$gid/$gid
	mkdir -p "$tpg"
	GUID=$(sed s/^0x// /sys/module/ib_srpt/parameters/srpt_service_guid)
}

# srpt_allow INITIATOR_EXT: 16 hex digits; the rest of the port id is this
# host's GUID. Maps every LUN under its own number. Each program started
# costs tens of milliseconds here, hence few of them.
srpt_allow() {
	local acl n
	acl=$tpg/acls/0x$1$(roce_guid)
	mkdir -p "$acl"/lun_{0..6}
	for n in {0..6}; do
		ln -s "$tpg/lun/lun_$n" "$acl/lun_$n/lun"
	done
	echo 1 >"$acl/lun_5/write_protect"
}

# Disabling the group ends the sessions on it and refuses new ones.
srpt_enable() { echo 1 >"$tpg/enable"; }
srpt_disable() { echo 0 >"$tpg/enable"; }

srpt_down() {
	local acl
	srpt_disable
	for acl in "$tpg"/acls/0x*; do
		rm "$acl"/lun_{0..6}/lun
		rmdir "$acl"/lun_{0..6} "$acl"
	done
	rm "$tpg"/lun/lun_{0..6}/store
	rmdir "$tpg"/lun/lun_{0..6} "$tpg" "${tpg%/*}" $srpt
	modprobe -r ib_srpt
}

# ---- the standard target ---------------------------------------------------

# srpt_up SRP_MAX_REQ_SIZE: the longest IU it takes. Initiator_ext 0 is the
# initiators' default; 1 is the kernel peer's own, so that neither ends the
# other's session by a login under the same port id.
srpt_up() {
	local n=0 store
	srpt_load "$1" || return
	mkdir -p "$tpg"/lun/lun_{0..6}
	for store in rd_mcp_0/{ram512,null,ram4096,ram1024,ram2048,protected} \
		iblock_0/stall; do
		ln -s "$core/$store" "$tpg/lun/lun_$n/store"
		n=$((n + 1))
	done
	srpt_allow 0000000000000000
	srpt_allow 0000000000000001
	srpt_enable
}

standard_target() {
	roce_up && lio_core_up || return
	modprobe brd rd_nr=2 rd_size=131072 max_part=0
	dmsetup create stall --noudevsync --table '0 32768 linear /dev/ram1 0'
	dmsetup mknodes
	lio_ram ram512 128
	lio_ram null 128 512 rd_nullio=1
	lio_ram ram4096 16 4096
	lio_ram ram1024 16 1024
	lio_ram ram2048 16 2048
	lio_ram protected 16
	lio_block stall /dev/mapper/stall
	srpt_up $SRP_MAX_REQ_SIZE
}

# A file system with O_DIRECT, which tmpfs lacks, at $1.
scratch_up() {
	mkfs.ext4 -q -F /dev/ram0 && mkdir -p "$1" && mount /dev/ram0 "$1"
}

# I/O on LUN 6 gets no answer between these two.
stall_lun() { dmsetup suspend --noflush --nolockfs --noudevsync stall; }
resume_lun() { dmsetup resume --noudevsync stall; }

# url LUN [KEYS]
url() {
	echo "srp://$PORTAL/?id_ext=$GUID&ioc_guid=$GUID&lun=$1${2:+&$2}"
}

# ---- the kernel's initiator ------------------------------------------------

# wait_until COMMAND...: true within ten seconds
wait_until() {
	local tries=100
	until "$@"; do
		[ $((tries -= 1)) -gt 0 ] || return
		sleep 0.1
	done
}

peer_is_complete() {
	local n
	for n in {0..6}; do
		[ -b "$(peer_disk "$n")" ] || return
	done
}

# peer_login INITIATOR_EXT: 16 hex digits
peer_login() {
	local add=/sys/class/infiniband_srp/srp-rxe0-1/add_target
	modprobe ib_srp && wait_until test -e $add || return
	echo "id_ext=$GUID,ioc_guid=$GUID,dest=$PORTAL,initiator_ext=$1,queue_size=128,max_cmd_per_lun=64" \
		>$add || return
	if ! wait_until peer_is_complete; then
		echo "the kernel's initiator does not show all LUNs" >&2
		return 1
	fi
}

peer_logout() {
	local rport
	for rport in /sys/class/srp_remote_ports/port-*; do
		[ ! -e "$rport/delete" ] || echo 1 >"$rport/delete"
	done
}

# The block device behind LUN $1 of the kernel's session.
peer_disk() {
	local host dir
	for host in /sys/class/scsi_host/host*/id_ext; do
		host=${host%/id_ext}
		for dir in "/sys/bus/scsi/devices/${host##*/host}:0:0:$1"/block/*; do
			[ ! -e "$dir" ] || echo "/dev/${dir##*/}"
		done
	done
}
