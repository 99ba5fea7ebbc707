/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/srplat_run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include <srpi/srpi.h>

#include "util/clock.h"
#include "util/compiler.h"

/* Least and greatest of six are a 97 % interval of the median. */
#define DEFAULT_ROUNDS_ALL 6
#define DEFAULT_WARMUP_ALL 1000
#define TICK_NS (200 * CLOCK_NS_PER_MSEC)
/* After an interrupt: how long to wait for what is outstanding. */
#define GIVE_UP_NS CLOCK_NS_PER_SEC
#define BUFFER_ALIGN 4096
#define SEED UINT64_C(0x5eed)
#define PROBE_RECORDS 20000

static int
refuse_memory(char *reason, size_t n, const char *what)
{
	snprintf(reason, n, "no memory for %s: use a smaller bs= or depth=",
		what);
	return SRPLAT_EXIT_UNREACHABLE;
}

/* Both passive, /dev/zero to /dev/null: the source that does nothing. */
static int
choose_ends(struct srplat_run *run, char *reason, size_t n)
{
	struct srplat_loop *loop = &run->loop;

	loop->in = srplat_src_is_active(run->in) ? run->in : NULL;
	loop->out = srplat_src_is_active(run->out) ? run->out : NULL;
	if (loop->in || loop->out)
		return 0;
	srplat_src_close(run->out);
	run->out = NULL;
	if (srplat_src_none_open(&run->out))
		return refuse_memory(reason, n, "the run");
	run->out->name = run->opts->out;
	loop->out = run->out;
	return 0;
}

/* The end whose completion modes count: a LUN before a file. */
static struct srplat_src *
main_end(const struct srplat_run *run)
{
	const struct srplat_loop *loop = &run->loop;

	if (loop->in && loop->in->kind == SRPLAT_KIND_LUN)
		return loop->in;
	if (loop->out)
		return loop->out;
	return loop->in;
}

static int
add_mode(struct srplat_run *run, int id)
{
	struct srplat_mode *mode = &run->modes[run->nr_modes++];

	mode->id = id;
	mode->random = SEED;
	mode->hist = malloc(sizeof(*mode->hist));
	mode->round_mean_ns =
		calloc(run->nr_rounds, sizeof(*mode->round_mean_ns));
	mode->round_p50_ns =
		calloc(run->nr_rounds, sizeof(*mode->round_p50_ns));
	if (!mode->hist || !mode->round_mean_ns || !mode->round_p50_ns)
		return -ENOMEM;
	hist_reset(mode->hist);
	snprintf(mode->name, sizeof(mode->name), "%s",
		main_end(run)->ops->mode_name(main_end(run), id));
	return 0;
}

static int
choose_modes(struct srplat_run *run, char *reason, size_t n)
{
	struct srplat_src *src = main_end(run);
	int wanted = run->opts->completion, id, rc = 0;

	if (src->kind != SRPLAT_KIND_LUN) {
		wanted = 0;
		if (run->opts->has_completion && !src->note[0])
			snprintf(src->note, sizeof(src->note),
				"%s: completion= is for LUNs, here it is %s",
				src->name, src->ops->mode_name(src, 0));
	}
	run->nr_rounds = run->opts->rounds;
	if (!run->nr_rounds)
		run->nr_rounds = wanted == SRPLAT_COMPLETION_ALL
			? DEFAULT_ROUNDS_ALL
			: 1;
	if (run->area.nr_wanted < run->nr_rounds)
		run->nr_rounds = max_t(unsigned int,
			(unsigned int)run->area.nr_wanted, 1u);
	if (wanted != SRPLAT_COMPLETION_ALL) {
		if (wanted && !src->ops->has_mode(wanted)) {
			snprintf(reason, n,
				"completion=%s cannot be had in this build or "
				"on this machine",
				src->ops->mode_name(src, wanted));
			return SRPLAT_EXIT_BAD_VALUE;
		}
		rc = add_mode(run, wanted);
	} else {
		for (id = 1; id < SRPI_NR_COMPLETIONS && !rc; id++)
			if (src->ops->has_mode(id))
				rc = add_mode(run, id);
	}
	return rc ? refuse_memory(reason, n, "the results") : 0;
}

static void
fill_random(void *addr, size_t bytes)
{
	char *p = addr;
	ssize_t rc;

	while (bytes) {
		rc = getrandom(p, min_t(size_t, bytes, 1 << 20), 0);
		if (rc <= 0)
			continue;
		p += rc;
		bytes -= (size_t)rc;
	}
}

static int
map_buffers(struct srplat_run *run, char *reason, size_t n)
{
	struct srplat_src *ends[] = { run->loop.in, run->loop.out };
	size_t i;
	int rc;

	for (i = 0; i < ARRAY_SIZE(ends); i++) {
		if (!ends[i])
			continue;
		rc = ends[i]->ops->map(ends[i], run->mem.addr,
			run->mem.map_bytes, reason, n);
		if (rc)
			return SRPLAT_EXIT_UNREACHABLE;
	}
	return 0;
}

/* One stretch for all slots, registered once. */
static int
make_buffers(struct srplat_run *run, char *reason, size_t n)
{
	struct srplat_loop *loop = &run->loop;
	size_t stride = ALIGN_UP((size_t)run->area.record_bytes,
		(size_t)BUFFER_ALIGN);
	unsigned int i;

	loop->slots = calloc(loop->depth, sizeof(*loop->slots));
	loop->free_slots = calloc(loop->depth, sizeof(*loop->free_slots));
	loop->done = calloc(loop->depth, sizeof(*loop->done));
	run->scratch = malloc(sizeof(*run->scratch));
	if (!loop->slots || !loop->free_slots || !loop->done || !run->scratch)
		return refuse_memory(reason, n, "the slots");
	hist_reset(run->scratch);
	if (mem_alloc(&run->mem, stride * loop->depth, MEM_HUGE | MEM_POPULATE))
		return refuse_memory(reason, n, "the data");
	for (i = 0; i < loop->depth; i++)
		loop->slots[i].buf = (char *)run->mem.addr + i * stride;
	if (run->in && run->in->kind == SRPLAT_KIND_RANDOM)
		fill_random(run->mem.addr, run->mem.bytes);
	return map_buffers(run, reason, n);
}

static int
on_tick(struct srplat_loop *loop, uint64_t now_ns)
{
	struct srplat_run *run = loop->arg;

	loop->next_tick_ns = now_ns + TICK_NS;
	if (*loop->stop) {
		if (!run->stop_seen_ns)
			run->stop_seen_ns = now_ns;
		return now_ns - run->stop_seen_ns > GIVE_UP_NS;
	}
	if (run->on_progress && !run->is_warming)
		run->on_progress(run->arg, run);
	return 0;
}

int
srplat_run_init(struct srplat_run *run, char *reason, size_t n)
{
	struct srplat_loop *loop = &run->loop;
	int rc;

	loop->area = &run->area;
	loop->depth = run->opts->depth;
	loop->stop = run->stop;
	loop->on_tick = on_tick;
	loop->arg = run;
	rc = choose_ends(run, reason, n);
	if (!rc)
		rc = choose_modes(run, reason, n);
	if (!rc)
		rc = make_buffers(run, reason, n);
	return rc;
}

void
srplat_run_fini(struct srplat_run *run)
{
	unsigned int i;

	for (i = 0; i < run->nr_modes; i++) {
		free(run->modes[i].hist);
		free(run->modes[i].round_mean_ns);
		free(run->modes[i].round_p50_ns);
	}
	run->nr_modes = 0;
	/* The ends are closed first: their memory is registered. */
	srplat_src_close(run->in);
	srplat_src_close(run->out);
	run->in = run->out = NULL;
	mem_free(&run->mem);
	free(run->loop.slots);
	free(run->loop.free_slots);
	free(run->loop.done);
	free(run->scratch);
	memset(&run->loop, 0, sizeof(run->loop));
	run->scratch = NULL;
}

static int
attach_end(struct srplat_src *src, int mode, unsigned int depth, char *reason,
	size_t n)
{
	int rc = src ? src->ops->attach(src, mode, depth, reason, n) : 0;

	switch (rc) {
	case 0:
		return 0;
	case -EINVAL:
	case -EOPNOTSUPP:
		return SRPLAT_EXIT_BAD_VALUE;
	case -ECONNREFUSED:
		return SRPLAT_EXIT_REFUSED;
	default:
		return SRPLAT_EXIT_UNREACHABLE;
	}
}

static void
detach(struct srplat_run *run)
{
	struct srplat_loop *loop = &run->loop;

	if (loop->in)
		loop->in->ops->detach(loop->in);
	if (loop->out)
		loop->out->ops->detach(loop->out);
}

static int
attach(struct srplat_run *run, struct srplat_mode *mode, char *reason, size_t n)
{
	struct srplat_loop *loop = &run->loop;
	int rc = attach_end(loop->in, mode->id, loop->depth, reason, n);

	if (!rc) {
		rc = attach_end(loop->out, mode->id, loop->depth, reason, n);
		if (rc && loop->in)
			loop->in->ops->detach(loop->in);
	}
	/* What the default came to is known now. */
	if (!rc)
		snprintf(mode->name, sizeof(mode->name), "%s",
			main_end(run)->ops->mode_name(
				main_end(run), mode->id));
	return rc;
}

struct usage {
	struct clock_usage thread;
	struct srplat_usage in;
	struct srplat_usage out;
};

static void
read_usage(const struct srplat_loop *loop, struct usage *usage)
{
	memset(usage, 0, sizeof(*usage));
	clock_usage_thread(&usage->thread);
	if (loop->in)
		loop->in->ops->usage(loop->in, &usage->in);
	if (loop->out)
		loop->out->ops->usage(loop->out, &usage->out);
}

static uint64_t
share(uint64_t total, unsigned int round, unsigned int nr_rounds)
{
	uint64_t each = total / nr_rounds;

	return each + (round < total % nr_rounds);
}

/* Modes that are compared should all find things as the first leaves them. */
static uint64_t
warmup_records(const struct srplat_run *run)
{
	const struct srplat_opts *opts = run->opts;

	if (opts->has_warmup || run->nr_modes < 2)
		return opts->warmup_records;
	return min_t(uint64_t, DEFAULT_WARMUP_ALL,
		run->area.nr_wanted / run->nr_rounds / 10);
}

static int
warm_up(struct srplat_run *run, const struct srplat_mode *mode)
{
	struct srplat_loop *loop = &run->loop;
	uint64_t warmup_ns = run->opts->warmup_ns;
	uint64_t nr = warmup_records(run);

	if (!run->area.nr_records || (!warmup_ns && !nr))
		return 0;
	loop->hist = run->scratch;
	loop->next = mode->next;
	loop->random = ~mode->random;
	loop->nr_wanted = nr ? nr : SRPLAT_FOREVER;
	loop->deadline_ns =
		warmup_ns ? clock_ns() + warmup_ns : SRPLAT_FOREVER;
	loop->next_tick_ns = clock_ns() + TICK_NS;
	return srplat_loop_run(loop);
}

static void
set_limits(struct srplat_run *run, const struct srplat_mode *mode,
	unsigned int round)
{
	const struct srplat_opts *opts = run->opts;
	struct srplat_loop *loop = &run->loop;

	loop->hist = run->scratch;
	hist_reset(run->scratch);
	loop->next = mode->next;
	loop->random = mode->random;
	loop->nr_wanted = run->area.nr_wanted == SRPLAT_FOREVER
		? SRPLAT_FOREVER
		: share(run->area.nr_wanted, round, run->nr_rounds);
	loop->deadline_ns = SRPLAT_FOREVER;
	if (opts->runtime_ns)
		loop->deadline_ns = clock_ns() +
			share(opts->runtime_ns, round, run->nr_rounds);
}

static void
account(struct srplat_run *run, struct srplat_mode *mode,
	const struct usage *before, const struct usage *after)
{
	const struct srplat_loop *loop = &run->loop;
	struct clock_usage used =
		clock_usage_delta(&before->thread, &after->thread);
	uint64_t elapsed_ns = loop->end_ns - loop->begin_ns;

	mode->nr_done += loop->nr_done;
	mode->nr_short += loop->nr_short;
	mode->bytes += loop->bytes;
	mode->nr_errors += loop->nr_errors;
	mode->nr_backwards += loop->nr_backwards;
	mode->elapsed_ns += elapsed_ns;
	mode->cpu_ns += used.cpu_ns + after->in.cpu_ns - before->in.cpu_ns +
		after->out.cpu_ns - before->out.cpu_ns;
	mode->nr_switches += used.nr_voluntary + used.nr_involuntary;
	if (loop->nr_done) {
		mode->round_mean_ns[mode->nr_rounds] = hist_mean(run->scratch);
		mode->round_p50_ns[mode->nr_rounds++] =
			(double)hist_percentile(run->scratch, 50);
	}
	hist_merge(mode->hist, run->scratch);
	mode->next = loop->next;
	mode->random = loop->random;
	run->nr_done += loop->nr_done;
	run->nr_short += loop->nr_short;
	run->bytes += loop->bytes;
	run->elapsed_ns += elapsed_ns;
}

static int
measure(struct srplat_run *run, struct srplat_mode *mode, unsigned int round)
{
	struct usage before, after;
	int rc;

	set_limits(run, mode, round);
	run->loop.next_tick_ns = clock_ns() + TICK_NS;
	read_usage(&run->loop, &before);
	rc = srplat_loop_run(&run->loop);
	read_usage(&run->loop, &after);
	account(run, mode, &before, &after);
	return rc;
}

static int
sync_output(struct srplat_run *run)
{
	struct srplat_src *out = run->loop.out;
	bool datasync = !(run->opts->conv & SRPLAT_CONV_FSYNC);
	uint64_t begin_ns = clock_ns();
	int rc;

	if (!out ||
		!(run->opts->conv &
			(SRPLAT_CONV_FSYNC | SRPLAT_CONV_FDATASYNC)))
		return 0;
	rc = out->ops->sync(out, datasync);
	run->elapsed_ns += clock_ns() - begin_ns;
	return rc;
}

static int
run_round(struct srplat_run *run, struct srplat_mode *mode, unsigned int round,
	char *reason, size_t n)
{
	const struct srplat_src *in = run->loop.in, *out = run->loop.out;
	int rc = attach(run, mode, reason, n);

	if (rc)
		return rc;
	run->is_warming = true;
	rc = warm_up(run, mode);
	run->is_warming = false;
	if (!rc && !*run->stop)
		rc = measure(run, mode, round);
	if (!rc && !*run->stop)
		rc = sync_output(run);
	detach(run);
	if (!rc)
		return 0;
	if (in && in->error_text[0])
		snprintf(reason, n, "%s", in->error_text);
	else if (out && out->error_text[0])
		snprintf(reason, n, "%s", out->error_text);
	else
		snprintf(reason, n, "%s: waiting for completions failed: %s",
			main_end(run)->name, strerror(-rc));
	return SRPLAT_EXIT_IO_ERROR;
}

static int
cut_output(struct srplat_run *run, char *reason, size_t n)
{
	struct srplat_src *out = run->loop.out;

	if (!out || (run->opts->conv & SRPLAT_CONV_NOTRUNC))
		return 0;
	if (!out->ops->truncate(out, run->area.out_offset))
		return 0;
	snprintf(reason, n, "%s", out->error_text);
	return SRPLAT_EXIT_IO_ERROR;
}

int
srplat_run_all(struct srplat_run *run, char *reason, size_t n)
{
	unsigned int round, i;
	int rc = cut_output(run, reason, n);

	for (round = 0; round < run->nr_rounds; round++)
		for (i = 0; i < run->nr_modes && !rc && !*run->stop; i++)
			rc = run_round(run,
				&run->modes[round % 2 ? run->nr_modes - 1 - i
						      : i],
				round, reason, n);
	return rc;
}

double
srplat_run_probe_cost(void)
{
	static const volatile sig_atomic_t never;
	struct srplat_opts opts = { .bs = 512, .depth = 1 };
	struct srplat_run run = { .opts = &opts, .stop = &never };
	char reason[64];
	double cost = 0.0;

	run.area = (struct srplat_area){ .nr_records = PROBE_RECORDS,
		.nr_wanted = PROBE_RECORDS,
		.record_bytes = 512 };
	opts.has_warmup = true;
	opts.warmup_records = PROBE_RECORDS / 10;
	opts.conv = SRPLAT_CONV_NOTRUNC;
	opts.out = "nothing";
	if (!srplat_run_init(&run, reason, sizeof(reason)) &&
		!srplat_run_all(&run, reason, sizeof(reason)))
		cost = hist_mean(run.modes[0].hist);
	srplat_run_fini(&run);
	return cost;
}
