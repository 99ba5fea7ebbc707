# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# shellcheck shell=bash
#
# Every job file of bench/fio, on the embedded target.
. "${top_srcdir:?}/tests/lib/shell.sh"
. "${top_srcdir:?}/tests/lib/fio.sh"

for job in "$jobs_dir"/*.fio; do
	run "$jobs_dir/run" "$job" --output-format=json
	only_json
	expect_clean
done

# as processes, each with a login and a target of its own
SRPI_COMPLETION=inline run "$jobs_dir/run" verify --output-format=json
only_json
expect_clean

# what needs blocks of another size
for block in 520 4096 4160; do
	run_fio "--target=demo://ram?block=$block&size=$((block * 4096))" \
		--rw=randwrite "--bs=$((block * 3))" --iodepth=8 \
		--verify=crc32c --verify_state_save=0
	expect_clean
done

# job files for another host are filled in there
export SRPI_TARGET=demo://null SRPI_COMPLETION=inline
background fio "--server=sock:$work/server" \
	>"$work/server.out" 2>&1
until [ -S "$work/server" ] || ! kill -0 "${shell_pids[-1]}"; do
	sleep 0.05
done
run fio "--client=sock:$work/server" "$jobs_dir/hosts.fio" \
	--output-format=json
expect_status 0
sed -n '/^{$/,/^}$/p' "$work/out" >"$work/json"
expect_report '.client_stats | length > 0 and all(.[]; .error == 0)'
expect_empty_folder
