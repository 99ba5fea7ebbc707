# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# shellcheck shell=bash
#
# What can't be done with a LUN is refused before any I/O.
# shellcheck source=tests/interop/case.sh
. "${0%/*}/../case.sh"

random_file $scratch/data 65536
run srplat "if=$scratch/data" "of=$(url 5)" bs=4k count=1
expect a_protected_lun_is_not_written status=2 says='protect|read-only'
# LIO complains of the first WRITE that it has to turn down.
if dmesg | grep -q 'Detected WRITE_PROTECTED'; then
	not_ok a_protected_lun_sees_no_write "the target got a WRITE command"
else
	ok a_protected_lun_sees_no_write
fi
run srplat "if=$(url 5)" of=/dev/null bs=4k count=8
expect a_protected_lun_is_read status=0

run srplat "if=$(url 2)" of=/dev/null bs=512 count=1
expect a_size_below_the_block_is_refused status=2 says=4096
run srplat "if=$(url 2)" of=/dev/null bs=6144 count=1
expect a_size_between_blocks_is_refused status=2 says=4096
run srplat "if=$(url 0)" of=/dev/null bs=1000 count=1
expect a_size_off_512_is_refused status=2 says=512
run srplat "if=$scratch/data" "of=$(url 4)" bs=512 count=1
expect a_write_below_the_block_is_refused status=2 says=2048

# 128 MiB: the last 4 KiB block is number 32767.
run srplat "if=$(url 0)" of=/dev/null bs=4k count=1 skip=32767
expect the_last_block_is_read status=0
run srplat "if=$(url 0)" of=/dev/null bs=4k count=2 skip=32767
expect reading_over_the_end_is_refused status=2 says='end|beyond|past'
run srplat "if=$scratch/data" "of=$(url 0)" bs=4k count=2 seek=32767
expect writing_over_the_end_is_refused status=2 says='end|beyond|past'
run srplat "if=$(url 0)" of=/dev/null bs=4k count=1 skip=4503599627370496
expect an_offset_of_2_to_the_64_is_refused status=2
