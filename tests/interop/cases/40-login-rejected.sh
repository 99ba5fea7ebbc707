# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# shellcheck shell=bash
#
# The reasons for which LIO refuses a login, by name and number; IUs that are
# too long for it are in 90-device-lost.
# shellcheck source=tests/interop/case.sh
. "${0%/*}/../case.sh"

base="srp://$PORTAL/"
other=0123456789abcdef
probe() { run srplat "if=$1" of=/dev/null bs=4k count=1; }

probe "$base?id_ext=$other&ioc_guid=$GUID&lun=1"
expect wrong_id_ext status=4 says=0x00010003 says='unable to associate'
probe "$base?id_ext=$GUID&ioc_guid=$other&lun=1"
expect wrong_ioc_guid status=4 says=0x00010003 says='unable to associate'

probe "$(url 1 "initiator_id=00000000deadbeef$(roce_guid)")"
expect unlisted_initiator status=4 says=0x00010006 says='channel limit'

srpt_disable
probe "$(url 1)"
expect disabled_target status=4 says=0x00010001 says='insufficient rdma channel resources'
srpt_enable
probe "$(url 1)"
expect enabled_again status=0
