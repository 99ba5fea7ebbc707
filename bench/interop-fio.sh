#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# interop-fio.sh [SRPMATRIX_OPTION...]
#
# Runs in the guest of tests/interop, once its target is set up: one table of
# fio with our engine, in each completion mode, and with libaio and io_uring
# on the kernel's ib_srp, all on LIO's null LUN 1. The ratios are to inline.
# /out gets the JSON object and the page.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
# shellcheck source=tests/interop/lio.sh
. "$here/../tests/interop/lio.sh"

GUID=$(sed s/^0x// /sys/module/ib_srpt/parameters/srpt_service_guid)
SRPI_FIO_ENGINE=$(find /opt/srpd -name libfio-srpi.so | head -1)
export SRPI_FIO_ENGINE
peer_login 0000000000000001
trap peer_logout EXIT
disk=$(peer_disk 1)
queue=/sys/block/${disk##*/}/queue
echo none >"$queue/scheduler"
echo 2 >"$queue/nomerges"
host=$(readlink -f "/sys/block/${disk##*/}/device")
host=$(grep -o 'host[0-9]*' <<<"$host" | head -1)

echo "# all columns: the same LUN, depth, jobs and batches; no column has a CPU"
echo "#   of its own: fio, both initiators, soft-RoCE and the target (LIO) share"
echo "#   the guest's $(nproc) CPUs"
echo "# inline to adaptive: a connection a job"
echo "# libaio, io_uring: ib_srp with $(cat "/sys/class/scsi_host/$host/ch_count") connections, scheduler none, no merges"
echo "# CPU per I/O of the jobs includes what soft-RoCE does, for both ends, within"
echo "#   their system calls; LIO's own threads are in the last table alone"

measure() { # NAME OPTION...
	local name=$1
	shift
	echo "# $name: $*"
	srpmatrix --target "$(url 1)" --compare "$disk" --rw randread \
		--html "/out/fio-$name.html" "$@"
}
measure depth1 --bs 512,4k --jobs 1 --rounds 4 --runtime 500ms "$@"
measure deep --bs 4k --jobs 1,2 --depth 32 --rounds 4 --runtime 500ms "$@"
