# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB

dist_man_MANS = \
	man/srpbench.1 \
	man/srpctl.1 \
	man/srpd.8 \
	man/srpd.ini.5 \
	man/srpi.3 \
	man/srpi_fio.7 \
	man/srpi_url.7 \
	man/srplat.1 \
	man/srpmatrix.1 \
	man/srptgt.1 \
	$(NULL)
