#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# Above src/fabric and src/softrdma, verbs are reached through struct fabric,
# except the four calls that libibverbs inlines and the names of codes. Some
# library calls are macros that read the library's private records: on a
# software device they crash, and nm does not see them all, so the source is
# looked at too.
# shellcheck source=tests/lint/lint.sh
. "$(dirname "$0")/lint.sh"

symbols='ibv *_str'
calls='ibv *_str ibv_post_send ibv_post_recv ibv_poll_cq ibv_req_notify_cq'

above() {
	grep -vE '^src/(fabric|softrdma)/' || true
}

for object in $(lint_objects | above); do
	while read -r symbol; do
		in_table "$symbols" ibv "$symbol" ||
			complain "$object names $symbol: use struct fabric"
	done < <(nm -u --format=just-symbols "$lint_objs/$object" |
		sed 's/@.*//' | grep -E '^(_*ibv|rdma)_' || true)
done
for file in $(lint_files src -- -name '*.[ch]' | above); do
	while read -r call; do
		in_table "$calls" ibv "$call" ||
			complain "$file calls $call: use struct fabric"
	done < <(lint_code "$file" |
		grep -oE '(^|[^a-z0-9_>.])(ibv|rdma)_[a-z0-9_]+ *\(' |
		grep -oE '(ibv|rdma)_[a-z0-9_]+' | sort -u)
done
lint_finish
