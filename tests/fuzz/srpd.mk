# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# As tests/fuzz/lib.mk, over what src/srpd may reach.

FUZZ_SRPD_ENTRIES = \
	tests/fuzz/fuzz_conf \
	$(NULL)

tests_fuzz_fuzz_conf_LDFLAGS = $(FUZZ_LINK)
tests_fuzz_fuzz_conf_LDADD = $(FUZZ_MAIN) $(SRPD_LIBS)
