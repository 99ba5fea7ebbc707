# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# shellcheck shell=bash
#
# Every reason for which LIO refuses a login, by name and number.
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
expect disabled_target status=4 says=0x00010001 says='insufficient resources'
srpt_enable
probe "$(url 1)"
expect enabled_again status=0

# 996 bytes is the least that ib_srpt takes; the IU's length follows from the
# number of descriptors it has room for.
srpt_down
srpt_up 996
probe "$(url 1 max_descs=255)"
expect iu_too_long status=4 says=0x00010002 says='IU length too large'
srpt_down
srpt_up $SRP_MAX_REQ_SIZE
probe "$(url 1)"
expect default_iu_length status=0
