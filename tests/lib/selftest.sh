#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# Proves that an expectation of tests/lib/shell.sh that is not met fails the
# test, and that one that is met does not.
# shellcheck source=tests/lib/shell.sh
. "${top_srcdir:?}/tests/lib/shell.sh"

# outcome TEXT: the exit status of a shell test that consists of TEXT.
outcome() {
	printf '. "%s/tests/lib/shell.sh"\n%s\n' "$top_srcdir" "$1" \
		>"$work/inner.sh"
	run bash "$work/inner.sh"
}

for met in 'run true; expect_status 0' \
	'run sh -c "exit 3"; expect_status 3' \
	'run echo abc; expect_out "^a.c$"; expect_no_err' \
	'run sh -c "echo abc >&2"; expect_err b; expect_one_sentence' \
	"run echo '{\"a\": [1]}'; expect_json '.a[0] == 1'" \
	'run_until here sh -c "echo here >&2; sleep 9"; expect_status 130' \
	'background sleep 100; expect "1 is 1" [ 1 -eq 1 ]'; do
	outcome "$met"
	expect_status 0
done
for unmet in 'run true; expect_status 1' 'run echo abc; expect_out "^b"' \
	'run echo abc; expect_err a' 'run echo abc; expect_no_out' \
	'run sh -c "echo abc >&2"; expect_no_err' \
	'run printf "a\nb\n"; expect_one_sentence' \
	'run sh -c "echo a >&2; echo b >&2"; expect_one_sentence' \
	'RUN_TIMEOUT=1; run sleep 10; expect_status 0' \
	'run echo no; expect_json true' 'run true; expect_json true' \
	'run_until never sh -c "echo ever >&2"' \
	'run echo 1; expect_json ". == 2"' \
	'run true; expect "1 is 2" [ 1 -eq 2 ]'; do
	outcome "$unmet"
	expect_status 1
	expect_out '^FAILED: '
done
outcome 'skip "no such thing"'
expect_status 77
outcome 'need no-such-command-here'
expect_status 77
