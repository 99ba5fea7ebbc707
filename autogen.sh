#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
# Makes ./configure from configure.ac in a fresh clone.
set -e
cd "$(dirname "$0")"
exec autoreconf --force --install --warnings=all,no-obsolete
