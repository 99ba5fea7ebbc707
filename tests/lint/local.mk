# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# Rules that the compiler cannot see; CONTRIBUTING.md explains each.

LINT_TESTS = \
	$(NULL)

EXTRA_DIST += $(LINT_TESTS)
