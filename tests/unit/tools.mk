# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# A test of src/tools/STEM.c is two lines, both in alphabetic order:
#	tests/unit/test_STEM \                              in the list, and
#	tests_unit_test_STEM_LDADD = $(UNIT_TOOLS_LIBS)      below it.

UNIT_TOOLS_TESTS = \
	tests/unit/test_html_axis \
	tests/unit/test_html_data \
	tests/unit/test_html_num \
	tests/unit/test_html_page \
	tests/unit/test_html_text \
	tests/unit/test_machine \
	tests/unit/test_srpctl_opts \
	tests/unit/test_srpctl_show \
	tests/unit/test_srpctl_text \
	tests/unit/test_srplat_area \
	tests/unit/test_srplat_clock \
	tests/unit/test_srplat_counters \
	tests/unit/test_srplat_hist \
	tests/unit/test_srplat_json \
	tests/unit/test_srplat_limit \
	tests/unit/test_srplat_load \
	tests/unit/test_srplat_merge \
	tests/unit/test_srplat_opts \
	tests/unit/test_srplat_probe \
	tests/unit/test_srplat_report \
	tests/unit/test_srplat_report_more \
	tests/unit/test_srplat_run \
	tests/unit/test_srplat_run_rate \
	tests/unit/test_srplat_src \
	tests/unit/test_srplat_verify \
	tests/unit/test_srpmatrix_argv \
	tests/unit/test_srpmatrix_child \
	tests/unit/test_srpmatrix_claim \
	tests/unit/test_srpmatrix_json \
	tests/unit/test_srpmatrix_opts \
	tests/unit/test_srpmatrix_parse \
	tests/unit/test_srpmatrix_plan \
	tests/unit/test_srpmatrix_published \
	tests/unit/test_srpmatrix_run \
	tests/unit/test_srpmatrix_stat \
	tests/unit/test_srpmatrix_steady \
	tests/unit/test_srpmatrix_table \
	tests/unit/test_srpmatrix_target \
	tests/unit/test_srptgt_opts \
	$(NULL)

tests_unit_test_html_axis_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_html_data_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_html_num_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_html_page_SOURCES = \
	tests/unit/html_check.h \
	tests/unit/test_html_page.c \
	$(NULL)
tests_unit_test_html_page_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_html_text_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_machine_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_srpctl_opts_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_srpctl_show_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_srpctl_text_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_srplat_area_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_srplat_clock_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_srplat_counters_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_srplat_hist_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_srplat_json_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_srplat_limit_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_srplat_load_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_srplat_merge_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_srplat_opts_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_srplat_probe_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_srplat_report_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_srplat_report_more_LDADD = $(UNIT_TOOLS_LIBS)
SRPLAT_RUN_RIG = tests/unit/srplat_run_rig.c tests/unit/srplat_run_rig.h
tests_unit_test_srplat_run_SOURCES = \
	$(SRPLAT_RUN_RIG) \
	tests/unit/test_srplat_run.c \
	$(NULL)
tests_unit_test_srplat_run_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_srplat_run_rate_SOURCES = \
	$(SRPLAT_RUN_RIG) \
	tests/unit/test_srplat_run_rate.c \
	$(NULL)
tests_unit_test_srplat_run_rate_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_srplat_src_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_srplat_verify_LDADD = $(UNIT_TOOLS_LIBS)
# Those of a matrix whose runs are made up.
SRPMATRIX_FAKE = tests/unit/srpmatrix_fake.h
tests_unit_test_srpmatrix_argv_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_srpmatrix_child_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_srpmatrix_claim_SOURCES = \
	$(SRPMATRIX_FAKE) \
	tests/unit/test_srpmatrix_claim.c \
	$(NULL)
tests_unit_test_srpmatrix_claim_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_srpmatrix_json_SOURCES = \
	$(SRPMATRIX_FAKE) \
	tests/unit/test_srpmatrix_json.c \
	$(NULL)
tests_unit_test_srpmatrix_json_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_srpmatrix_opts_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_srpmatrix_parse_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_srpmatrix_plan_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_srpmatrix_published_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_srpmatrix_run_SOURCES = \
	$(SRPMATRIX_FAKE) \
	tests/unit/test_srpmatrix_run.c \
	$(NULL)
tests_unit_test_srpmatrix_run_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_srpmatrix_stat_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_srpmatrix_steady_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_srpmatrix_table_SOURCES = \
	$(SRPMATRIX_FAKE) \
	tests/unit/test_srpmatrix_table.c \
	$(NULL)
tests_unit_test_srpmatrix_table_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_srpmatrix_target_LDADD = $(UNIT_TOOLS_LIBS)
tests_unit_test_srptgt_opts_LDADD = $(UNIT_TOOLS_LIBS)
