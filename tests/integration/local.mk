# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# Whole paths, initiator to target on the software device. A program is
#	tests/integration/test_NAME \                        in the list, and
#	tests_integration_test_NAME_LDADD = $(INTEGRATION_LIBS)
# A shell test is tests/integration/NAME.sh in the second list; it begins
# with ". ${top_srcdir:?}/tests/lib/shell.sh".

# It takes the place of malloc(), as a sanitizer does.
if !SANITIZED
HOT_PATH_TEST = tests/integration/test_hot_path
endif

INTEGRATION_TESTS = \
	$(HOT_PATH_TEST) \
	tests/integration/test_blktests \
	tests/integration/test_channels \
	tests/integration/test_core_away \
	tests/integration/test_core_batches \
	tests/integration/test_core_events \
	tests/integration/test_core_faults \
	tests/integration/test_core_hostile \
	tests/integration/test_core_hostile_login \
	tests/integration/test_core_idle \
	tests/integration/test_core_login \
	tests/integration/test_core_prep \
	tests/integration/test_core_queues \
	tests/integration/test_fork \
	tests/integration/test_modes \
	tests/integration/test_open \
	tests/integration/test_open_data \
	tests/integration/test_rport \
	tests/integration/test_rport_paths \
	tests/integration/test_split_ops \
	tests/integration/test_splits \
	tests/integration/test_srpd \
	tests/integration/test_srptgt_control \
	tests/integration/test_target_device \
	tests/integration/test_target_faults \
	tests/integration/test_target_file \
	tests/integration/test_target_hostile \
	tests/integration/test_target_login \
	tests/integration/test_target_luns \
	tests/integration/test_target_malformed \
	tests/integration/test_target_resize \
	tests/integration/test_target_scsi \
	tests/integration/test_target_wire \
	tests/integration/test_tmf \
	tests/integration/test_tmf_refused \
	$(NULL)

tests_integration_test_hot_path_LDADD = $(INTEGRATION_LIBS) -ldl
CORE_RIG = tests/integration/core_rig.c tests/integration/core_rig.h
HOSTILE = tests/integration/hostile.c tests/integration/hostile.h

tests_integration_test_core_away_SOURCES = \
	tests/integration/test_core_away.c \
	$(CORE_RIG)
tests_integration_test_core_away_LDADD = $(INTEGRATION_LIBS)

tests_integration_test_core_batches_SOURCES = \
	tests/integration/test_core_batches.c \
	$(CORE_RIG)
tests_integration_test_core_batches_LDADD = $(INTEGRATION_LIBS)

tests_integration_test_core_events_SOURCES = \
	$(HOSTILE) \
	tests/integration/test_core_events.c \
	$(CORE_RIG)
tests_integration_test_core_events_LDADD = $(INTEGRATION_LIBS)

tests_integration_test_core_faults_SOURCES = \
	tests/integration/test_core_faults.c \
	$(CORE_RIG)
tests_integration_test_core_faults_LDADD = $(INTEGRATION_LIBS)

tests_integration_test_core_login_SOURCES = \
	tests/integration/test_core_login.c \
	$(CORE_RIG)
tests_integration_test_core_login_LDADD = $(INTEGRATION_LIBS)

# A program that uses srpi.h alone.
CLIENT = tests/integration/client.c tests/integration/client.h

tests_integration_test_blktests_SOURCES = \
	tests/integration/test_blktests.c \
	$(CLIENT)
tests_integration_test_blktests_LDADD = $(INTEGRATION_LIBS)
tests_integration_test_channels_SOURCES = \
	tests/integration/test_channels.c \
	$(CLIENT)
tests_integration_test_channels_LDADD = $(INTEGRATION_LIBS)
tests_integration_test_modes_SOURCES = \
	tests/integration/test_modes.c \
	$(CLIENT)
tests_integration_test_fork_LDADD = $(INTEGRATION_LIBS)
tests_integration_test_modes_LDADD = $(INTEGRATION_LIBS)
tests_integration_test_core_queues_SOURCES = \
	tests/integration/test_core_queues.c \
	$(CORE_RIG)
tests_integration_test_core_queues_LDADD = $(INTEGRATION_LIBS)

tests_integration_test_core_hostile_SOURCES = \
	$(HOSTILE) \
	tests/integration/test_core_hostile.c \
	$(CORE_RIG)
tests_integration_test_core_hostile_LDADD = $(INTEGRATION_LIBS)

tests_integration_test_core_hostile_login_SOURCES = \
	$(HOSTILE) \
	tests/integration/test_core_hostile_login.c \
	$(CORE_RIG)
tests_integration_test_core_hostile_login_LDADD = $(INTEGRATION_LIBS)

tests_integration_test_core_idle_SOURCES = \
	$(HOSTILE) \
	tests/integration/test_core_idle.c \
	$(CORE_RIG)
tests_integration_test_core_idle_LDADD = $(INTEGRATION_LIBS)

tests_integration_test_core_prep_SOURCES = \
	tests/integration/test_core_prep.c \
	$(CORE_RIG)
tests_integration_test_core_prep_LDADD = $(INTEGRATION_LIBS)

OPEN_RIG = tests/integration/open_rig.c tests/integration/open_rig.h

tests_integration_test_open_SOURCES = \
	$(OPEN_RIG) \
	tests/integration/test_open.c \
	$(NULL)
tests_integration_test_open_LDADD = $(INTEGRATION_LIBS)
tests_integration_test_open_data_SOURCES = \
	$(OPEN_RIG) \
	tests/integration/test_open_data.c \
	$(NULL)
tests_integration_test_open_data_LDADD = $(INTEGRATION_LIBS)
# The daemon's part over libsrpi's, and the target's insides.
SRPD_RIG_LIBS = \
	src/srpd/libsrpd.la \
	src/ctl/libctl.la \
	$(INTEGRATION_LIBS) \
	$(JANSSON_LIBS) \
	$(INIPARSER_LIBS) \
	$(SYSTEMD_LIBS) \
	$(MICROHTTPD_LIBS) \
	$(NULL)
RPORT_RIG = tests/integration/rport_rig.c tests/integration/rport_rig.h
tests_integration_test_rport_SOURCES = \
	tests/integration/test_rport.c \
	$(RPORT_RIG)
tests_integration_test_rport_LDADD = $(SRPD_RIG_LIBS)
tests_integration_test_rport_paths_SOURCES = \
	tests/integration/test_rport_paths.c \
	$(RPORT_RIG)
tests_integration_test_rport_paths_LDADD = $(SRPD_RIG_LIBS)
tests_integration_test_srpd_LDADD = $(SRPD_RIG_LIBS)
SPLITS_RIG = \
	tests/integration/peer.c \
	tests/integration/peer.h \
	tests/integration/splits_rig.c \
	tests/integration/splits_rig.h \
	$(CLIENT)

tests_integration_test_split_ops_SOURCES = \
	tests/integration/test_split_ops.c \
	$(SPLITS_RIG)
tests_integration_test_split_ops_LDADD = $(INTEGRATION_LIBS)
tests_integration_test_splits_SOURCES = \
	tests/integration/test_splits.c \
	$(SPLITS_RIG)
tests_integration_test_splits_LDADD = $(INTEGRATION_LIBS)
TARGET_RIG = \
	tests/integration/peer.c \
	tests/integration/peer.h \
	tests/integration/target_rig.c \
	tests/integration/target_rig.h

tests_integration_test_srptgt_control_SOURCES = \
	tests/integration/test_srptgt_control.c \
	$(TARGET_RIG)
tests_integration_test_srptgt_control_LDADD = \
	src/tools/libtools.la \
	src/ctl/libctl.la \
	$(INTEGRATION_LIBS)
tests_integration_test_target_device_SOURCES = \
	tests/integration/peer.c \
	tests/integration/peer.h \
	tests/integration/test_target_device.c \
	$(NULL)
tests_integration_test_target_device_LDADD = $(INTEGRATION_LIBS)
tests_integration_test_target_hostile_SOURCES = \
	tests/integration/peer.c \
	tests/integration/peer.h \
	tests/integration/test_target_hostile.c \
	$(NULL)
tests_integration_test_target_hostile_LDADD = $(INTEGRATION_LIBS)
tests_integration_test_target_faults_SOURCES = \
	tests/integration/peer.c \
	tests/integration/peer.h \
	tests/integration/test_target_faults.c \
	$(NULL)
tests_integration_test_target_faults_LDADD = $(INTEGRATION_LIBS)
tests_integration_test_target_file_SOURCES = \
	tests/integration/test_target_file.c \
	$(TARGET_RIG)
tests_integration_test_target_file_LDADD = $(INTEGRATION_LIBS)
tests_integration_test_target_login_SOURCES = \
	tests/integration/test_target_login.c \
	$(TARGET_RIG)
tests_integration_test_target_login_LDADD = $(INTEGRATION_LIBS)
tests_integration_test_target_malformed_SOURCES = \
	tests/integration/test_target_malformed.c \
	$(TARGET_RIG)
tests_integration_test_target_malformed_LDADD = $(INTEGRATION_LIBS)
tests_integration_test_target_scsi_SOURCES = \
	tests/integration/test_target_scsi.c \
	$(TARGET_RIG)
tests_integration_test_target_scsi_LDADD = $(INTEGRATION_LIBS)
LUNS_RIG = \
	tests/integration/luns_rig.c \
	tests/integration/luns_rig.h \
	$(TARGET_RIG)

tests_integration_test_target_luns_SOURCES = \
	tests/integration/test_target_luns.c \
	$(LUNS_RIG)
tests_integration_test_target_luns_LDADD = $(INTEGRATION_LIBS)
tests_integration_test_target_resize_SOURCES = \
	tests/integration/test_target_resize.c \
	$(LUNS_RIG)
tests_integration_test_target_resize_LDADD = $(INTEGRATION_LIBS)
tests_integration_test_target_wire_SOURCES = \
	tests/integration/test_target_wire.c \
	$(TARGET_RIG)
tests_integration_test_target_wire_LDADD = $(INTEGRATION_LIBS)
TMF_RIG = \
	tests/integration/peer.c \
	tests/integration/peer.h \
	tests/integration/tmf_rig.c \
	tests/integration/tmf_rig.h \
	$(CLIENT)

tests_integration_test_tmf_SOURCES = \
	tests/integration/test_tmf.c \
	$(TMF_RIG)
tests_integration_test_tmf_LDADD = $(INTEGRATION_LIBS)
tests_integration_test_tmf_refused_SOURCES = \
	tests/integration/test_tmf_refused.c \
	$(TMF_RIG)
tests_integration_test_tmf_refused_LDADD = $(INTEGRATION_LIBS)

# What makes a page of a document that is in a file.
check_PROGRAMS += tests/integration/html_render
tests_integration_html_render_LDADD = $(TOOLS_LIBS)

# Peers that misbehave at a control socket.
check_PROGRAMS += tests/integration/ctl_storm
tests_integration_ctl_storm_LDADD = \
	src/ctl/libctl.la \
	src/util/libutil.la \
	$(JANSSON_LIBS) \
	$(NULL)

INTEGRATION_SHELL = \
	tests/integration/fio_bench.sh \
	tests/integration/fio_engine.sh \
	tests/integration/fio_hot_path.sh \
	tests/integration/fio_many.sh \
	tests/integration/fio_stop.sh \
	tests/integration/help.sh \
	tests/integration/html_browser.sh \
	tests/integration/html_page.sh \
	tests/integration/probes.sh \
	tests/integration/srplat_bad_input.sh \
	tests/integration/srplat_demo.sh \
	tests/integration/srplat_file.sh \
	tests/integration/srplat_interrupt.sh \
	tests/integration/srplat_merge.sh \
	tests/integration/srplat_rate.sh \
	tests/integration/srplat_stages.sh \
	tests/integration/srplat_sweep.sh \
	tests/integration/srplat_verify.sh \
	tests/integration/srpbench.sh \
	tests/integration/srpd_busy.sh \
	tests/integration/srpd_idle.sh \
	tests/integration/srpd_reload.sh \
	tests/integration/srpd_secrets.sh \
	tests/integration/srpd_signals.sh \
	tests/integration/srpd_start.sh \
	tests/integration/srpctl.sh \
	tests/integration/srpctl_storm.sh \
	tests/integration/srpctl_top.sh \
	tests/integration/srpd_metrics.sh \
	tests/integration/srpi_read.sh \
	tests/integration/srpmatrix.sh \
	tests/integration/srpmatrix_fio.sh \
	tests/integration/srptgt.sh \
	$(NULL)

EXTRA_DIST += $(INTEGRATION_SHELL) tests/integration/html_browser.js

# What fio_stop.sh makes a target silent with.
check_PROGRAMS += tests/integration/stall_thread
tests_integration_stall_thread_SOURCES = tests/integration/stall_thread.c
