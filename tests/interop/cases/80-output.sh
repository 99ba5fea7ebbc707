# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# shellcheck shell=bash
#
# What the programs print about a real target.
# shellcheck source=tests/interop/case.sh
. "${0%/*}/../case.sh"

run srplat "if=$(url 1)" of=/dev/null bs=4k count=500 completion=self
expect table status=0
cat "$stdout" "$stderr" >/run/both
for want in '500\+0 records in' '500\+0 records out' \
	'2048000 bytes .*copied, [0-9.e-]+ s, ' 'p50' 'p99' 'p99\.9' 'max' 'IOPS'; do
	name=$(tr -c 'a-zA-Z0-9\n' _ <<<"$want")
	if grep -qE -- "$want" /run/both; then
		ok "table_has_$name"
	else
		not_ok "table_has_$name" "no line matches '$want'"
	fi
done

run srplat "if=$(url 1)" of=/dev/null bs=4k count=500 completion=self \
	output=json
expect json status=0
holds json_has_one_run '.runs | length == 1'
holds json_counts '.runs[0] | .count == 500 and .errors == 0 and
	.block_bytes == 4096 and .completion == "self"'
holds json_percentiles_rise '.runs[0].latency_ns |
	[.min, .p50, .p90, .p99, ."p99.9", ."p99.99", .max] |
	all(type == "number" and . > 0) and . == sort'
holds json_mean_is_between '.runs[0].latency_ns | .min <= .mean and .mean <= .max'
holds json_bandwidth_is_iops_times_size '.runs[0] |
	(.bandwidth_bytes_per_s / (.iops * .block_bytes) - 1) | fabs < 0.01'
holds json_latency_is_one_over_iops '.runs[0] |
	(.iops * .latency_ns.mean / 1e9) | . > 0.8 and . <= 1.02'
holds json_has_costs '.runs[0] | (.cpu_ns_per_io | type) == "number" and
	(.context_switches_per_io | type) == "number"'

run -t 60 srplat "if=$(url 1)" of=/dev/null bs=512 count=300 completion=all \
	output=json
expect all_modes status=0
holds all_modes_has_inline_and_self '[.runs[].completion] |
	contains(["inline"]) and contains(["self"])'
holds all_modes_without_errors '[.runs[].errors] | add == 0'

run srpbench loopback --target "$(url 1)" --depth 32 --bs 4096 --runtime 2 \
	--json
expect loopback status=0
holds loopback_has_iops '.iops > 100'
