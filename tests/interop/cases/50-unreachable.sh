# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# shellcheck shell=bash
#
# Portals that do not answer, devices that may not be used: exit 3, with
# what is missing.
# shellcheck source=tests/interop/case.sh
. "${0%/*}/../case.sh"

keys="id_ext=$GUID&ioc_guid=$GUID&lun=1&login_timeout=3s"
probe() { run srplat "if=srp://$1/?$keys" of=/dev/null bs=4k count=1; }

probe 10.0.0.1:5556
expect nobody_listens status=3 says='10\.0\.0\.1' within=5000
probe 10.0.0.77
expect nobody_is_there status=3 says='10\.0\.0\.77' within=8000
probe 192.0.2.1
expect no_route status=3 says='192\.0\.2\.1' within=5000
probe 127.0.0.1
expect no_rdma_on_that_address status=3 within=5000

as_nobody=(setpriv --reuid=nobody --regid=nogroup --clear-groups
	--bounding-set=-all --inh-caps=-all)

# What a user may lock in memory is less than one buffer.
run "${as_nobody[@]}" sh -c 'ulimit -l 64; exec "$@"' sh \
	srplat "if=$(url 1)" of=/dev/null bs=1M count=1
expect memlock_too_small status=3 says='memlock' says='ulimit -l|LimitMEMLOCK'
run "${as_nobody[@]}" sh -c 'ulimit -l 0; exec "$@"' sh \
	srplat "if=$(url 1)" of=/dev/null bs=4k count=1
expect memlock_zero status=3 says='memlock' says='ulimit -l|LimitMEMLOCK'
run "${as_nobody[@]}" sh -c 'ulimit -l 8192; exec "$@"' sh \
	srplat "if=$(url 1)" of=/dev/null bs=4k count=16
expect memlock_of_8_mib_is_enough status=0

chmod 600 /dev/infiniband/*
run "${as_nobody[@]}" srplat "if=$(url 1)" of=/dev/null bs=4k count=1
expect no_permission status=3 says='may not be opened|permission' says=/dev/infiniband
chmod 666 /dev/infiniband/*
run "${as_nobody[@]}" srplat "if=$(url 1)" of=/dev/null bs=4k count=1
expect permission_again status=0
