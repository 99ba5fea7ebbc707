#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# srpbench as a user has it: options, output, exit codes.
# shellcheck source=tests/lib/shell.sh
. "${top_srcdir:?}/tests/lib/shell.sh"

for benchmark in loopback pingpong; do
	run srpbench $benchmark --exchanges 2000 --depth 4 --json
	expect_status 0
	expect_out "^\{\"benchmark\":\"$benchmark\",.*\"exchanges\":20[0-9]{2},"
	expect_out '"iops":[0-9]+\.[0-9]'
	run srpbench $benchmark --runtime 0.05 --bs 512
	expect_status 0
	expect_out "^$benchmark, .*depth 32, 512 bytes$"
	for irqmode in none softirq timer thread; do
		run srpbench $benchmark --irqmode $irqmode --exchanges 500
		expect_status 0
		expect_out "irqmode.$irqmode"
	done
done

run srpbench --help
expect_status 0
expect_out '^usage: srpbench '
run srpbench --version
expect_status 0
expect_out '^srpbench \(srpd\) [0-9]'

# Whose CPU time is in the result is said.
run srpbench loopback --exchanges 100 --json
expect_out '"completion":"self",.*"includes_target":true'
run srpbench loopback --exchanges 100 --json --irqmode thread
expect_out '"includes_target":false'

for completion in inline thread poll self adaptive; do
	run srpbench loopback --exchanges 500 --completion $completion \
		--target 'demo://ram?size=1M&luns=2&lun=1'
	expect_status 0
	expect_out "completion $completion, depth 32, 4096 bytes"
done
run srpbench loopback --exchanges 500 --json --depth 16
expect_out '"per_io":\{"doorbells":0\.0[0-9]*,.*"arms":0\.0,'

# The counts are what they must be in every mode, whatever the machine does.
for irqmode in softirq thread; do
	run srpbench counts --check --exchanges 300 --irqmode $irqmode
	expect_status 0
	expect_out '^self +8 +256 +32 .* 0\.0000 +0\.0000 +0\.0000 '
	expect_out '^inline +1 +1 +1 +1\.0000 '
done
run srpbench counts --json --exchanges 100 --completion thread --bs 512
expect_status 0
expect_out '^\{"benchmark":"counts",.*"completion":"thread","queues":1,"depth":1,'
run srpbench stall --completion slef
expect_status 2
expect_err 'no completion mode "slef"'

# A read that takes long for any reason but the machine is found.
run srpbench stall --exchanges 3 --irqmode timer --completion-nsec 100000000 \
	--check
expect_status 6
expect_out '^3 longer than 10 ms, of which 3 not by waiting'
run srpbench stall --exchanges 20000 --irqmode thread --check --json
expect_status 0
expect_out '"exchanges":20000,.*"unexplained":0,'

# A mistake is told with the benchmark's name.
run srpbench loopback --fast
expect_status 1
expect_one_sentence
expect_err '^srpbench loopback: there is no such option: --fast;'
run srpbench pingpong --depth
expect_status 1
expect_err '^srpbench pingpong: a value is missing for --depth;'

run srpbench
expect_status 1
run srpbench loopbakc
expect_status 1
expect_err 'no benchmark "loopbakc"'
run srpbench loopback --dept 1 --nonsense
expect_status 1
run srpbench loopback extra
expect_status 1

# refused OPTION... : a bad value, said in one sentence.
refused() {
	local sentence=$1
	shift
	run srpbench loopback --exchanges 10 "$@"
	expect_status 2
	expect_one_sentence
	expect_err "^srpbench: .*$sentence"
}
refused 'depth=0 .*1 to 1024' --depth 0
refused '0x10' --depth 0x10
refused 'multiple of the LUN' --bs 1000
refused 'bs=0' --bs 0
refused 'more than the LUN has' --bs 128K --target 'demo://ram?size=64K'
refused 'did you mean demo://null' --target demo://nul
refused 'did you mean self' --completion slef
refused 'write irqmode= into the URL' --irqmode none --target demo://null
run srpbench loopback --exchanges 10 --target 'demo://null?luns=0'
expect_status 3
run srpbench loopback --exchanges 10 --target \
	'srp://127.0.0.9/?fabric=soft&login_timeout=300ms&id_ext=0000000000000001&ioc_guid=0000000000000001'
expect_status 3
