# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB

EXTRA_DIST += \
	scripts/demo \
	scripts/fio-source \
	scripts/lib.sh \
	scripts/test \
	$(NULL)
