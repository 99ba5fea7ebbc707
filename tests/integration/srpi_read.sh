#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# The example of srpi(3) reads, and says why where it can not.
# shellcheck source=tests/lib/shell.sh
. "${top_srcdir:?}/tests/lib/shell.sh"
PATH=$shell_top/examples:$PATH

for url in demo://ram 'demo://null?irqmode=thread&block=4096' \
	'demo://ram?completion=self&size=32K'; do
	run srpi_read "$url"
	expect_status 0
	expect_out '^soft0 to 127\..*: [0-9]+ commands at once, mode [a-z]+,'
	expect_out '^SRPD .*: 64 reads of (512|4096) bytes, [0-9.]+ us each$'
	expect_no_err
done

run srpi_read
expect_status 1
expect_one_sentence
run srpi_read demo://rom
expect_status 1
expect_one_sentence
expect_err 'did you mean demo://ram'
run srpi_read 'demo://ram?size=16K'
expect_status 1
expect_err 'too small'
