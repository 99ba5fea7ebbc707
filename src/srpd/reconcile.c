/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "srpd/reconcile.h"

#include <string.h>

#include "srpd/conf.h"
#include "srpd/rport.h"
#include "util/log.h"

static const struct rport_attr *
find_target(const struct conf *conf, const char *name)
{
	for (unsigned int i = 0; i < conf->nr_targets; i++)
		if (strcmp(conf->targets[i]->name, name) == 0)
			return conf->targets[i];
	return NULL;
}

static void
stop_others(struct rports *rports, const struct conf *conf,
	struct reconcile_result *result)
{
	struct rport *rport;
	unsigned int i = 0;

	while ((rport = rports_at(rports, i)) != NULL) {
		if (find_target(conf, rport_name(rport))) {
			i++;
			continue;
		}
		log_info("srpd", "target %s: no longer configured",
			rport_name(rport));
		rports_stop(rports, rport);
		result->stopped++;
	}
}

static void
ignore(void *arg, int rc, const char *sentence)
{
	(void)arg;
	(void)rc;
	(void)sentence;
}

static void
retry_lost(struct rport *rport)
{
	struct rport_status status;
	char reason[256];

	rport_status(rport, &status);
	if (status.state == RPORT_LOST &&
		rport_request(rport, RPORT_LOGIN, 0, ignore, NULL, reason,
			sizeof(reason)))
		log_warn("srpd", "target %s: %s", status.name, reason);
}

static void
adjust(struct rports *rports, struct rport *rport, struct rport_attr *attr,
	struct reconcile_result *result)
{
	if (rport_attr_diff(rport_attr(rport), attr) == RPORT_SAME) {
		result->kept++;
	} else {
		rports_change(rports, rport, attr);
		result->changed++;
	}
	retry_lost(rport);
}

void
reconcile(struct rports *rports, const struct conf *conf,
	struct reconcile_result *result)
{
	struct rport_attr *attr;
	struct rport *rport;
	int rc;

	memset(result, 0, sizeof(*result));
	stop_others(rports, conf, result);
	for (unsigned int i = 0; i < conf->nr_targets; i++) {
		attr = conf->targets[i];
		rport = rports_find(rports, attr->name);
		if (rport) {
			adjust(rports, rport, attr, result);
			continue;
		}
		rc = rports_start(rports, attr);
		if (rc)
			log_error("srpd", "target %s: can't be started: %s",
				attr->name, strerror(-rc));
		result->started += rc == 0;
		result->failed += rc != 0;
	}
}
