# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# A fuzz entry is tests/fuzz/fuzz_NAME.c, seeds in tests/fuzz/seeds/NAME/:
#	tests/fuzz/fuzz_NAME \                              in the list, and
#	tests_fuzz_fuzz_NAME_LDFLAGS = $(FUZZ_LINK)
#	tests_fuzz_fuzz_NAME_LDADD = $(FUZZ_MAIN) $(UNIT_CTL_LIBS)

FUZZ_CTL_ENTRIES = \
	tests/fuzz/fuzz_ctl_msg \
	$(NULL)

tests_fuzz_fuzz_ctl_msg_LDFLAGS = $(FUZZ_LINK)
tests_fuzz_fuzz_ctl_msg_LDADD = $(FUZZ_MAIN) $(UNIT_CTL_LIBS)
