# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# shellcheck shell=bash
#
# LUNs of srptgt come, go and change their size while the kernel's initiator
# is logged in: its SCSI layer says which unit attention it was given, and a
# rescan shows what there is now.
# shellcheck source=tests/interop/case.sh
. "${0%/*}/../case.sh"
# shellcheck source=tests/interop/srptgt.sh
. "${0%/*}/../srptgt.sh"

control=/run/srptgt.sock
# As the kernel has it for 06/3F/0E, 06/2A/09 and 06/2A/01.
luns_changed='LUN assignments on this target have changed'
size_changed='Capacity data has changed'
mode_changed='Mode parameters changed'

end() {
	kernel_logout
	tgt_kill
}
trap end EXIT

# tell REQUEST...: the answer's last line has to be an "ok".
tell() {
	run perl -MIO::Socket::UNIX -e '
		my $s = IO::Socket::UNIX->new(Peer => shift) or die "$!\n";
		$s->printflush("@ARGV\n");
		while (<$s>) { print; exit !/^ok/ if /^(ok|error:)/; }
		exit 1' $control "$@"
	expect "$(tr -c "a-zA-Z0-9\n" _ <<<"$*")" status=0
}

in_log() { dmesg | grep -c " $host:0:0:$1: .*$2"; }

# touch_lun NAME LUN TEXT: a read of it gets through, and the kernel has said
# once more that this is so on the LUN.
said_again() { [ "$(in_log "$1" "$2")" -gt "$said" ]; }
touch_lun() {
	said=$(in_log "$2" "$3")
	run dd "if=$(tgt_disk "$2")" of=/dev/null bs=4k count=1 iflag=direct
	expect "$1_is_read" status=0
	if wait_until said_again "$2" "$3"; then
		ok "$1_is_told"
	else
		not_ok "$1_is_told" "LUN $2: not in the kernel's log: $3" \
			"$(dmesg | tail -3)"
	fi
}

scan_host() { echo '- - -' >"/sys/class/scsi_host/host$host/scan"; }
scsi_device() { echo "/sys/class/scsi_device/$host:0:0:$1/device"; }

blocks_are() { [ "$(cat "$(scsi_device "$1")"/block/*/size)" -eq "$2" ]; }
has_blocks() { # NAME LUN BLOCKS_OF_512
	if wait_until blocks_are "$2" "$3"; then
		ok "$1"
	else
		not_ok "$1" "LUN $2 has $(cat "$(scsi_device "$2")"/block/*/size)"
	fi
}

tgt_start --control $control --lun 0=ram,size=16M --lun 1=ram,size=8M
kernel_login 2 1
# What a login tells of its own accord is over.
for lun in 0 1; do
	run dd "if=$(tgt_disk $lun)" of=/dev/null bs=4k count=1 iflag=direct
	expect "lun_${lun}_is_read" status=0
done

tell add 2=ram,size=4M
touch_lun added 0 "$luns_changed"
scan_host
if wait_until disk_is_there 2; then
	ok added_is_found
else
	not_ok added_is_found 'a scan shows no LUN 2'
fi
has_blocks added_has_its_size 2 8192
random_file /run/pattern $((4 << 20))
run dd if=/run/pattern "of=$(tgt_disk 2)" bs=64k oflag=direct
expect added_is_written status=0
run cmp /run/pattern "$(tgt_disk 2)"
expect added_is_read_back status=0

tell resize 1 33554432
touch_lun grown 1 "$size_changed"
echo 1 >"$(scsi_device 1)/rescan"
has_blocks grown_is_seen 1 65536
run dd "if=$(tgt_disk 1)" of=/dev/null bs=64k skip=511 count=1 iflag=direct
expect grown_is_read_to_its_end status=0
tell resize 1 4194304
touch_lun shrunk 1 "$size_changed"
echo 1 >"$(scsi_device 1)/rescan"
has_blocks shrunk_is_seen 1 8192

tell protect 1 yes
touch_lun protected 1 "$mode_changed"
run dd if=/dev/zero "of=$(tgt_disk 1)" bs=4k count=1 oflag=direct
expect protected_is_not_written status=1

disk=$(tgt_disk 2)
tell remove 2
touch_lun removed 0 "$luns_changed"
run dd "if=$disk" of=/dev/null bs=4k count=1 skip=3 iflag=direct
expect removed_is_not_read status=1
echo 1 >"$(scsi_device 2)/delete"
scan_host
if disk_is_there 2; then
	not_ok removed_is_not_found 'a scan shows LUN 2'
else
	ok removed_is_not_found
fi
run dd "if=$(tgt_disk 0)" of=/dev/null bs=64k iflag=direct
expect others_go_on status=0
