# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# shellcheck shell=bash
#
# The link goes down, the RDMA device goes away, and a target comes back that
# takes only short IUs. In one case, and the last, because the way from each
# to the next leads over tearing down the target, which takes long.
# shellcheck source=tests/interop/case.sh
. "${0%/*}/../case.sh"

# With the link down rxe says nothing, or fails the next SEND: both happen.
# A CM message sent meanwhile leaves its QP 1 in error, so that the device has
# to be made anew afterwards.
at=$(url 1)
for mode in $modes; do
	long_run 1 "$mode" 5
	mark
	ip link set roce0 down
	finish 30
	expect "${mode}_link_down" status=5 within=10000
	ip link set roce0 up
	wait_until grep -q ACTIVE $port/state
	srpt_down
	roce_down || not_ok the_device_can_be_deleted "rdma link delete failed"
	if [ "$mode" != "${modes##* }" ]; then
		roce_up
		srpt_up $SRP_MAX_REQ_SIZE
	fi
done

run srplat "if=$at" of=/dev/null bs=4k count=1
expect no_device status=3 says='no RDMA device' within=10000
run srpbench loopback --target "$at" --runtime 1 --json
expect no_device_for_srpbench status=3 within=10000

# 996 bytes is the least that ib_srpt takes. The IU's length follows from the
# number of descriptors it has room for, so another login with fewer of them
# gets through; the reason for it is told.
roce_up
srpt_up 996
run srplat "if=$(url 1 max_descs=255)" of=/dev/null bs=4k count=1
expect iu_too_long status=0 says=0x00010002 says='IU length too large'
run srplat "if=$(url 1 max_descs=16)" of=/dev/null bs=4k count=1
expect short_iu status=0

# librdmacm has the kernel load it otherwise.
echo /bin/false >/proc/sys/kernel/modprobe
modprobe -r rdma_ucm
run srplat "if=$(url 1)" of=/dev/null bs=4k count=1
expect no_rdma_cm status=3 says='rdma_ucm|/dev/infiniband/rdma_cm' within=10000
echo /sbin/modprobe >/proc/sys/kernel/modprobe
modprobe rdma_ucm
