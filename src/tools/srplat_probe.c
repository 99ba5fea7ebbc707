/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/srplat_probe.h"

#include <string.h>
#include <time.h>

#include "tools/srplat_run.h"
#include "util/clock.h"
#include "util/compiler.h"

/* A sleep ends this much early; the rest is spun, to be there in time. */
#define SPIN_NS (60 * CLOCK_NS_PER_USEC)
#define NONE UINT64_MAX
#define MAX_GROUPS (UINT64_C(1) << 20)

const char *
srplat_stage_name(enum srplat_stage stage)
{
	static const char *const names[SRPLAT_NR_STAGES] = {
		[SRPLAT_STAGE_SUBMIT] = "submit->posted",
		[SRPLAT_STAGE_SEEN] = "posted->seen",
		[SRPLAT_STAGE_WAKE] = "seen->woken",
		[SRPLAT_STAGE_WOKEN] = "posted->woken",
		[SRPLAT_STAGE_LOOK] = "woken->seen",
		[SRPLAT_STAGE_DELIVER] = "last->delivered",
		[SRPLAT_STAGE_RETURN] = "delivered->probe",
	};

	return names[stage];
}

static uint64_t
between(uint64_t begin_ns, uint64_t end_ns)
{
	return end_ns > begin_ns ? end_ns - begin_ns : 0;
}

void
srplat_stages_split(const struct srplat_stamps *stamps, uint64_t begin_ns,
	uint64_t end_ns, uint64_t *stages)
{
	uint64_t woken_ns = stamps->woken_ns, last_ns = stamps->seen_ns;
	unsigned int i;

	for (i = 0; i < SRPLAT_NR_STAGES; i++)
		stages[i] = NONE;
	/* Answered in the post itself, or ended without a response. */
	if (!stamps->posted_ns || !stamps->seen_ns)
		return;
	stages[SRPLAT_STAGE_SUBMIT] = between(begin_ns, stamps->posted_ns);
	if (woken_ns > stamps->posted_ns && woken_ns < stamps->seen_ns) {
		stages[SRPLAT_STAGE_WOKEN] =
			between(stamps->posted_ns, woken_ns);
		stages[SRPLAT_STAGE_LOOK] = between(woken_ns, stamps->seen_ns);
	} else {
		stages[SRPLAT_STAGE_SEEN] =
			between(stamps->posted_ns, stamps->seen_ns);
		if (woken_ns >= stamps->seen_ns) {
			stages[SRPLAT_STAGE_WAKE] =
				between(stamps->seen_ns, woken_ns);
			last_ns = woken_ns;
		}
	}
	stages[SRPLAT_STAGE_DELIVER] = between(last_ns, stamps->delivered_ns);
	stages[SRPLAT_STAGE_RETURN] = between(stamps->delivered_ns, end_ns);
}

void
srplat_probe_sleep(uint64_t until_ns)
{
	uint64_t now_ns = clock_ns(), wake_ns;
	struct spin spin = { 0 };
	struct timespec ts;

	if (until_ns > now_ns + SPIN_NS) {
		wake_ns = until_ns - SPIN_NS;
		ts.tv_sec = (time_t)(wake_ns / CLOCK_NS_PER_SEC);
		ts.tv_nsec = (long)(wake_ns % CLOCK_NS_PER_SEC);
		if (clock_nanosleep(
			    CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL))
			return;
	}
	spin_begin(&spin);
	while (clock_ns() < until_ns)
		spin_pause(&spin);
	spin_end(&spin);
}

static void
note_slow(struct srplat_loop *loop, const struct srplat_slot *slot,
	const uint64_t *stages, uint64_t now_ns)
{
	struct srplat_slow *slow = loop->probe->slow;
	const struct srplat_area *area = loop->area;
	struct srplat_slow_io *io;

	if (slow->nr++ >= SRPLAT_MAX_SLOW)
		return;
	io = &slow->ios[slow->nr - 1];
	*io = (struct srplat_slow_io){
		.at_ns = slot->begin_ns - slow->run_begin_ns,
		.latency_ns = now_ns - slot->begin_ns,
		.offset = (loop->in ? area->in_offset : area->out_offset) +
			slot->record * area->record_bytes,
		.bytes = slot->bytes,
		.is_write = !loop->in,
		.has_stages = stages != NULL,
	};
	if (stages)
		memcpy(io->stages, stages, sizeof(io->stages));
}

void
srplat_probe_finish(struct srplat_loop *loop, const struct srplat_slot *slot,
	const struct srplat_stamps *stamps, uint64_t now_ns)
{
	struct srplat_probe *probe = loop->probe;
	uint64_t stages[SRPLAT_NR_STAGES];
	unsigned int i;

	if (probe->response)
		hist_record(probe->response,
			now_ns - min(slot->intended_ns, now_ns));
	if (stamps)
		srplat_stages_split(stamps, slot->begin_ns, now_ns, stages);
	for (i = 0; probe->stages && stamps && i < SRPLAT_NR_STAGES; i++)
		if (stages[i] != NONE)
			hist_record(&probe->stages[i], stages[i]);
	if (probe->slow && now_ns - slot->begin_ns > probe->slow->limit_ns)
		note_slow(loop, slot, stamps ? stages : NULL, now_ns);
}

/* Each with what it has waited; very many in groups of like ones. */
static void
count_unsent(const struct srplat_loop *loop, uint64_t end_ns, uint64_t nr)
{
	struct srplat_probe *probe = loop->probe;
	uint64_t first = loop->nr_started, group = nr / MAX_GROUPS + 1, some;
	uint64_t due_ns;

	probe->nr_unsent += nr;
	probe->nr_missed += nr;
	for (; nr; nr -= some, first += some) {
		some = min(group, nr);
		due_ns = srplat_probe_due_ns(
			probe, loop->begin_ns, first + some / 2);
		hist_record_many(
			probe->response, between(due_ns, end_ns), some);
	}
}

void
srplat_probe_end(struct srplat_loop *loop, uint64_t end_ns)
{
	struct srplat_probe *probe = loop->probe;
	uint64_t nr_due;

	end_ns = min(end_ns, loop->deadline_ns);
	/* What is just due is not waiting yet. */
	if (!probe->response || probe->is_warming || loop->error ||
		end_ns < loop->begin_ns + probe->late_ns)
		return;
	nr_due = srplat_probe_nr_due(
		probe, loop->begin_ns, end_ns - probe->late_ns);
	nr_due = min(nr_due, loop->nr_wanted);
	if (nr_due > loop->nr_started)
		count_unsent(loop, end_ns, nr_due - loop->nr_started);
}
