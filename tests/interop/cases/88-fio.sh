# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# shellcheck shell=bash
#
# fio's engine against LIO: the job files of bench/fio, jobs as threads and as
# processes, and a target that is stopped in the middle of a run.
# shellcheck source=tests/interop/case.sh
. "${0%/*}/../case.sh"

SRPI_ENGINE=$(find /opt/srpd -name libfio-srpi.so | head -1)
jobs=${0%/*}/../../../bench/fio
if [ -z "$SRPI_ENGINE" ]; then
	skip all "this build has no engine for fio: configure --with-fio=DIR"
	exit
fi
export SRPI_ENGINE SRPI_RUNTIME=1

# report FILTER: of fio's JSON, after lines of its own that begin with "fio:".
# (Of no output jq -e says nothing wrong.)
is_reported() {
	sed -n '/^{/,$p' "$stdout" >/run/fio.json
	[ -s /run/fio.json ] && jq -e "$1" /run/fio.json >/dev/null
}

reports() { # NAME FILTER
	if is_reported "$2"; then
		ok "$1"
	else
		not_ok "$1" "the report does not say: $2"
	fi
}

all_done='([.jobs[].error] | all(. == 0)) and
	([.jobs[] | .read.total_ios + .write.total_ios + .trim.total_ios] |
	all(. > 0))'

# An empty folder that nobody may write to stays as it was.
mkdir -p /run/fio.cwd
chmod 555 /run/fio.cwd
cd /run/fio.cwd || exit

for job in verify verify-odd mixed; do
	SRPI_TARGET=$(url 0) run -t 90 bash "$jobs/run" $job \
		--output-format=json
	expect $job.ends_well status=0
	reports $job.all_jobs_did_io "$all_done"
done
# Unlike the kernel's RAM disk, a file of srptgt's has UNMAP, see below.

many() { # NAME OPTION...
	local name=$1
	shift
	run -t 60 fio --name=many "--ioengine=external:$SRPI_ENGINE" \
		"--target=$(url 1)" --numjobs=33 --rw=randread --bs=4k \
		--number_ios=50 --output-format=json "$@"
	expect "$name.end_well" status=0
	reports "$name.all_did_io" \
		"(.jobs | length == 33) and $all_done"
}
many 33_processes
many 33_threads --thread

# A target of ours that is stopped: fio ends by runtime and io_timeout, with
# an error and what it had measured.
portal=10.0.0.1:5557
id=0002c90300a0b0c1
srptgt --listen $portal --id-ext $id --lun 0=ram,size=16M \
	>/run/srptgt.out 2>/run/srptgt.err &
tgt_pid=$!
listens() { grep -q ^srp: /run/srptgt.out; }
wait_until listens
SRPI_TARGET="srp://$portal/?id_ext=$id&ioc_guid=$id" \
	run -t 60 bash "$jobs/run" trim --output-format=json
expect trim.ends_well status=0
reports trim.all_jobs_did_io "$all_done"

begin fio --name=stopped "--ioengine=external:$SRPI_ENGINE" \
	"--target=srp://$portal/?id_ext=$id&ioc_guid=$id" --io_timeout=3s \
	--rw=randread --bs=4k --iodepth=4 --thread --time_based --runtime=8 \
	--output-format=json --status-interval=1
does_io() { grep -q '"total_ios" : [1-9]' "$stdout"; }
wait_until does_io
kill -STOP $tgt_pid
mark
finish 40
kill -CONT $tgt_pid
if [ $status -ne 0 ] && [ $took_ms -le 14000 ]; then
	ok stopped_target.fio_ends_with_an_error
else
	not_ok stopped_target.fio_ends_with_an_error
fi
# the last report of several, between lines of fio's own
grep -E '^([{}]|[[:space:]])' "$stdout" >/run/fio.json
if jq -se 'last | .jobs[0] | .error != 0 and .read.total_ios > 0' \
	/run/fio.json >/dev/null; then
	ok stopped_target.its_statistics_are_there
else
	not_ok stopped_target.its_statistics_are_there
fi
kill $tgt_pid
wait $tgt_pid
cd /
if [ -z "$(ls -A /run/fio.cwd)" ]; then
	ok the_working_directory_stays_empty
else
	not_ok the_working_directory_stays_empty "$(ls -A /run/fio.cwd)"
fi
