/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What a loop may do besides reading and writing: start records when they are
 * due, split a latency into stages, remember slow records, write and check a
 * pattern. A loop without a probe has none of the code (srplat_run_io.c).
 *
 *	intended   begin             end
 *	   |--wait---|-----service-----|
 *	   |----------response---------|
 *
 * With a rate the n-th record is due n intervals after the beginning,
 * whatever happened before. One that cannot start, since depth= of them are
 * under way, waits; its response time counts from when it was due. What still
 * waits when a run by time ends is counted with what it has waited by then.
 */
#ifndef SRPLAT_PROBE_H
#define SRPLAT_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "util/hist.h"
#include "util/spin.h"

struct srplat_loop;
struct srplat_slot;
struct srplat_src;
struct srplat_verify;

/* Between which two stamps; in time order, whichever mode runs. */
enum srplat_stage {
	SRPLAT_STAGE_SUBMIT,  /* begin to posted */
	SRPLAT_STAGE_SEEN,    /* posted to completion seen, before any wake */
	SRPLAT_STAGE_WAKE,    /* seen by another thread, to waiter woken */
	SRPLAT_STAGE_WOKEN,   /* posted to waiter woken, which then looks */
	SRPLAT_STAGE_LOOK,    /* woken to seen */
	SRPLAT_STAGE_DELIVER, /* the later of both to delivered */
	SRPLAT_STAGE_RETURN,  /* delivered to the probe's own clock */
	SRPLAT_NR_STAGES
};

/* Clock reads that stamping takes: submitted, posted, seen, delivered. */
#define SRPLAT_STAGE_READS 4

/* A request's stamps as the source has them; 0 where it did not sleep. */
struct srplat_stamps {
	uint64_t posted_ns;
	uint64_t seen_ns;
	uint64_t woken_ns;
	uint64_t delivered_ns;
};

/* "submit->posted" and so on. */
const char *srplat_stage_name(enum srplat_stage stage);

/* What each stage took; SRPLAT_NR_STAGES numbers, UINT64_MAX: no such. */
void srplat_stages_split(const struct srplat_stamps *stamps, uint64_t begin_ns,
	uint64_t end_ns, uint64_t *stages);

#define SRPLAT_MAX_SLOW 100

struct srplat_slow_io {
	uint64_t at_ns; /* since the run began */
	uint64_t latency_ns;
	uint64_t offset; /* bytes */
	uint32_t bytes;
	bool is_write;
	bool has_stages;
	uint64_t stages[SRPLAT_NR_STAGES];
};

struct srplat_slow {
	uint64_t limit_ns;
	uint64_t run_begin_ns;
	uint64_t nr; /* all of them; the first SRPLAT_MAX_SLOW are kept */
	struct srplat_slow_io ios[SRPLAT_MAX_SLOW];
};

struct srplat_probe {
	bool is_warming; /* nothing is counted */
	/* rate: 0.0 starts a record as soon as a slot is free */
	double interval_ns;
	uint64_t late_ns;
	struct hist *response;
	uint64_t nr_missed;  /* begun later than late_ns after they were due */
	uint64_t nr_unsent;  /* waiting when the time was over */
	uint64_t max_waiting; /* due and not begun, at most */
	uint64_t resume_ns;  /* do not block before */
	/* NULL: not wanted */
	struct hist *stages; /* SRPLAT_NR_STAGES of them */
	struct srplat_slow *slow;
	struct srplat_verify *verify;
};

/* When the @nth record, from 0, of a round that began then is due. */
static inline uint64_t
srplat_probe_due_ns(const struct srplat_probe *probe, uint64_t begin_ns,
	uint64_t nth)
{
	return begin_ns + (uint64_t)(probe->interval_ns * (double)nth);
}

/* How many were due by then. */
static inline uint64_t
srplat_probe_nr_due(const struct srplat_probe *probe, uint64_t begin_ns,
	uint64_t now_ns)
{
	/* A clock that went back: none until it is there again. */
	if (now_ns < begin_ns)
		return 0;
	return (uint64_t)((double)(now_ns - begin_ns) / probe->interval_ns) +
		1;
}

/* Sleeps, and spins at the end, until then; a signal ends it early. */
void srplat_probe_sleep(uint64_t until_ns);

/* A record has come back, good. */
void srplat_probe_finish(struct srplat_loop *loop,
	const struct srplat_slot *slot, const struct srplat_stamps *stamps,
	uint64_t now_ns);
/* The round is over: what was due by @end_ns and did not begin. */
void srplat_probe_end(struct srplat_loop *loop, uint64_t end_ns);

#endif /* SRPLAT_PROBE_H */
