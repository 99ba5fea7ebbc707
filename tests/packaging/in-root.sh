#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# in-root.sh DIR: installs, uses and purges the packages in DIR, on a system
# that may be thrown away. deb.sh copies it into one.
set -eu
export LC_ALL=C DEBIAN_FRONTEND=noninteractive
debs=()
for file in "$1"/*.deb; do
	[[ $file == *-dbgsym_* ]] || debs+=("$file")
done
packages=()
for file in "${debs[@]}"; do
	packages+=("$(dpkg-deb -f "$file" Package)")
done

fail() {
	echo "FAILED: $*"
	exit 1
}

# What there is, but for the package manager's own records.
files() {
	find /etc /usr /lib /opt /srv /var -xdev \
		! -path '/var/lib/dpkg/*' ! -path '/var/lib/apt/*' \
		! -path '/var/cache/*' ! -path '/var/log/*' | sort
}

install_all() {
	# What they depend on may not be there yet.
	if ! { dpkg -i "${debs[@]}" ||
		{ apt-get -q -y update && apt-get -q -y -f install; }; } \
		>/tmp/install.log 2>&1; then
		cat /tmp/install.log
		fail "the packages can not be installed"
	fi
	[ -z "$(dpkg --audit)" ] || fail "dpkg --audit: $(dpkg --audit)"
}

# Each program starts, and has its page.
use_programs() {
	local path page
	while read -r path; do
		"$path" --version >/dev/null || fail "$path --version"
		page=$(find /usr/share/man -name "$(basename "$path").[18].gz")
		[ -n "$page" ] || fail "$path has no page"
	done < <(dpkg -L "${packages[@]}" | grep -E '^/usr/s?bin/.')
	srplat if=demo://ram bs=4k count=100 status=none >/dev/null || fail srplat
}

# The example, as a user builds it.
use_library() {
	local flags
	command -v cc >/dev/null || return 0
	flags=$(pkg-config --cflags --libs srpi) || fail "pkg-config srpi"
	# shellcheck disable=SC2086
	cc -o /tmp/srpi_read \
		/usr/share/doc/libsrpi-dev/examples/srpi_read.c $flags ||
		fail "the example of srpi(3) can not be built"
	/tmp/srpi_read demo://ram || fail "the example of srpi(3)"
}

# The daemon takes the configuration that it is installed with.
use_daemon() {
	[ -x /usr/sbin/srpd ] || return 0
	srpd --check-config -c /etc/srpd.ini || fail "srpd --check-config"
	# dpkg's own format, not the shell's.
	# shellcheck disable=SC2016
	dpkg-query -W -f '${Conffiles}' srpd | grep -q ' /etc/srpd.ini ' ||
		fail "srpd.ini is no conffile"
	getent passwd srpd >/dev/null || fail "there is no user srpd"
	echo '# mine' >>/etc/srpd.ini
	dpkg --remove srpd >/tmp/remove.log 2>&1 || fail "dpkg --remove srpd"
	grep -q mine /etc/srpd.ini || fail "the configuration is gone"
}

files >/tmp/before
install_all
echo "installed ${packages[*]}"
use_programs
use_library
use_daemon
dpkg --purge "${packages[@]}" >/tmp/purge.log 2>&1 || {
	cat /tmp/purge.log
	fail "dpkg --purge"
}
files >/tmp/after
comm -13 /tmp/before /tmp/after >/tmp/left
if [ -s /tmp/left ]; then
	cat /tmp/left
	fail "these are left behind"
fi
echo "purged, nothing is left"
