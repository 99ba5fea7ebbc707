# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# The programs. Each has its main() in a file of its own; the rest is in a
# noinst library, so that unit tests can link it.

noinst_LTLIBRARIES += src/tools/libtools.la
src_tools_libtools_la_SOURCES = \
	src/tools/html_axis.c \
	src/tools/html_axis.h \
	src/tools/html_bars.c \
	src/tools/html_chart.c \
	src/tools/html_chart.h \
	src/tools/html_data.c \
	src/tools/html_data.h \
	src/tools/html_facts.c \
	src/tools/html_lines.c \
	src/tools/html_matrix.c \
	src/tools/html_matrix.h \
	src/tools/html_matrix_charts.c \
	src/tools/html_matrix_curves.c \
	src/tools/html_matrix_tables.c \
	src/tools/html_num.c \
	src/tools/html_num.h \
	src/tools/html_page.c \
	src/tools/html_page.h \
	src/tools/html_part.c \
	src/tools/html_part.h \
	src/tools/html_srplat.c \
	src/tools/html_srplat.h \
	src/tools/html_srplat_charts.c \
	src/tools/html_srplat_sweep.c \
	src/tools/html_srplat_tables.c \
	src/tools/html_stacks.c \
	src/tools/html_strips.c \
	src/tools/html_style.c \
	src/tools/html_style.h \
	src/tools/html_table.c \
	src/tools/html_table.h \
	src/tools/html_text.c \
	src/tools/html_text.h \
	src/tools/machine.c \
	src/tools/machine.h \
	src/tools/srpctl_frame.c \
	src/tools/srpctl_frame.h \
	src/tools/srpctl_opts.c \
	src/tools/srpctl_opts.h \
	src/tools/srpctl_screen.c \
	src/tools/srpctl_screen.h \
	src/tools/srpctl_show.c \
	src/tools/srpctl_show.h \
	src/tools/srpctl_table.c \
	src/tools/srpctl_table.h \
	src/tools/srpctl_text.c \
	src/tools/srpctl_text.h \
	src/tools/srpctl_top.c \
	src/tools/srpctl_top.h \
	src/tools/srplat_area.c \
	src/tools/srplat_area.h \
	src/tools/srplat_counters.c \
	src/tools/srplat_counters.h \
	src/tools/srplat_help.c \
	src/tools/srplat_hist.c \
	src/tools/srplat_hist.h \
	src/tools/srplat_interrupt.c \
	src/tools/srplat_interrupt.h \
	src/tools/srplat_json.c \
	src/tools/srplat_json.h \
	src/tools/srplat_json_more.c \
	src/tools/srplat_json_run.c \
	src/tools/srplat_limit.c \
	src/tools/srplat_limit.h \
	src/tools/srplat_load.c \
	src/tools/srplat_load.h \
	src/tools/srplat_merge.c \
	src/tools/srplat_merge.h \
	src/tools/srplat_merge_main.c \
	src/tools/srplat_opts.c \
	src/tools/srplat_opts.h \
	src/tools/srplat_opts_check.c \
	src/tools/srplat_probe.c \
	src/tools/srplat_probe.h \
	src/tools/srplat_report.c \
	src/tools/srplat_report.h \
	src/tools/srplat_report_more.c \
	src/tools/srplat_round.c \
	src/tools/srplat_run.c \
	src/tools/srplat_run.h \
	src/tools/srplat_run_io.c \
	src/tools/srplat_src.c \
	src/tools/srplat_src.h \
	src/tools/srplat_src_aio.c \
	src/tools/srplat_src_none.c \
	src/tools/srplat_src_srpi.c \
	src/tools/srplat_verify.c \
	src/tools/srplat_verify.h \
	src/tools/srpmatrix_argv.c \
	src/tools/srpmatrix_argv.h \
	src/tools/srpmatrix_child.c \
	src/tools/srpmatrix_child.h \
	src/tools/srpmatrix_claim.c \
	src/tools/srpmatrix_claim.h \
	src/tools/srpmatrix_fio.c \
	src/tools/srpmatrix_fio.h \
	src/tools/srpmatrix_help.c \
	src/tools/srpmatrix_json.c \
	src/tools/srpmatrix_json.h \
	src/tools/srpmatrix_notes.c \
	src/tools/srpmatrix_opts.c \
	src/tools/srpmatrix_opts.h \
	src/tools/srpmatrix_parse.c \
	src/tools/srpmatrix_parse.h \
	src/tools/srpmatrix_plan.c \
	src/tools/srpmatrix_plan.h \
	src/tools/srpmatrix_published.c \
	src/tools/srpmatrix_published.h \
	src/tools/srpmatrix_report.h \
	src/tools/srpmatrix_run.c \
	src/tools/srpmatrix_run.h \
	src/tools/srpmatrix_sample.h \
	src/tools/srpmatrix_stat.c \
	src/tools/srpmatrix_stat.h \
	src/tools/srpmatrix_steady.c \
	src/tools/srpmatrix_steady.h \
	src/tools/srpmatrix_table.c \
	src/tools/srpmatrix_table.h \
	src/tools/srpmatrix_target.c \
	src/tools/srpmatrix_target.h \
	src/tools/srptgt_cmds.c \
	src/tools/srptgt_control.c \
	src/tools/srptgt_control.h \
	src/tools/srptgt_opts.c \
	src/tools/srptgt_opts.h \
	$(NULL)

TOOLS_LIBS = \
	src/tools/libtools.la \
	src/ctl/libctl.la \
	src/lib/libsrpi.la \
	src/util/libutil.la \
	$(JANSSON_LIBS) \
	$(AIO_LIBS) \
	-lm \
	$(NULL)

# It needs no library of ours but ctl: it runs where no RDMA library is.
bin_PROGRAMS += src/tools/srpctl
src_tools_srpctl_SOURCES = src/tools/srpctl.c
src_tools_srpctl_LDADD = \
	src/tools/libtools.la \
	src/ctl/libctl.la \
	src/util/libutil.la \
	$(JANSSON_LIBS) \
	$(NULL)

bin_PROGRAMS += src/tools/srplat
src_tools_srplat_SOURCES = src/tools/srplat.c
src_tools_srplat_LDADD = $(TOOLS_LIBS)

bin_PROGRAMS += src/tools/srpmatrix
src_tools_srpmatrix_SOURCES = src/tools/srpmatrix.c
src_tools_srpmatrix_LDADD = $(TOOLS_LIBS)

# The one program that is a target: it holds no initiator.
bin_PROGRAMS += src/tools/srptgt
src_tools_srptgt_SOURCES = src/tools/srptgt.c
src_tools_srptgt_LDADD = \
	src/tools/libtools.la \
	src/ctl/libctl.la \
	src/target/libtarget.la \
	src/fabric/libfabric.la \
	src/wire/libwire.la \
	src/util/libutil.la \
	$(RDMACM_LIBS) \
	$(IBVERBS_LIBS) \
	$(SGUTILS_LIBS) \
	$(JANSSON_LIBS) \
	$(AIO_LIBS) \
	$(NULL)
