# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# A fuzz entry is tests/fuzz/fuzz_NAME.c, seeds in tests/fuzz/seeds/NAME/:
#	tests/fuzz/fuzz_NAME \                              in the list, and
#	tests_fuzz_fuzz_NAME_LDFLAGS = $(FUZZ_LINK)
#	tests_fuzz_fuzz_NAME_LDADD = $(FUZZ_MAIN) $(UNIT_TOOLS_LIBS)

FUZZ_TOOLS_ENTRIES = \
	tests/fuzz/fuzz_html_page \
	tests/fuzz/fuzz_srplat_opts \
	$(NULL)

tests_fuzz_fuzz_html_page_SOURCES = \
	tests/fuzz/fuzz_html_page.c \
	tests/unit/html_check.h \
	$(NULL)
tests_fuzz_fuzz_html_page_LDFLAGS = $(FUZZ_LINK)
tests_fuzz_fuzz_html_page_LDADD = $(FUZZ_MAIN) $(UNIT_TOOLS_LIBS)

tests_fuzz_fuzz_srplat_opts_LDFLAGS = $(FUZZ_LINK)
tests_fuzz_fuzz_srplat_opts_LDADD = $(FUZZ_MAIN) $(UNIT_TOOLS_LIBS)
