# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# One body, two uses: with --enable-fuzz each entry is a libFuzzer program,
# otherwise a program that replays the files it is given. Either way
# "make check" replays tests/fuzz/seeds/NAME/ (tests/lib/run-one).

include tests/fuzz/wire.mk
include tests/fuzz/ctl.mk
include tests/fuzz/lib.mk
include tests/fuzz/srpd.mk
include tests/fuzz/tools.mk

FUZZ_ENTRIES = \
	$(FUZZ_WIRE_ENTRIES) \
	$(FUZZ_CTL_ENTRIES) \
	$(FUZZ_LIB_ENTRIES) \
	$(FUZZ_SRPD_ENTRIES) \
	$(FUZZ_TOOLS_ENTRIES) \
	$(NULL)
FUZZ_LINK = $(AM_LDFLAGS) $(FUZZ_LDFLAGS)

if !FUZZ
check_LTLIBRARIES += tests/fuzz/libreplay.la
FUZZ_MAIN = tests/fuzz/libreplay.la
endif
tests_fuzz_libreplay_la_SOURCES = \
	tests/fuzz/replay.c \
	tests/fuzz/replay.h \
	$(NULL)

# Many small files: the tarball takes the folder whole.
EXTRA_DIST += tests/fuzz/seeds
