#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# The first signal ends srplat at once while it still connects: here to a host
# whose name is being looked up for ever.
# shellcheck source=tests/lib/shell.sh
. "${top_srcdir:?}/tests/lib/shell.sh"
need jq
[ "${SANITIZED:-}" != yes ] || skip 'a sanitizer wants to be loaded first'

cat >"$work/slow.c" <<'EOC'
#include <netdb.h>
#include <unistd.h>

int
getaddrinfo(const char *name, const char *service,
	const struct addrinfo *hints, struct addrinfo **out)
{
	(void)name;
	(void)service;
	(void)hints;
	(void)out;
	for (;;)
		if (write(2, "looking up\n", 11) == 11)
			sleep(100);
}
EOC
# CC may hold options.
# shellcheck disable=SC2086
${CC:-cc} -shared -fPIC -o "$work/slow.so" "$work/slow.c" ||
	failed 'the library that looks up for ever'

url='srp://host.example/?id_ext=0000000000000001&ioc_guid=0000000000000002'
# It would last for 100 s.
RUN_TIMEOUT=60
run_until 'looking up' env LD_PRELOAD="$work/slow.so" srplat if="$url" \
	fabric=soft
expect_status 130
expect_no_out
expect_err '^srplat: interrupted by signal 2 \(Interrupt\) before the first I/O'

run_until 'looking up' env LD_PRELOAD="$work/slow.so" srplat if="$url" \
	fabric=soft --json
expect_status 130
expect_json '.exit == 130 and (.runs | length) == 0 and
	(.error | test("nothing was measured"))'
