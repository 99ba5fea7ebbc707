#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# Whatever srplat cannot do it says in one sentence, with the key and what is
# allowed, before any I/O; and as a JSON object where one was asked for.
# shellcheck source=tests/lib/shell.sh
. "${top_srcdir:?}/tests/lib/shell.sh"
need jq

file=$work/file
truncate -s 10000 "$file"

# refuses STATUS PATTERN OPERAND...: as text and as JSON.
refuses() {
	local status=$1 pattern=$2
	shift 2
	run srplat "$@"
	expect_refusal "$status" "$pattern"
	run srplat "$@" output=json
	expect_status "$status"
	# shellcheck disable=SC2016
	expect_json ".exit == $status and (.runs | length) == 0 and
		(.error | length) > 10"
}

refuses 1 'unknown option --fast' --fast if="$file"
refuses 2 'if= is missing' bs=4k
refuses 2 'unknown operand cuont=: did you mean count=\?' if="$file" cuont=1
refuses 2 "'4k' is not an operand" if="$file" 4k
refuses 2 'bs=4kk is not a number' if="$file" bs=4kk
refuses 2 'bs=0 is out of range: allowed is 1 to' if="$file" bs=0
refuses 2 'depth=2000 is out of range: allowed is 1 to 1024' if="$file" depth=2000
refuses 2 'pattern=random is not known.*did you mean rand' if="$file" pattern=random
refuses 2 'completion=slef is not known.*did you mean self' if="$file" completion=slef
refuses 2 'skip= begins at byte 40960, past the end' if="$file" bs=4k skip=10
refuses 2 'count= or runtime= is missing' if=/dev/zero of=/dev/null
refuses 2 'of=/dev/zero cannot be written to' if="$file" of=/dev/zero
refuses 2 'neither a regular file nor a block device' if=/dev/full
mkfifo "$work/fifo"
refuses 2 'if=.*fifo: a FIFO or socket has no places' if="$work/fifo"
refuses 2 'of=.*fifo: a FIFO or socket has no places' if=/dev/zero \
	of="$work/fifo" count=1
refuses 2 'pattern=rand would copy' if="$file" of="$work/copy" pattern=rand
refuses 3 'No such file or directory' if="$work/none"
refuses 3 'No such file or directory' if=/dev/zero of="$work/none/x" count=1

run srplat --help
expect_status 0
expect_out '^usage: srplat '
run srplat --version
expect_status 0
expect_out '^srplat \(srpd\) [0-9]'

# More memory than there may be. (A sanitizer needs very much of its own.)
if [ "${SANITIZED:-}" != yes ]; then
	run bash -c 'ulimit -v 2000000; exec srplat if="$1" bs=64M depth=1024' \
		-- "$file"
	expect_status 3
	expect_one_sentence
	expect_err 'depth=1024 buffers of .* are 65536 MiB: use a smaller bs='
fi

# Limits below a microsecond are told in full.
run srplat if=/dev/zero count=100 threshold=max:1ns
expect_status 6
expect_err 'max is [0-9.]+ us, more than 0\.001 us'

# Results that cannot be written are an error too.
run bash -c 'srplat if="$1" bs=4k >/dev/full' -- "$file"
expect_status 5
expect_err 'writing the results'
