#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# srplat output=html: a page of whatever came of the run, with the result
# inside. How it looks is html_browser.sh's.
# shellcheck source=tests/lib/shell.sh
. "${top_srcdir:?}/tests/lib/shell.sh"
need jq
page=$work/page.html

# data: the document in the page, as jq's input.
data() {
	sed -n 's|.*<script type="application/json" id="data">\(.*\)</script>$|\1|p' \
		"$page" >"$work/out"
}

expect_page() { # ERE
	grep -qE -- "$1" "$page" || failed "the page has nothing like: $1"
}

# The table is on standard output all the same; the page has the histograms.
run srplat if='demo://ram?size=1M&irqmode=thread' bs=4k count=240 \
	completion=all output=html:"$page"
expect_status 0
expect_out '^inline +[0-9.]+ '
expect_page '^<h1>[a-z]+ is fastest: a 4 KiB read takes '
data
expect_json '.program == "srplat" and (.runs | length) >= 4 and
	([.runs[].histogram.buckets | length > 0] | all) and
	(.settings.command | any(startswith("output=html:")))'
expect_json '[.runs[] | .rounds | length == 6] | all'
expect_json '.noise.p50.pairs == 5 and .method.confidence > 0.9'

# With JSON beside it, the same.
run srplat if=demo://ram count=20 output=json output=html:"$page"
expect_status 0
expect_json '.runs[0].histogram.count == 20'
jq -S . "$work/out" >"$work/printed"
data
jq -S . "$work/out" >"$work/inside"
expect 'the same result in the page' cmp -s "$work/printed" "$work/inside"

# Of a sweep the points, not every histogram.
run srplat if=demo://ram count=20 sweep=depth:1-8 output=html:"$page"
expect_status 0
expect_page 'id="load"'
data
expect_json '(.sweep[0].points | length) == 4 and
	([.runs[] | has("histogram")] | any | not)'

# Rates, stages, verification, merged results.
run srplat if=demo://ram count=50 rate=10k stages=yes output=html:"$page"
expect_status 0
expect_page 'self service|adaptive service'
expect_page 'id="stages"'
run srplat verify=write of='demo://ram?size=64k' output=html:"$page"
expect_status 0
expect_page '^<h1>All [0-9,]+ blocks are as written</h1>'
run srplat if=demo://ram count=20 output=json histogram=yes
cp "$work/out" "$work/a.json"
run srplat merge "$work/a.json" "$work/a.json" output=html:"$page"
expect_status 0
data
expect_json '.merged_files == 2'

# A name from outside stays a name.
hostile="$work/<script>alert(1)<"
head -c 8192 /dev/zero >"$hostile"
run srplat if="$hostile" count=4 output=html:"$page"
expect_status 0
expect 'one script' test "$(grep -c '<script' "$page")" -eq 1
expect_page '&lt;script&gt;alert\(1\)'
data
expect_json '.runs[0].input | endswith("<script>alert(1)<")'

# What goes wrong is the headline.
run srplat if=/nonexistent output=html:"$page"
expect_status 3
expect_page '^<h1>if=/nonexistent: '
data
expect_json '.exit == 3'
run srplat if=demo://ram count=20 threshold=max:1ns output=html:"$page"
expect_status 6
expect_page '^<h1>threshold= is exceeded'

# A page that cannot be written is told before anything is measured.
run srplat if=demo://ram count=20 output=html:/nonexistent/page.html
expect_status 2
expect_one_sentence
expect_err '^srplat: /nonexistent/page.html: cannot write the page there'
run srplat if=demo://ram count=20 output=html:/dev/full
expect_status 5
expect_err '/dev/full: cannot write the page there'
