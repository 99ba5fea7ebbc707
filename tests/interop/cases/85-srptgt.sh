# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# shellcheck shell=bash
#
# The other way round: the kernel's initiator, and ours, against srptgt on the
# same soft-RoCE device. Two channels, a file system, resets during I/O.
# shellcheck source=tests/interop/case.sh
. "${0%/*}/../case.sh"
# shellcheck source=tests/interop/srptgt.sh
. "${0%/*}/../srptgt.sh"

mnt=/run/srptgt.mnt
pattern=/run/pattern back=/run/back

end() {
	umount $mnt 2>/dev/null
	kernel_logout
	tgt_kill
	rm -f $scratch/tgt $pattern $back
}
trap end EXIT

# copies NAME LUN BLOCK COUNT: written and read back in such pieces
copies() {
	run dd if=$pattern "of=$(tgt_disk "$2")" "bs=$3" "count=$4" oflag=direct
	expect "$1_written" status=0
	run dd "if=$(tgt_disk "$2")" of=$back "bs=$3" "count=$4" iflag=direct
	run cmp -n "$(stat -c %s $back)" $pattern $back
	expect "$1_read_back" status=0
}

random_file $pattern $((8 << 20))
truncate -s 32M $scratch/tgt
tgt_start --lun 0=ram,size=96M --lun 1=$scratch/tgt \
	--lun 2=ram,size=16M,block=4096 --lun 3=ram,size=1M,ro \
	--lun 4=null,size=1T

run srplat "if=$pattern" "of=$(tgt_url 0)" bs=64k
expect ours_writes status=0
run srplat "if=$(tgt_url 0)" of=$back bs=64k count=128
same ours_reads_back $pattern $back

kernel_login 2 4
copies ram_512 0 512 16
copies ram_1M 0 1M 8
copies ram_8M 0 8M 1
copies file_64k 1 64k 128
copies ram_4096 2 4k 64
run cmp -n $((8 << 20)) $pattern $scratch/tgt
expect file_has_it status=0
run dd if=/dev/zero "of=$(tgt_disk 3)" bs=4k count=1 oflag=direct
expect protected_is_seen status=1
run dd "if=$(tgt_disk 4)" of=/dev/null bs=1M count=16 iflag=direct
expect null_is_read status=0
run blkdiscard "$(tgt_disk 0)"
expect discard status=0

run mkfs.ext4 -q -F "$(tgt_disk 0)"
expect file_system_made status=0
mkdir -p $mnt
run mount "$(tgt_disk 0)" $mnt
expect file_system_mounted status=0
if command -v fio >/dev/null; then
	run -t 100 fio --name=verify --directory=$mnt --size=4M --rw=randwrite \
		--bs=16k --direct=1 --ioengine=libaio --iodepth=16 --numjobs=2 \
		--verify=crc32c --output=/dev/null
	expect fio_verifies status=0
fi
for i in 1 2 3; do
	dd if=$pattern of=$mnt/$i bs=64k oflag=direct status=none &
	pids[i]=$!
done
if command -v sg_reset >/dev/null; then
	for i in 1 2 3; do
		run sg_reset --no-esc --device "$(tgt_disk 0)"
		expect "reset_$i" status=0
	done
else
	skip resets 'there is no sg_reset'
fi
wait "${pids[@]}"
umount $mnt
mount "$(tgt_disk 0)" $mnt
for i in 1 2 3; do
	same "written_through_resets_$i" $pattern $mnt/$i
done
umount $mnt
kernel_logout

kill -INT "$tgt_pid"
command_line='kill -INT srptgt'
wait "$tgt_pid"
status=$?
cp $tgt_out "$stdout"
cp $tgt_err "$stderr"
expect ends status=0
# two of the kernel's, two of ours
if grep -q 'channels 0, logins [4-9]' $tgt_out; then
	ok channels_are_counted
else
	not_ok channels_are_counted "$(tail -1 $tgt_out)"
fi
