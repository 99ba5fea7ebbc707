#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# srpmatrix: what it asks of fio, what it makes of the answers, whatever these
# are, and how it ends. fio is a script here that says what it is told to;
# srpmatrix_fio.sh has the real one.
# shellcheck source=tests/lib/shell.sh
. "${top_srcdir:?}/tests/lib/shell.sh"
need jq

# A fio that takes no time: a mode's IOPS are in $work/MODE, 1000 where there
# is no such file; a file $work/say is run in its place.
cat >"$work/fio" <<'EOF_FIO'
#!/bin/bash
here=${0%/*}
if [ "$1" = --version ]; then
	echo fio-3.33
	exit
fi
echo "$*" >>"$here/asked"
mode=kernel stats=''
for arg; do
	case $arg in
	--completion=*) mode=${arg#*=} ;;
	--stats_file=*) stats=${arg#*=} ;;
	esac
done
[ ! -e "$here/say" ] || . "$here/say"
iops=$(cat "$here/$mode" 2>/dev/null || echo 1000)
[ -z "$stats" ] || cat >"$stats" <<END
{"pid":1,"thread":{"user_us":900,"system_us":100,"voluntary_switches":90,"involuntary_switches":10},"session":{"commands":100,"doorbells":50,"events":25,"thread_cpu_ns":1000000}}
END
none='{"total_ios":0,"iops":0,"bw_bytes":0,"lat_ns":{"min":0,"max":0,"mean":0}}'
cat <<END
fio: a note
{
"jobs":[{"error":0,"job_runtime":10,"usr_cpu":50,"sys_cpu":0,"ctx":200,
"write":$none,
"read":{"total_ios":100,"iops":$iops,"bw_bytes":512000,
"lat_ns":{"min":1000,"max":9000,"mean":2000.5,"bins":{"1000":98,"9000":2}}}}]
}
END
EOF_FIO
chmod +x "$work/fio"
: >"$work/engine.so"
target='demo://ram?size=1M'
with=(--fio "$work/fio" --engine "$work/engine.so" --rounds 4 --runtime 10ms)
matrix=(srpmatrix --target "$target" "${with[@]}")

# ---- what is refused, in one sentence and as an object --------------------

refuses() {
	local status=$1 pattern=$2
	shift 2
	run "$@"
	expect_refusal "$status" "$pattern"
	run "$@" --json
	expect_status "$status"
	expect_json ".program == \"srpmatrix\" and .exit == $status and
		(.rows | length) == 0 and (.error | length) > 10"
}

refuses 1 'unknown option --fast' srpmatrix --fast
refuses 2 '--target is missing' srpmatrix
refuses 2 "'demo://ram' is not an option" srpmatrix demo://ram
refuses 2 '--bs=4kk is not a number' "${matrix[@]}" --bs 4kk
refuses 2 '--bs 100: allowed are multiples of 512' "${matrix[@]}" --bs 100
refuses 2 '--bs 2097152: allowed' "${matrix[@]}" --bs 2M
refuses 2 '--completion=slef.*did you mean self' "${matrix[@]}" \
	--completion slef
refuses 2 'completion= would win' srpmatrix "${with[@]}" \
	--target 'demo://ram?completion=self'
refuses 2 'size=fat' srpmatrix "${with[@]}" --target 'demo://ram?size=fat'
refuses 3 'fio at /nonexistent/fio: No such file' "${matrix[@]}" \
	--fio /nonexistent/fio
refuses 3 'no-such-fio can not be run: No such file.*install' "${matrix[@]}" \
	--fio no-such-fio
refuses 3 'does not answer as fio does' "${matrix[@]}" --fio /bin/true
refuses 3 'the engine /nonexistent.so: No such file' "${matrix[@]}" \
	--engine /nonexistent.so
refuses 3 'the engine /usr: it is not a file' "${matrix[@]}" --engine /usr
refuses 3 'fio at /usr: it is not a file' "${matrix[@]}" --fio /usr
refuses 3 '--compare /dev/nosuch: No such file' "${matrix[@]}" \
	--compare /dev/nosuch
# Where fio would have its folder: not there, no folder, none to write in.
for place in "$work/nowhere" "$work/engine.so" /proc/self; do
	TMPDIR=$place refuses 2 "(TMPDIR|folder in) ($place|/proc/[0-9]+).*: " \
		"${matrix[@]}"
done
refuses 2 '/nonexistent/x.html: cannot write' "${matrix[@]}" \
	--html /nonexistent/x.html

run srpmatrix --help
expect_status 0
expect_out '^usage: srpmatrix --target URL'
run srpmatrix --version
expect_status 0
expect_out '^srpmatrix \(srpd\) [0-9]'

# ---- the matrix -----------------------------------------------------------

echo 900 >"$work/thread"
echo 2000 >"$work/poll"
echo 1990 >"$work/adaptive"
rm -f "$work/asked"
run "${matrix[@]}" --bs 512,4k --jobs 1,128 --published
expect_status 0
expect_out '^ +bs jobs +inline +thread +poll +self +adaptive$'
expect_out '^ +512 +1 +1000\.?0* +900 +2000 +1000 +1990$'
expect_out '^ +4k +128 '
expect_out '^ +512 +1 +1\.00\+-0% +0\.90\+-0% +2\.00\+-0% +1\.00\+-0%'
expect_out '^ +512 +1 +25400 +25400 +23100 +0\.91 +0\.90'
expect_out 'lowest (0\.99|1\.00)\+-0% \(.* to poll\)'
expect_err 'round 1 of 4, 512 x 1 job, inline: [0-9]+ s left'
expect_err '^srpmatrix: done$'
expect 'one run a mode and round, and inline twice' \
	test "$(wc -l <"$work/asked")" -eq $((4 * 4 * 6))
# Forwards, then backwards.
order=$(grep -oE 'completion=[a-z]+ .*--bs=512 --numjobs=1 ' "$work/asked" |
	grep -oE '^completion=[a-z]+' | cut -d= -f2 | head -n 12 | xargs)
expect "ABBA, not: $order" test "$order" = "inline thread poll self adaptive \
inline inline adaptive self poll thread inline"

truncate -s 1M "$work/dev:ice"
run "${matrix[@]}" --bs 512 --jobs 2 --compare "$work/dev:ice" --depth 8 \
	--rw randread --fork --json
expect_status 0
expect_json '.rows | length == 1'
expect_json '[.rows[0].modes[].name] == ["inline", "thread", "poll", "self",
	"adaptive", "libaio", "io_uring"]'
expect_json '.rows[0].modes[2] | .median.iops == 2000 and
	.ratio.iops.estimate > 1.999 and .ratio.iops.pairs == 4 and
	(.rounds | length) == 4 and .steady.verdict == "steady"'
expect_json '.rows[0].modes[0] | .baseline and (.rounds | length) == 8 and
	([.rounds[] | select(.again)] | length) == 4'
# 1 ms of the job and 1 ms of the library, on 100 commands.
expect_json '.rows[0].modes[1].median | .cpu_ns_per_io == 20000 and
	.context_switches_per_io == 1 and .doorbells_per_io == 0.5 and
	.events_per_io == 0.25 and .latency_ns.max == 9000'
expect_json '.rows[0].modes[5] | .kind == "kernel" and
	.median.doorbells_per_io == null and
	.median.context_switches_per_io == 2'
expect_json '.rows[0].modes[0].latency_ns | .count == 400 and
	([.buckets[][2]] | add) == 400'
expect_json '.settings.cells == [[512, 2]] and .settings.depth == 8 and
	.settings.jobs_as == "processes" and .rows[0].rw == "randread"'
expect_json '(.machine.nr_cpus > 0) and .fio.version == "fio-3.33" and
	.target.block_bytes == 512 and (.date | test("^20.*Z$"))'
expect_json '.rounds_done == 4 and (.interrupted | not) and .exit == 0'
expect 'the device is read directly' grep -q -- \
	"--ioengine=libaio --filename=.*/dev.:ice --direct=1 .*--iodepth=8" \
	"$work/asked"
expect 'no thread with --fork' test \
	"$(tail -n 1 "$work/asked" | grep -c -- --thread)" -eq 0
run "${matrix[@]}" --bs 512 --jobs 2 --compare "$work/dev:ice"
expect_status 0
expect 'no line is wider than 80 columns' \
	test "$(awk 'length($0) > 80' "$work/out" | wc -l)" -eq 0

# ---- a fio that fails -----------------------------------------------------

matrix+=(--bs 512 --jobs 1)
# shellcheck disable=SC2016
echo '[ "$mode" != poll ] || { echo "srpi: no such luck" >&2; exit 1; }' \
	>"$work/say"
run "${matrix[@]}"
expect_status 5
expect_out '^ +512 +1 +1000\.?0* +900 +failed'
expect_out '^failed: 512 x 1, poll, round 1: fio ended with status 1: srpi: no such luck$'
expect_err '^srpmatrix: 1 of the .* failed'
run "${matrix[@]}" --json
expect_status 5
expect_json '.exit == 5 and .rows[0].adaptive == null and
	(.rows[0].modes[2] | .median.iops == null and .latency_ns == null and
	(.error | test("no such luck")))'

# hostile SCRIPT PATTERN: such a fio is told in a row's sentence.
hostile() {
	echo "$1" >"$work/say"
	run "${matrix[@]}" --completion inline
	expect_status 5
	expect_out "^failed: 512 x 1, inline, round 1: .*$2"
}
hostile 'echo "{"; exit 0' 'not JSON'
hostile 'exit 0' 'it is empty'
hostile 'echo "{}"; exit 0' 'the one group of jobs'
hostile 'head -c 1000000 /dev/zero; exit 0' 'not JSON'
hostile 'kill -SEGV $$' 'ended by signal 11'
hostile 'stats=""' 'no counters'
# shellcheck disable=SC2016
hostile 'echo x >"$stats"; stats=""' 'counters is not what'
hostile 'echo "{\"jobs\":[{\"error\":5}]}"; exit 1' 'error 5 \(Input/output'
rm "$work/say"

# ---- and how it ends ------------------------------------------------------

echo 'sleep 0.02' >"$work/say"
run_until 'round 2 of' "${matrix[@]}" --rounds 1000
expect_status 130
expect_out '^ +512 +1 +1000'
expect_out 'interrupted: [0-9]+ of 1000 rounds'
expect_err 'interrupted by signal 2'
run_until 'round 2 of' "${matrix[@]}" --rounds 1000 --json
expect_status 130
expect_json '.interrupted and .exit == 130 and .rounds_done >= 1 and
	.rounds_done < 1000 and .rows[0].modes[0].median.iops == 1000'

# A fio that hangs does not outlive us.
# shellcheck disable=SC2016
echo 'echo $$ >"$here/pid"; exec sleep 600' >"$work/say"
run_until 'round 1 of' "${matrix[@]}"
expect_status 130
expect 'fio is gone' test ! -e "/proc/$(cat "$work/pid" 2>/dev/null || echo none)"
rm "$work/say"

run bash -c '"$@" >/dev/full' -- "${matrix[@]}"
expect_status 5
expect_err 'writing the results'

# Nothing is left behind, and the working directory stays as it was.
mkdir "$work/empty"
run env -C "$work/empty" "$(command -v srpmatrix)" "${matrix[@]:1}"
expect_status 0
expect 'an empty folder stays empty' test -z "$(ls -A "$work/empty")"

# Nor in the folder that is asked for, which may be named from here.
# shellcheck disable=SC2016
echo 'pwd >"$here/ran_in"' >"$work/say"
mkdir "$work/long name"
run env -C "$work" TMPDIR='long name' "$(command -v srpmatrix)" "${matrix[@]:1}"
expect_status 0
expect 'fio ran in TMPDIR' \
	grep -qE "^$work/long name/srpmatrix-[A-Za-z0-9]{6}$" "$work/ran_in"
expect 'and left it' test -z "$(ls -A "$work/long name")"
