#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# The library has its static probes, as a tracer lists them: with the
# arguments that doc/probes.md says, and with a semaphore, so that they cost
# next to nothing until one is used.
# shellcheck source=tests/lib/shell.sh
. "${top_srcdir:?}/tests/lib/shell.sh"

library=$shell_top/src/lib/.libs/libsrpi.so
grep -q '^#define HAVE_SYS_SDT_H 1' "$shell_top/config.h" ||
	skip "built without sys/sdt.h (systemtap-sdt-dev)"
need readelf

# "name number-of-arguments has-semaphore", one a probe, each once.
run readelf -n "$library"
expect_status 0
awk '$1 == "Provider:" { provider = $2 }
	$1 == "Name:" { name = $2 }
	$1 == "Location:" { semaphore = $NF !~ /^0x0+$/ }
	$1 == "Arguments:" && provider == "srpi" {
		print name, NF - 1, semaphore
	}' "$work/out" | sort -u >"$work/probes"
diff - "$work/probes" <<EOL || failed "the probes are not as expected"
delivered 5 1
posted 5 1
seen 5 1
submitted 5 1
woken 2 1
EOL
