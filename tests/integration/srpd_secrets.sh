#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# Passwords are in nothing that srpd prints, logs or answers.
# shellcheck source=tests/lib/srpd.sh
. "${top_srcdir:?}/tests/lib/srpd.sh"

secret=correct-horse-battery
printf '%s\n' $secret >"$work/secret"
chmod 600 "$work/secret"

# no_secret WHAT FILE...
no_secret() {
	local what=$1
	shift
	expect "no password in $what" test -z "$(grep -l $secret "$@")"
}

for url in "iser://bob%$secret@10.0.0.1/iqn.2003-01.x:y/0" \
	"srp://bob:$secret@10.0.0.1/" "isre://bob%$secret@10.0.0.1/x" \
	"bob%$secret@10.0.0.1" "demo://bob%$secret@x" "srp:/bob:$secret@h"; do
	srpd_ini <<-EOT
		[target a]
		url = "$url"
		secret_file = $work/secret
	EOT
	for option in --check-config --dump-config ''; do
		# shellcheck disable=SC2086 # no option is no word
		run srpd -c "$srpd_file" $option
		expect_status 2
		expect_err 'srpd.ini:4: url: '
		no_secret "what $option says of it" "$work/out" "$work/err"
	done
done

# Nor when such a file is read while srpd runs.
cp "$srpd_file" "$work/secret.ini"
srpd_ini <<'EOT'
log_level = debug
[target a]
url = demo://null
EOT
srpd_start
srpd_until '.targets[0].state == "ready"'
cp "$work/secret.ini" "$srpd_file"
kill -HUP "$srpd_pid"
until_true "the file is refused" srpd_says 'stays as it was'
for command in status targets luns stats; do
	srpctl_run --json $command
	expect_status 0
	no_secret "the answer to $command" "$work/out"
done
# What core it would dump is its own user's alone to see: not looked at here.
srpd_end TERM
no_secret "the messages" "$srpd_log" "$work/srpd.out"
