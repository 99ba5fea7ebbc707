/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The measured loop. Nothing here allocates, formats or locks; the sources'
 * submit() and wait() are as bare as what they stand for.
 *
 * It is compiled twice, without and with a probe: @probed is a constant in
 * each, so that the plain loop has nothing of what it does not do.
 *
 * The clock is read once a record at depth one, which matters where that is a
 * system call: the end of one is the beginning of the next.
 */
#include <errno.h>

#include "tools/srplat_run.h"
#include "util/clock.h"
#include "util/compiler.h"

/* How long a wait may last before stop flag and tick are looked at. */
#define WAIT_NS (100 * (int64_t)CLOCK_NS_PER_MSEC)
/* When both ends have requests outstanding, neither may be waited on long. */
#define WAIT_BOTH_NS (20 * (int64_t)CLOCK_NS_PER_USEC)

/* splitmix64: one state word, every seed is good. */
static uint64_t
next_random(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static __always_inline uint64_t
pick_record(struct srplat_loop *loop, bool probed)
{
	uint64_t nr = loop->area->nr_records;

	if (probed && loop->probe->verify)
		return srplat_verify_record(loop->probe->verify, loop->next++);
	if (loop->area->pattern == SRPLAT_PATTERN_RAND)
		return (uint64_t)((unsigned __int128)next_random(
					  &loop->random) *
				nr >>
			64);
	if (loop->next >= nr)
		loop->next = 0;
	return loop->next++;
}

static uint32_t
record_bytes(const struct srplat_area *area, uint64_t record)
{
	return area->tail_bytes && record == area->nr_records - 1
		? area->tail_bytes
		: area->record_bytes;
}

static bool
may_start(const struct srplat_loop *loop, uint64_t now_ns)
{
	return loop->nr_started < loop->nr_wanted && !loop->error &&
		now_ns < loop->deadline_ns && !*loop->stop;
}

static int
submit(struct srplat_loop *loop, uint32_t tag, enum srplat_dir dir)
{
	const struct srplat_slot *slot = &loop->slots[tag];
	uint64_t at = slot->record * loop->area->record_bytes;
	struct srplat_req req = { .tag = tag,
		.dir = dir,
		.buf = slot->buf,
		.bytes = slot->bytes };
	int rc;

	if (dir == SRPLAT_READ) {
		req.offset = loop->area->in_offset + at;
		rc = loop->in->ops->submit(loop->in, &req);
		loop->nr_in += rc == 0;
	} else {
		req.offset = loop->area->out_offset + at;
		rc = loop->out->ops->submit(loop->out, &req);
		loop->nr_out += rc == 0;
	}
	return rc;
}

static void
fail(struct srplat_loop *loop, uint32_t tag, int error)
{
	loop->nr_errors++;
	if (!loop->error)
		loop->error = error;
	loop->free_slots[loop->nr_free++] = tag;
}

/* What belongs before the latency; after more than a moment's work the clock
 * is read again. */
static uint64_t
prepare(struct srplat_loop *loop, struct srplat_slot *slot, uint64_t now_ns)
{
	struct srplat_probe *probe = loop->probe;

	if (probe->verify) {
		slot->sequence = probe->verify->base + loop->next - 1;
		if (!loop->in)
			srplat_verify_fill(probe->verify, slot);
	}
	if (probe->verify || probe->interval_ns > 0.0)
		now_ns = clock_ns();
	slot->intended_ns = now_ns;
	if (probe->interval_ns > 0.0) {
		slot->intended_ns = srplat_probe_due_ns(
			probe, loop->begin_ns, loop->nr_started);
		if (now_ns > slot->intended_ns + probe->late_ns)
			probe->nr_missed++;
	}
	return now_ns;
}

static __always_inline void
start(struct srplat_loop *loop, uint64_t now_ns, bool probed)
{
	uint32_t tag = loop->free_slots[--loop->nr_free];
	struct srplat_slot *slot = &loop->slots[tag];
	int rc;

	slot->record = pick_record(loop, probed);
	slot->bytes = record_bytes(loop->area, slot->record);
	if (probed)
		now_ns = prepare(loop, slot, now_ns);
	slot->begin_ns = now_ns;
	loop->nr_started++;
	rc = submit(loop, tag, loop->in ? SRPLAT_READ : SRPLAT_WRITE);
	if (unlikely(rc))
		fail(loop, tag, rc);
}

/* Adds to the histograms and checks the pattern; 0, or why it is bad. */
static int
finish_probed(struct srplat_loop *loop, const struct srplat_src *src,
	uint32_t tag, uint64_t now_ns)
{
	const struct srplat_slot *slot = &loop->slots[tag];
	struct srplat_probe *probe = loop->probe;

	if (!probe->is_warming && now_ns >= slot->begin_ns)
		srplat_probe_finish(loop, slot,
			src->stamps ? &src->stamps[tag] : NULL, now_ns);
	if (probe->verify && loop->in)
		return srplat_verify_check(probe->verify, slot);
	return 0;
}

static __always_inline void
finish(struct srplat_loop *loop, uint32_t tag, uint64_t now_ns)
{
	const struct srplat_slot *slot = &loop->slots[tag];

	loop->free_slots[loop->nr_free++] = tag;
	loop->bytes += slot->bytes;
	loop->nr_done++;
	if (unlikely(slot->bytes != loop->area->record_bytes))
		loop->nr_short++;
	if (unlikely(now_ns < slot->begin_ns))
		loop->nr_backwards++;
	else
		hist_record(loop->hist, now_ns - slot->begin_ns);
}

/* From one end. How many have come, or -errno of the wait itself. */
static __always_inline int
reap(struct srplat_loop *loop, struct srplat_src *src, int64_t timeout_ns,
	bool probed)
{
	bool is_in = src == loop->in;
	int i, nr, rc;
	uint64_t now_ns;

	loop->seen_ns = 0;
	nr = src->ops->wait(src, loop->done, loop->depth, timeout_ns);
	if (unlikely(nr <= 0))
		return nr;
	now_ns = loop->seen_ns = clock_ns();
	if (is_in)
		loop->nr_in -= (unsigned int)nr;
	else
		loop->nr_out -= (unsigned int)nr;
	for (i = 0; i < nr; i++) {
		uint32_t tag = loop->done[i].tag;

		if (unlikely(loop->done[i].error)) {
			fail(loop, tag, loop->done[i].error);
		} else if (is_in && loop->out) {
			rc = submit(loop, tag, SRPLAT_WRITE);
			if (unlikely(rc))
				fail(loop, tag, rc);
		} else {
			rc = probed ? finish_probed(loop, src, tag, now_ns)
				    : 0;
			if (unlikely(rc))
				fail(loop, tag, rc);
			else
				finish(loop, tag, now_ns);
		}
	}
	return nr;
}

static int
flush(struct srplat_loop *loop)
{
	int rc = 0;

	if (loop->in)
		rc = loop->in->ops->flush(loop->in);
	if (!rc && loop->out)
		rc = loop->out->ops->flush(loop->out);
	return rc;
}

/*
 * Until the next record is due; and as it is with a time-out of 0 when that
 * is a matter of waking up in time.
 */
static int64_t
wait_limit_ns(const struct srplat_loop *loop)
{
	const struct srplat_probe *probe = loop->probe;
	uint64_t due_ns, now_ns;

	if (probe->interval_ns <= 0.0 || !loop->nr_free ||
		loop->nr_started >= loop->nr_wanted)
		return WAIT_NS;
	due_ns = srplat_probe_due_ns(probe, loop->begin_ns, loop->nr_started);
	now_ns = clock_ns();
	return due_ns <= now_ns ? 0
				: min_t(int64_t, WAIT_NS,
					  (int64_t)(due_ns - now_ns));
}

static __always_inline int
wait_some(struct srplat_loop *loop, bool probed)
{
	int64_t limit_ns = probed ? wait_limit_ns(loop) : WAIT_NS;
	int rc;

	if (!loop->nr_out)
		return reap(loop, loop->in, limit_ns, probed);
	if (!loop->nr_in)
		return reap(loop, loop->out, limit_ns, probed);
	rc = reap(loop, loop->out, WAIT_BOTH_NS, probed);
	if (rc < 0)
		return rc;
	return reap(loop, loop->in, WAIT_BOTH_NS, probed);
}

static void
begin(struct srplat_loop *loop)
{
	unsigned int i;

	for (i = 0; i < loop->depth; i++)
		loop->free_slots[i] = loop->depth - 1 - i;
	loop->nr_free = loop->depth;
	loop->nr_in = 0;
	loop->nr_out = 0;
	loop->error = 0;
	loop->nr_started = 0;
	loop->nr_done = 0;
	loop->nr_short = 0;
	loop->bytes = 0;
	loop->nr_errors = 0;
	loop->nr_backwards = 0;
	loop->begin_ns = clock_ns();
}

/* Is the next record due, and is somebody there to see how many wait? */
static bool
is_due(struct srplat_loop *loop, uint64_t now_ns)
{
	struct srplat_probe *probe = loop->probe;
	uint64_t nr_due;

	if (probe->interval_ns <= 0.0)
		return true;
	nr_due = min(srplat_probe_nr_due(probe, loop->begin_ns, now_ns),
		loop->nr_wanted);
	if (nr_due <= loop->nr_started)
		return false;
	probe->max_waiting =
		max(probe->max_waiting, nr_due - loop->nr_started - 1);
	return true;
}

/* Nothing is outstanding and nothing is due: sleeps, if more is to come. */
static bool
sleep_until_due(struct srplat_loop *loop, uint64_t now_ns)
{
	struct srplat_probe *probe = loop->probe;
	uint64_t due_ns;

	if (probe->interval_ns <= 0.0 || !may_start(loop, now_ns))
		return false;
	due_ns = srplat_probe_due_ns(probe, loop->begin_ns, loop->nr_started);
	due_ns = min(due_ns, loop->deadline_ns);
	srplat_probe_sleep(min(due_ns, now_ns + (uint64_t)WAIT_NS));
	return true;
}

static __always_inline int
run_loop(struct srplat_loop *loop, bool probed)
{
	uint64_t now_ns;
	int rc;

	begin(loop);
	now_ns = loop->begin_ns;
	for (;;) {
		while (loop->nr_free && may_start(loop, now_ns) &&
			(!probed || is_due(loop, now_ns))) {
			start(loop, now_ns, probed);
			/* The next one begins when this one is prepared. */
			if (loop->nr_free)
				now_ns = clock_ns();
		}
		if (loop->nr_free == loop->depth) {
			if (!probed || !sleep_until_due(loop, now_ns))
				break;
			now_ns = 0;
			goto next;
		}
		rc = flush(loop);
		if (!rc)
			rc = wait_some(loop, probed);
		if (unlikely(rc < 0)) {
			/* The end itself is broken: nothing comes back. */
			loop->nr_errors++;
			loop->error = loop->error ? loop->error : rc;
			break;
		}
		now_ns = loop->seen_ns;
next:
		/* Nothing came, or it was only waited: the time is not known. */
		if (!now_ns)
			now_ns = clock_ns();
		if (unlikely(now_ns >= loop->next_tick_ns) &&
			loop->on_tick(loop, now_ns))
			break;
	}
	loop->end_ns = clock_ns();
	if (probed)
		srplat_probe_end(loop, loop->end_ns);
	return loop->error;
}

static __noinline int
run_probed(struct srplat_loop *loop)
{
	return run_loop(loop, true);
}

int
srplat_loop_run(struct srplat_loop *loop)
{
	return loop->probe ? run_probed(loop) : run_loop(loop, false);
}
