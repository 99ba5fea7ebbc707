/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The measured loop. Nothing here allocates, formats or locks; the sources'
 * submit() and wait() are as bare as what they stand for.
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

static uint64_t
pick_record(struct srplat_loop *loop)
{
	uint64_t nr = loop->area->nr_records;

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

static void
start(struct srplat_loop *loop, uint64_t now_ns)
{
	uint32_t tag = loop->free_slots[--loop->nr_free];
	struct srplat_slot *slot = &loop->slots[tag];
	int rc;

	slot->record = pick_record(loop);
	slot->bytes = record_bytes(loop->area, slot->record);
	slot->begin_ns = now_ns;
	loop->nr_started++;
	rc = submit(loop, tag, loop->in ? SRPLAT_READ : SRPLAT_WRITE);
	if (unlikely(rc))
		fail(loop, tag, rc);
}

static void
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
static int
reap(struct srplat_loop *loop, struct srplat_src *src, int64_t timeout_ns)
{
	bool is_in = src == loop->in;
	int i, nr, rc;
	uint64_t now_ns;

	nr = src->ops->wait(src, loop->done, loop->depth, timeout_ns);
	if (unlikely(nr <= 0))
		return nr;
	now_ns = clock_ns();
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

static int
wait_some(struct srplat_loop *loop)
{
	int rc;

	if (!loop->nr_out)
		return reap(loop, loop->in, WAIT_NS);
	if (!loop->nr_in)
		return reap(loop, loop->out, WAIT_NS);
	rc = reap(loop, loop->out, WAIT_BOTH_NS);
	if (rc < 0)
		return rc;
	return reap(loop, loop->in, WAIT_BOTH_NS);
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

int
srplat_loop_run(struct srplat_loop *loop)
{
	uint64_t now_ns;
	int rc;

	begin(loop);
	now_ns = loop->begin_ns;
	for (;;) {
		while (loop->nr_free && may_start(loop, now_ns)) {
			start(loop, now_ns);
			/* The next one begins when this one is prepared. */
			if (loop->nr_free)
				now_ns = clock_ns();
		}
		if (loop->nr_free == loop->depth)
			break;
		rc = flush(loop);
		if (!rc)
			rc = wait_some(loop);
		if (unlikely(rc < 0)) {
			/* The end itself is broken: nothing comes back. */
			loop->nr_errors++;
			loop->error = loop->error ? loop->error : rc;
			break;
		}
		now_ns = clock_ns();
		if (unlikely(now_ns >= loop->next_tick_ns) &&
			loop->on_tick(loop, now_ns))
			break;
	}
	loop->end_ns = clock_ns();
	return loop->error;
}
