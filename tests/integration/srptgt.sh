#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# srptgt without an RDMA device: help, refusals, and what it says when there
# is nothing to listen on. With a device it is tested by other people's
# initiators, see tests/interop.
# shellcheck source=tests/lib/shell.sh
. "${top_srcdir:?}/tests/lib/shell.sh"

run srptgt --help
expect_status 0
expect_out '--lun N=null\|ram\|PATH'

# refuses STATUS PATTERN OPTION...
refuses() {
	local status=$1 pattern=$2
	shift 2
	run srptgt "$@"
	expect_refusal "$status" "$pattern"
}

refuses 1 'unknown option --fast' --fast
refuses 2 '--listen is missing'
refuses 2 'req-lim=0 is out of range' --req-lim 0
refuses 2 'fabric=nosuch is not known' --fabric nosuch \
	--listen 127.0.0.1 --id-ext 0002c90300a0b0c0
refuses 2 'LUN 0: a size is needed' --listen 127.0.0.1 \
	--id-ext 0002c90300a0b0c0 --lun 0=ram
# A loopback address is no RDMA device's, with or without devices here.
refuses 3 'fabric verbs' --listen 127.0.0.1 --id-ext 0002c90300a0b0c0 \
	--lun 0=null,size=1G
