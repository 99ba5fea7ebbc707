# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# shellcheck shell=bash
#
# What tests of fio's engine share; sourced after shell.sh. Each runs in an
# empty folder, $cwd, which has to stay empty. shell.sh sets what is used
# here, the test uses what is set.
# shellcheck disable=SC2034,SC2154

if [ "${HAVE_FIO:-no}" != yes ]; then
	skip "built without fio's headers: configure --with-fio=DIR"
fi
need fio jq
engine=$(realpath "$shell_top/src/fio/.libs/libfio-srpi.so")
jobs_dir=$(realpath "${top_srcdir:?}/bench/fio")
cwd=$work/cwd
mkdir "$cwd"
cd "$cwd" || exit
export SRPI_ENGINE=$engine SRPI_RUNTIME=200ms
# fio's buffers are large: poisoning them takes longer than the test.
unset MALLOC_PERTURB_

# only_json: $work/json gets fio's report, the last of several. When a job
# fails fio itself puts lines before it, all of which begin with "fio:".
only_json() {
	awk '/^{$/ { text = "" } { text = text $0 "\n" }
		END { printf "%s", text }' "$work/out" >"$work/json"
	grep -vE '^(fio: |$|[{} ])' "$work/out" >"$work/strange"
	[ ! -s "$work/strange" ] || failed "strange lines on stdout"
	jq -e . "$work/json" >/dev/null 2>&1 || failed "the report is not JSON"
}

# run_fio OPTION...: a job of the engine, to a report in JSON.
run_fio() {
	run fio --name=job "--ioengine=external:$engine" "$@" \
		--output-format=json
	only_json
}

# expect_report FILTER: jq's, of the report.
expect_report() {
	jq -e "$1" "$work/json" >/dev/null 2>&1 || failed "not so: $1"
}

# expect_clean: every job did something, without an error or a word of ours.
expect_clean() {
	expect_status 0
	expect_report '(.jobs | length) > 0 and all(.jobs[]; .error == 0 and
		(.read.total_ios + .write.total_ios + .trim.total_ios) > 0)'
	! grep -q srpi: "$work/err" || failed "a message of the engine"
	expect_empty_folder
}

expect_empty_folder() {
	[ -z "$(ls -A "$cwd")" ] || failed "files appeared: $(ls -A "$cwd")"
}
