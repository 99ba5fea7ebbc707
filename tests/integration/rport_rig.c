/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "rport_rig.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <stdio.h>

#include "fabric/fabric.h"

#define ID UINT64_C(0x0002c90300a0b0c0)
#define WAIT_NS (60 * CLOCK_NS_PER_SEC)

struct rport_rig rig;

static void
on_change(void *arg)
{
	(void)arg;
	rig.nr_changes++;
}

void
rig_on_answer(void *arg, int rc, const char *sentence)
{
	ck_assert_ptr_eq(arg, &rig.loop);
	rig.answer_rc = rc;
	snprintf(rig.answer_text, sizeof(rig.answer_text), "%s", sentence);
	rig.nr_answers++;
}

static void
target_up(void)
{
	static const struct target_lun_attr luns[] = {
		{.number = 0, .backend = "ram", .size_bytes = 1 << 20},
		{.number = 5, .backend = "null", .size_bytes = 1 << 30},
	};
	struct soft_dev_attr attr = {.irqmode = SOFT_IRQ_SOFTIRQ};
	struct target_attr full = {.luns = luns, .nr_luns = 2, .id_ext = ID,
		.ioc_guid = ID};
	struct sockaddr_in addr;
	char text[INET_ADDRSTRLEN];

	ck_assert_int_eq(soft_dev_create(&attr, &rig.dev), 0);
	soft_dev_addr(rig.dev, &addr);
	addr.sin_port = 0;
	full.fabric = fabric_find("soft");
	full.addr = (struct sockaddr *)&addr;
	ck_assert_msg(
		target_create(&full, &rig.target, rig.reason,
			sizeof(rig.reason)) == 0,
		"%s", rig.reason);
	inet_ntop(AF_INET, &addr.sin_addr, text, sizeof(text));
	snprintf(rig.url, sizeof(rig.url),
		"srp://%s:%u/?id_ext=%016" PRIx64 "&ioc_guid=%016" PRIx64
		"&fabric=soft",
		text, target_port(rig.target), ID, ID);
}

void
rig_setup(void)
{
	ck_assert_int_eq(loop_init(&rig.loop), 0);
	ck_assert_int_eq(rports_create(&rig.loop, on_change, NULL, &rig.rports), 0);
	target_up();
	rig.nr_answers = 0;
	rig.nr_changes = 0;
}

void
rig_run_until(bool (*is_so)(void))
{
	uint64_t end = clock_ns() + WAIT_NS;

	while (!is_so()) {
		ck_assert_msg(clock_ns() < end, "waited in vain");
		loop_run_once(&rig.loop, 10 * CLOCK_NS_PER_MSEC);
	}
}

bool
rig_are_gone(void)
{
	return rports_nr_stopping(rig.rports) == 0;
}

void
rig_teardown(void)
{
	rports_stop_all(rig.rports);
	rig_run_until(rig_are_gone);
	ck_assert_uint_eq(rports_count(rig.rports), 0);
	rports_destroy(rig.rports);
	loop_fini(&rig.loop);
	target_destroy(rig.target);
	soft_dev_put(rig.dev);
}

struct rport_attr *
rig_attr(const char *name, const char *to)
{
	struct rport_attr *attr = rport_attr_create(name);

	ck_assert_int_eq(rport_attr_add_url(attr, to), 0);
	attr->reconnect_delay_ns = CLOCK_NS_PER_SEC;
	attr->probe_ns = 0;
	return attr;
}

struct rport *
rig_start(struct rport_attr *attr)
{
	ck_assert_int_eq(rports_start(rig.rports, attr), 0);
	rport_attr_put(attr);
	return rports_find(rig.rports, attr->name);
}

struct rport_status
rig_status(const char *name)
{
	struct rport_status status;

	rport_status(rports_find(rig.rports, name), &status);
	return status;
}

bool
rig_has_state(void)
{
	return rig_status("a").state == rig.wanted_state;
}

void
rig_wait_state(enum rport_state state)
{
	rig.wanted_state = state;
	rig_run_until(rig_has_state);
}

bool
rig_has_answers(void)
{
	return rig.nr_answers >= rig.wanted_nr;
}

void
rig_ask(struct rport *rport, enum rport_request request, uint64_t lun)
{
	rig.wanted_nr = rig.nr_answers + 1;
	ck_assert_msg(rport_request(rport, request, lun, rig_on_answer, &rig.loop,
			      rig.reason, sizeof(rig.reason)) == 0,
		"%s", rig.reason);
}

int
rig_do(struct rport *rport, enum rport_request request, uint64_t lun)
{
	rig_ask(rport, request, lun);
	rig_run_until(rig_has_answers);
	ck_assert_uint_eq(rig.nr_answers, rig.wanted_nr);
	return rig.answer_rc;
}

struct rport *
rig_start_ready(void)
{
	struct rport *rport = rig_start(rig_attr("a", rig.url));

	rig_wait_state(RPORT_READY);
	return rport;
}

void
rig_refuse(bool on)
{
	struct target_faults faults = {.login_rej_reason = on ? 0x10006 : 0};

	target_set_faults(rig.target, &faults);
}

bool
rig_has_failed(void)
{
	return rig_status("a").last_error[0] &&
	       rig_status("a").next_try_ns != 0;
}
