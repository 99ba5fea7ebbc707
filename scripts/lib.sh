# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# shellcheck shell=bash
#
# What scripts/demo, scripts/test and tests/interop/run share; sourced.
# The lists of packages are for those who source it.
# shellcheck disable=SC2034

set -u
srpd_top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# Build trees and logs: /build/ is ignored by git.
srpd_work=${SRPD_BUILD_DIR:-$srpd_top/build}

PACKAGES_BUILD='gcc g++ libc6-dev make autoconf automake libtool pkg-config
libibverbs-dev librdmacm-dev libaio-dev libjansson-dev libsgutils2-dev
libiniparser-dev libmicrohttpd-dev libsystemd-dev systemtap-sdt-dev check'
PACKAGES_TEST='chromium clang libclang-rt-14-dev valgrind shellcheck mandoc jq
git xz-utils curl prometheus tmux'
# What the source of fio, and so its engine, needs besides.
PACKAGES_FIO='fio dpkg-dev gcc make'
# The Debian packages of our own.
PACKAGES_DEB='debhelper dpkg-dev lintian'

say() {
	printf '%s: %s\n' "$(basename "$0")" "$*" >&2
}

# missing_packages NAME...: those that are not installed, one a line.
missing_packages() {
	local name
	for name; do
		dpkg-query -W -f '${Status}' "$name" 2>/dev/null |
			grep -q 'ok installed' || echo "$name"
	done
}

apt() {
	DEBIAN_FRONTEND=noninteractive apt-get -q -y \
		-o DPkg::Lock::Timeout=300 "$@" </dev/null
}

# need_packages NAME...: installs what is missing, as root on Debian;
# otherwise says what to install and fails.
need_packages() {
	local missing
	if ! command -v dpkg-query >/dev/null; then
		say "not a Debian system: make sure that it has the like of" "$@"
		return 0
	fi
	mapfile -t missing < <(missing_packages "$@")
	[ ${#missing[@]} -gt 0 ] || return 0
	if [ "$(id -u)" -ne 0 ]; then
		say "packages are missing; as root: apt-get install ${missing[*]}"
		return 1
	fi
	say "installing ${missing[*]}"
	if ! { apt update && apt install --no-install-recommends \
		"${missing[@]}"; } >"$srpd_work/packages.log" 2>&1; then
		tail -n 20 "$srpd_work/packages.log" >&2
		say "cannot install ${missing[*]}: see $srpd_work/packages.log"
		return 1
	fi
}

# make_configure: ./configure in the source tree, when missing or outdated.
make_configure() {
	local file
	if [ -e "$srpd_top/config.status" ]; then
		say "$srpd_top is built in the tree: run make distclean first"
		return 1
	fi
	for file in configure.ac Makefile.am autogen.sh m4/srpd.m4; do
		if [ ! -e "$srpd_top/configure" ] ||
		   [ "$srpd_top/$file" -nt "$srpd_top/configure" ]; then
			"$srpd_top/autogen.sh"
			return
		fi
	done
}

# build_tree NAME [CONFIGURE_ARG...]: $srpd_work/NAME, configured and made.
build_tree() {
	local dir=$srpd_work/$1
	shift
	mkdir -p "$dir"
	(cd "$dir" && "$srpd_top/configure" --quiet "$@" && make_all all)
}

# build_tree_fio NAME [CONFIGURE_ARG...]: the same, with fio's engine; on what
# is no Debian, where nobody brings fio's source, without.
build_tree_fio() {
	local fio=no
	if command -v dpkg-query >/dev/null; then
		fio=$("$srpd_top/scripts/fio-source") || return
	fi
	build_tree "$@" "--with-fio=$fio"
}

# make_all [ARG...]: make, with all CPUs.
# shellcheck disable=SC2120
make_all() {
	make --no-print-directory -j "$(nproc)" "$@"
}
