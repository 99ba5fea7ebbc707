#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# tests/packaging/deb.sh BUILDDIR WORKDIR: the Debian packages, from the
# tarball that BUILDDIR makes: they build, lintian has nothing to say above
# "info", they install, work, and leave nothing when they are purged.
#
# Installed is in a chroot that is this machine under an overlay in memory, so
# that nothing that happens there stays; where that can not be had in one that
# mmdebstrap makes. Exit status 77, and why, where there is neither.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
step=all
if [ "$1" = --run ]; then
	step=$2
	shift 2
fi
build=$(cd "$1" && pwd)
mkdir -p "$2"
work=$(cd "$2" && pwd)
out=$work/out

say() {
	echo "== $*"
}

# Others have run the tests.
build_packages() {
	rm -rf "$out"
	mkdir -p "$out/srpd"
	make --no-print-directory -C "$build" dist >"$work/dist.log" 2>&1
	tar -xf "$build"/srpd-*.tar.xz -C "$out/srpd" --strip-components=1
	(cd "$out/srpd" &&
		DEB_BUILD_OPTIONS="nocheck terse parallel=$(nproc)" \
			dpkg-buildpackage -us -uc -b) >"$work/build.log" 2>&1 || {
		tail -n 40 "$work/build.log"
		return 1
	}
}

# Every package of debian/control was built.
expect_all() {
	local package
	while read -r package; do
		[ -e "$(echo "$out/${package}_"*.deb)" ] || {
			echo "$package was not built"
			return 1
		}
	done < <(sed -n 's/^Package: //p' "$out/srpd/debian/control")
}

# What follows runs in a mount namespace of its own, which takes all mounts
# with it. Here: this machine's file system; what is written is in memory.
try_overlay() {
	local top=$work/overlay
	mkdir -p "$top"
	mount -t tmpfs -o size=1G tmpfs "$top"
	mkdir "$top/upper" "$top/work" "$top/root"
	mount -t overlay overlay -o \
		"lowerdir=/,upperdir=$top/upper,workdir=$top/work" "$top/root"
}

in_overlay() {
	try_overlay
	use_root "$work/overlay/root"
}

in_fresh() {
	use_root "$work/fresh"
}

use_root() {
	mount -t proc proc "$1/proc"
	mount --rbind /dev "$1/dev"
	mount --bind "$out" "$1/mnt"
	mkdir -p "$1/tmp"
	cp "$here/in-root.sh" "$1/tmp/in-root.sh"
	chroot "$1" /bin/bash /tmp/in-root.sh /mnt
}

make_fresh() {
	rm -rf "$work/fresh"
	mmdebstrap --variant=apt --include=gcc,libc6-dev,pkg-config \
		bookworm "$work/fresh" >"$work/fresh.log" 2>&1
}

install_and_purge() {
	local self
	self=$(readlink -f "$0")
	if [ "$(id -u)" -ne 0 ]; then
		echo "installing packages needs root"
		return 77
	fi
	if unshare --mount "$BASH" "$self" --run try_overlay "$build" "$work" \
		2>/dev/null; then
		unshare --mount "$BASH" "$self" --run in_overlay "$build" "$work"
	elif command -v mmdebstrap >/dev/null && make_fresh; then
		unshare --mount "$BASH" "$self" --run in_fresh "$build" "$work"
	else
		echo "no overlay and no mmdebstrap to install packages in"
		return 77
	fi
}

if [ "$step" != all ]; then
	"$step"
	exit
fi
say build
build_packages
expect_all
say lintian
lintian --allow-root --fail-on error,warning "$out"/*.changes
say install, use, purge
install_and_purge
