# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# Rules that the compiler cannot see; CONTRIBUTING.md explains each.

LINT_TESTS = \
	tests/lint/check-debian.sh \
	tests/lint/check-deps.sh \
	tests/lint/check-exports.sh \
	tests/lint/check-forbidden.sh \
	tests/lint/check-headers.sh \
	tests/lint/check-hot.sh \
	tests/lint/check-listed.sh \
	tests/lint/check-man.sh \
	tests/lint/check-map.sh \
	tests/lint/check-shell.sh \
	tests/lint/check-sizes.sh \
	tests/lint/check-spdx.sh \
	tests/lint/check-verbs.sh \
	tests/lint/selftest.sh \
	$(NULL)

EXTRA_DIST += \
	$(LINT_TESTS) \
	tests/lint/lint.sh \
	$(NULL)
