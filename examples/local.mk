# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# Programs of a user's: srpi.h and libsrpi.so alone. srpi(3) shows the first.

EXAMPLES = \
	examples/srpi_read \
	$(NULL)
check_PROGRAMS += $(EXAMPLES)

examples_srpi_read_LDADD = src/lib/libsrpi.la
