/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * An embedded target with two LUNs and the set of rports that log in to it, in
 * one thread's loop. One rig a process.
 */
#ifndef TESTS_RPORT_RIG_H
#define TESTS_RPORT_RIG_H

#include <check.h>

#include "softrdma/soft_dev.h"
#include "srpd/rport.h"
#include "target/target.h"
#include "util/clock.h"
#include "util/loop.h"

struct rport_rig {
	struct loop loop;
	struct rports *rports;
	struct soft_dev *dev;
	struct target *target;
	char url[256], reason[512];
	unsigned int nr_changes;
	/* the last answer, and how many there were */
	int answer_rc;
	char answer_text[RPORT_ERROR_BYTES];
	unsigned int nr_answers;
	/* what is waited for */
	enum rport_state wanted_state;
	unsigned int wanted_nr;
};
extern struct rport_rig rig;

void rig_on_answer(void *arg, int rc, const char *sentence);
void rig_setup(void);
/* Runs the loop until @is_so, a minute at most. */
void rig_run_until(bool (*is_so)(void));
bool rig_are_gone(void);
void rig_teardown(void);
/* A short delay, no probes. */
struct rport_attr *rig_attr(const char *name, const char *to);
/* Takes the reference. */
struct rport *rig_start(struct rport_attr *attr);
struct rport_status rig_status(const char *name);
/* Is target "a" in rig.wanted_state? */
bool rig_has_state(void);
void rig_wait_state(enum rport_state state);
bool rig_has_answers(void);
/* Its answer is waited for with rig_has_answers(). */
void rig_ask(struct rport *rport, enum rport_request request, uint64_t lun);
/* Asks and waits; the answer, its sentence in rig.answer_text. */
int rig_do(struct rport *rport, enum rport_request request, uint64_t lun);
/* Target "a", logged in. */
struct rport *rig_start_ready(void);
/* Do logins get an SRP_LOGIN_REJ? */
void rig_refuse(bool on);
/* Target "a" has, and waits for its next attempt. */
bool rig_has_failed(void);

#endif /* TESTS_RPORT_RIG_H */
