# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# The daemon. Its main() has a file of its own; the rest is in a noinst
# library, so that unit tests can link it.

noinst_LTLIBRARIES += src/srpd/libsrpd.la
src_srpd_libsrpd_la_SOURCES = \
	src/srpd/conf.c \
	src/srpd/conf.h \
	src/srpd/conf_check.c \
	src/srpd/conf_check.h \
	src/srpd/conf_keys.c \
	src/srpd/conf_keys.h \
	src/srpd/conf_problems.c \
	src/srpd/conf_problems.h \
	src/srpd/ctl_cmds.c \
	src/srpd/ctl_cmds.h \
	src/srpd/ctl_conn.c \
	src/srpd/ctl_conn.h \
	src/srpd/ctl_json.c \
	src/srpd/ctl_json.h \
	src/srpd/ctl_server.c \
	src/srpd/ctl_server.h \
	src/srpd/daemon.c \
	src/srpd/daemon.h \
	src/srpd/instance.c \
	src/srpd/instance.h \
	src/srpd/latency.c \
	src/srpd/latency.h \
	src/srpd/logging.c \
	src/srpd/logging.h \
	src/srpd/lun_latency.c \
	src/srpd/lun_latency.h \
	src/srpd/metrics.c \
	src/srpd/metrics.h \
	src/srpd/metrics_listen.c \
	src/srpd/metrics_listen.h \
	src/srpd/metrics_text.c \
	src/srpd/metrics_text.h \
	src/srpd/notify.c \
	src/srpd/notify.h \
	src/srpd/opts.c \
	src/srpd/opts.h \
	src/srpd/reconcile.c \
	src/srpd/reconcile.h \
	src/srpd/redact.c \
	src/srpd/redact.h \
	src/srpd/rport.c \
	src/srpd/rport.h \
	src/srpd/rport_attr.c \
	src/srpd/rport_attr.h \
	src/srpd/rport_events.c \
	src/srpd/rport_login.c \
	src/srpd/rport_luns.c \
	src/srpd/rport_priv.h \
	src/srpd/rport_run.c \
	src/srpd/rport_state.c \
	src/srpd/rport_state.h \
	src/srpd/rports.c \
	src/srpd/stats_table.c \
	src/srpd/stats_table.h \
	$(NULL)

src_srpd_libsrpd_la_CPPFLAGS = \
	$(AM_CPPFLAGS) \
	-DSYSCONFDIR='"$(sysconfdir)"' \
	$(NULL)

SRPD_LIBS = \
	src/srpd/libsrpd.la \
	src/ctl/libctl.la \
	src/lib/libsrpi.la \
	src/util/libutil.la \
	$(INIPARSER_LIBS) \
	$(SYSTEMD_LIBS) \
	$(MICROHTTPD_LIBS) \
	$(JANSSON_LIBS) \
	$(NULL)

sbin_PROGRAMS += src/srpd/srpd
src_srpd_srpd_SOURCES = src/srpd/main.c
src_srpd_srpd_LDADD = $(SRPD_LIBS)
