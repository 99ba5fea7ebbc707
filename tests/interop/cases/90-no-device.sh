# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# shellcheck shell=bash
#
# No RDMA device, or none that user space reaches.
# shellcheck source=tests/interop/case.sh
. "${0%/*}/../case.sh"

at=$(url 1)
srpt_down
rebuild() {
	roce_up
	srpt_up $SRP_MAX_REQ_SIZE
}
trap rebuild EXIT

if ! roce_down; then
	not_ok the_device_can_be_deleted "rdma link delete failed"
	exit
fi
run srplat "if=$at" of=/dev/null bs=4k count=1
expect no_device status=3 says='no RDMA device' within=10000
run srpbench loopback --target "$at" --runtime 1 --json
expect no_device_for_srpbench status=3 within=10000

modprobe -r rdma_ucm
run srplat "if=$at" of=/dev/null bs=4k count=1
expect no_rdma_cm status=3 says='rdma_ucm|/dev/infiniband/rdma_cm' within=10000
