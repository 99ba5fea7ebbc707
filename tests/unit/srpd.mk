# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# A test of src/srpd/STEM.c is two lines, both in alphabetic order:
#	tests/unit/test_STEM \                              in the list, and
#	tests_unit_test_STEM_LDADD = $(UNIT_SRPD_LIBS)      below it.

UNIT_SRPD_TESTS = \
	tests/unit/test_conf \
	tests/unit/test_ctl_cmds \
	tests/unit/test_ctl_server \
	tests/unit/test_instance \
	tests/unit/test_latency \
	tests/unit/test_lun_latency \
	tests/unit/test_metrics \
	tests/unit/test_redact \
	tests/unit/test_rport_attr \
	tests/unit/test_rport_state \
	$(NULL)

# A control socket and its peers in one thread.
CTL_RIG = tests/unit/ctl_rig.c tests/unit/ctl_rig.h

tests_unit_test_ctl_cmds_SOURCES = tests/unit/test_ctl_cmds.c $(CTL_RIG)
tests_unit_test_ctl_cmds_LDADD = $(UNIT_SRPD_LIBS)
tests_unit_test_ctl_server_SOURCES = tests/unit/test_ctl_server.c $(CTL_RIG)
tests_unit_test_ctl_server_LDADD = $(UNIT_SRPD_LIBS)
tests_unit_test_latency_LDADD = $(UNIT_SRPD_LIBS)
tests_unit_test_lun_latency_LDADD = $(UNIT_SRPD_LIBS)
tests_unit_test_metrics_SOURCES = tests/unit/test_metrics.c $(CTL_RIG)
tests_unit_test_metrics_LDADD = $(UNIT_SRPD_LIBS)
tests_unit_test_conf_LDADD = $(UNIT_SRPD_LIBS)
tests_unit_test_instance_LDADD = $(UNIT_SRPD_LIBS)
tests_unit_test_redact_LDADD = $(UNIT_SRPD_LIBS)
tests_unit_test_rport_attr_LDADD = $(UNIT_SRPD_LIBS)
tests_unit_test_rport_state_LDADD = $(UNIT_SRPD_LIBS)
