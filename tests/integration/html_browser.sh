#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# The page in a real browser: phone and desktop widths, light and dark. Each
# page stands in frames of several widths, and html_browser.js looks at them:
# nothing sticks out or overlaps, colours can be told, texts are there.
#
#	HTML_SHOTS	a folder to leave screenshots in, to be looked at
# shellcheck source=tests/lib/shell.sh
. "${top_srcdir:?}/tests/lib/shell.sh"
browser=
for name in chromium chromium-browser google-chrome; do
	[ -n "$browser" ] || browser=$(command -v "$name") || true
done
[ -n "$browser" ] || skip "no chromium here"
js=$top_srcdir/tests/integration/html_browser.js
seeds=$top_srcdir/tests/fuzz/seeds/html_page
render=$shell_top/tests/integration/html_render
RUN_TIMEOUT=150

# What the page of each kind of result is; a name and a file each.
target='demo://ram?size=1M&irqmode=thread'
make_pages() {
	srplat if="$target" bs=4k count=240 completion=all stages=yes \
		output=html:"$work/modes.html" &&
	srplat if="$target" bs=4k count=60 completion=all sweep=depth:1-32 \
		output=html:"$work/depths.html" &&
	srplat if="$target" bs=4k count=60 completion=all rate=20k depth=4 \
		output=html:"$work/rate.html" &&
	srplat verify=write of='demo://ram?size=1M' bs=64k slow=1ns \
		output=html:"$work/verify.html" &&
	srplat if=demo://ram count=100 completion=self \
		output=html:"$work/one.html" &&
	"$render" "$seeds/matrix" "$work/matrix.html" &&
	"$render" "$seeds/matrix_noisy" "$work/noisy.html" &&
	"$render" "$seeds/error" "$work/error.html" &&
	"$render" "$seeds/other" "$work/other.html"
}
make_pages >"$work/out" 2>"$work/err" || failed 'pages of all kinds'

# frames SCHEME: a page that has every page in frames of several widths.
frames() {
	local page width
	printf '<!DOCTYPE html><meta charset="utf-8"><title>frames</title>'
	printf '<link rel="icon" href="data:,">'
	printf '<body data-scheme="%s"><pre id="result"></pre>\n' "$1"
	for page in "$work"/*.html; do
		for width in 360 390 768 1280; do
			printf '<iframe title="%s" width="%d" height="800" ' \
				"$(basename "$page" .html)" "$width"
			printf 'style="border:0" srcdoc="'
			sed 's/&/\&amp;/g; s/"/\&quot;/g' "$page"
			printf '"></iframe>\n'
		done
	done
	printf '<script>'
	cat "$js"
	printf '</script></body>\n'
}

# browse SCHEME ARG...: what the browser says, in that colour scheme.
browse() {
	local scheme=1
	[ "$1" = light ] || scheme=0
	shift
	run "$browser" --headless=new --no-sandbox --disable-gpu \
		--disable-dev-shm-usage --no-first-run --hide-scrollbars \
		--user-data-dir="$work/profile" --enable-logging=stderr \
		--blink-settings=preferredColorScheme="$scheme" "$@"
	expect_status 0
}

nr_frames=$(($(find "$work" -maxdepth 1 -name '*.html' | wc -l) * 4))
mkdir "$work/frames"
for scheme in light dark; do
	frames "$scheme" >"$work/frames/$scheme.html"
	browse "$scheme" --dump-dom --timeout=120000 \
		"file://$work/frames/$scheme.html"
	sed -n '/<pre id="result">/,/<\/pre>/p' "$work/out" >"$work/result"
	mv "$work/result" "$work/out"
	expect_out '^done$'
	expect "every frame seen in $scheme" \
		test "$(grep -c '^seen ' "$work/out")" -eq "$nr_frames"
	expect "nothing wrong in $scheme" \
		test "$(grep -c '^FAIL ' "$work/out")" -eq 0
	expect 'charts there' grep -qE '^seen modes at 390: [4-9]' "$work/out"
	expect 'nothing on the console' \
		test "$(grep -c 'CONSOLE' "$work/err")" -eq 0
done

# For the eye.
[ -n "${HTML_SHOTS:-}" ] || exit 0
mkdir -p "$HTML_SHOTS"
for page in "$work"/*.html; do
	for scheme in light dark; do
		for width in 390 1280; do
			browse "$scheme" --window-size="$width,6000" \
				--screenshot="$HTML_SHOTS/$(basename "$page" \
					.html)-$width-$scheme.png" "file://$page"
		done
	done
done
