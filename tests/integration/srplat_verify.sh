#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# srplat verify=: a pattern written, read back, and checked again by another
# run; what is not as written is told with LUN, LBA, offset and bytes.
# shellcheck source=tests/lib/shell.sh
. "${top_srcdir:?}/tests/lib/shell.sh"
need jq dd

file=$work/file

# poke OFFSET: changes one byte of the file, whatever it was.
poke() {
	local byte
	byte=$(dd if="$file" bs=1 skip="$1" count=1 status=none | od -An -tu1)
	# shellcheck disable=SC2059
	printf "\\$(printf %o $((byte ^ 255)))" |
		dd of="$file" bs=1 seek="$1" count=1 conv=notrunc status=none
}

# Every block size, in order and not, shallow and deep.
for block in 512 520 528 4096 4104 4160; do
	for pattern in seq rand; do
		run srplat verify=write bs=2b depth=8 pattern=$pattern \
			of="demo://ram?block=$block&size=$((block * 64))" \
			output=json
		expect_status 0
		expect_json ".verify | .block_bytes == $block and
			.good_blocks == 64 and (.mismatch | not) and .seed > 0"
		expect_json '.runs | length == 2 and .[0].operation == "write"
			and .[1].operation == "read" and .[0].count == 32 and
			.[1].count == 32'
	done
done
run srplat verify=write of='demo://ram?size=1M' bs=4k completion=all
expect_status 0
expect_out '^inline write +[0-9.]+ '
expect_out '^inline read +[0-9.]+ '
expect_out '^verify: [0-9]+ blocks of 512 bytes are as written, seed=[0-9]+$'

# A LUN on a file: one run writes, another checks, in another order and size.
truncate -s 1M "$file"
lun="demo://$file"
run srplat verify=write of="$lun" bs=4k seed=77 conv=fsync
expect_status 0
expect_err '^256\+0 records in$'
expect_err '^256\+0 records out$'
run srplat verify=read if="$lun" bs=16k depth=4 pattern=rand output=json
expect_status 0
expect_json '.verify | .seed == 77 and .good_blocks == 2048'
run srplat verify=read if="$lun" bs=4k skip=3 count=5
expect_status 0

# Another seed: not what this run wrote.
run srplat verify=read if="$lun" bs=4k seed=78
expect_status 7
expect_err 'LUN 0, LBA 0 is not what was written: .* with seed 77 left it$'

# One byte of one block: LBA 1000 + offset 300.
poke $((1000 * 512 + 300))
run srplat verify=read if="$lun" bs=4k
expect_status 7
expect_err 'LUN 0, LBA 1000 is not what was written: the first wrong byte is at offset 300 of the block, expected [0-9a-f ]+, found [0-9a-f ]+; .*damaged$'
run srplat verify=read if="$lun" bs=4k output=json
expect_status 7
expect_json '.exit == 7 and (.error | test("LBA 1000")) and
	(.verify | .mismatch and .lba == 1000 and .offset_in_block == 300)'
run srplat verify=read if="$lun" bs=4k count=125
expect_status 0

# A block that went to the wrong place.
run srplat verify=write of="$lun" bs=4k
expect_status 0
dd if="$file" of="$file" bs=512 skip=10 seek=20 count=1 conv=notrunc status=none
run srplat verify=read if="$lun" bs=4k
expect_status 7
expect_err 'LBA 20 is not .* is whole, but is LBA 10 '

# Plain files: the same, with blocks of 512 bytes.
rm "$file"
run srplat verify=write of="$file" bs=4k count=16 depth=4
expect_status 0
expect 'as long as asked' test "$(stat -c %s "$file")" -eq 65536
run srplat verify=read if="$file" bs=8k
expect_status 0
poke 5120
run srplat verify=read if="$file" bs=8k
expect_status 7
expect_err "$file: LBA 10 is not .* at offset 0 of the block"
head -c 65536 /dev/zero >"$file"
run srplat verify=read if="$file" bs=4k
expect_status 7
expect_err 'does not begin as srplat writes it'

# By time and interrupted: what was written is checked, nothing else.
run srplat verify=write of='demo://ram?size=64M' runtime=50ms depth=4 output=json
expect_status 0
expect_json '.runs[0].count > 0 and .runs[0].count == .runs[1].count'

# At a rate too.
run srplat verify=write of='demo://ram?size=64K' rate=5k depth=4 output=json
expect_status 0
expect_json '.verify.good_blocks == 128 and .runs[1].response_ns.max > 0'

run srplat verify=write of='demo://ram?size=64K' bs=4k count=17 pattern=rand
expect_status 2
expect_err 'count=17 is more than there is to verify: .* up to 16'
