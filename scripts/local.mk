# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB

EXTRA_DIST += \
	scripts/completion.bash \
	scripts/demo \
	scripts/fio-source \
	scripts/lib.sh \
	scripts/test \
	$(NULL)

# bash looks for a file of each program's name.
COMPLETIONS = \
	scripts/completion/srpbench \
	scripts/completion/srpctl \
	scripts/completion/srpd \
	scripts/completion/srplat \
	scripts/completion/srpmatrix \
	scripts/completion/srptgt \
	$(NULL)
$(COMPLETIONS): scripts/completion.bash
	$(AM_V_GEN)$(MKDIR_P) scripts/completion && \
		cp $(srcdir)/scripts/completion.bash $@
CLEANFILES += $(COMPLETIONS)
bashcompletiondir = $(datadir)/bash-completion/completions
nodist_bashcompletion_DATA = $(COMPLETIONS)

# Scripts and jobs that measure with fio.
EXTRA_DIST += \
	bench/fio-null.sh \
	bench/fio/README.md \
	bench/fio/e1.fio \
	bench/fio/e2.fio \
	bench/fio/e4.fio \
	bench/fio/hosts.fio \
	bench/fio/mixed.fio \
	bench/fio/run \
	bench/fio/trim.fio \
	bench/fio/verify-odd.fio \
	bench/fio/verify.fio \
	$(NULL)
