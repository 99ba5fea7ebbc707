# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# shellcheck shell=bash
#
# Random data written through one initiator and read back through the other
# and through ours, at every block size, and in every completion mode.
# shellcheck source=tests/interop/case.sh
. "${0%/*}/../case.sh"

peer_login 0000000000000001 ||
	not_ok the_kernel_logs_in "ib_srp did not log in"
trap peer_logout EXIT

# round_trip NAME LUN BYTES BLOCKS MODE SEEK: SEEK in blocks of BYTES
round_trip() {
	local name=$1 lun=$2 bs=$3 count=$4 mode=$5 seek=$6 disk
	disk=$(peer_disk "$lun")
	random_file $scratch/sent $((bs * count))
	rm -f $scratch/peer $scratch/back

	run srplat "if=$scratch/sent" "of=$(url "$lun")" "bs=$bs" "seek=$seek" \
		"count=$count" "completion=$mode"
	expect "${name}_written" status=0
	dd "if=$disk" of=$scratch/peer "bs=$bs" "skip=$seek" "count=$count" \
		iflag=direct status=none
	same "${name}_reaches_the_kernel" $scratch/sent $scratch/peer
	run srplat "if=$(url "$lun")" "of=$scratch/back" "bs=$bs" "skip=$seek" \
		"count=$count" "completion=$mode"
	expect "${name}_read" status=0
	same "${name}_comes_back" $scratch/sent $scratch/back
}

# every_size MODE
every_size() {
	local seek=3 bs
	for bs in 512 1024 2048 4096 8192 16384 32768 65536; do
		round_trip "$1_$bs" 0 "$bs" 96 "$1" $seek
		seek=$((seek + 7))
	done
	round_trip "$1_lun_of_4096" 2 8192 64 "$1" 1
	round_trip "$1_lun_of_1024" 3 3072 64 "$1" 1
	round_trip "$1_lun_of_2048" 4 2048 64 "$1" 1
}

# Who waits for the completion has nothing to do with the sizes: all of them
# in the modes asked for, two in the others.
for mode in $all_modes; do
	if [[ " $modes " == *" $mode "* ]]; then
		every_size "$mode"
	else
		round_trip "${mode}_65536" 0 65536 16 "$mode" 52
		round_trip "${mode}_lun_of_4096" 2 8192 64 "$mode" 1
	fi
done

# What the kernel wrote. The block before and the one after a write of ours
# must stay as they were.
random_file $scratch/whole 65536
dd if=$scratch/whole "of=$(peer_disk 0)" bs=64k oflag=direct status=none
run srplat "if=$(url 0)" of=$scratch/back bs=16k count=4
expect what_the_kernel_wrote_is_read status=0
same what_the_kernel_wrote_is_the_same $scratch/whole $scratch/back

random_file $scratch/part 4096
run srplat if=$scratch/part "of=$(url 0)" bs=512 count=8 seek=9
expect a_part_is_overwritten status=0
dd if=$scratch/part of=$scratch/whole bs=512 seek=9 conv=notrunc status=none
dd "if=$(peer_disk 0)" of=$scratch/peer bs=64k count=1 iflag=direct status=none
same nothing_else_is_overwritten $scratch/whole $scratch/peer
