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

struct srplat_src *
srplat_run_main_end(const struct srplat_run *run)
{
	const struct srplat_loop *loop = &run->loop;

	if (loop->in && loop->in->kind == SRPLAT_KIND_LUN)
		return loop->in;
	if (loop->out)
		return loop->out;
	return loop->in;
}

void
srplat_mode_label(const struct srplat_mode *mode, char *text, size_t n)
{
	static const char *const ops[] = { "", " write", " read" };

	if (mode->by)
		snprintf(text, n, "%s at %s=%llu", mode->name,
			srplat_sweep_name(mode->by),
			(unsigned long long)(mode->by == SRPLAT_SWEEP_DEPTH
					? mode->depth
					: mode->rate));
	else
		snprintf(text, n, "%s%s", mode->name, ops[mode->op]);
}

static struct hist *
make_hists(unsigned int nr)
{
	struct hist *hists = malloc(nr * sizeof(*hists));
	unsigned int i;

	for (i = 0; hists && i < nr; i++)
		hist_reset(&hists[i]);
	return hists;
}

static int
make_results(const struct srplat_run *run, struct srplat_mode *mode)
{
	mode->hist = make_hists(1);
	mode->round_mean_ns =
		calloc(run->nr_rounds, sizeof(*mode->round_mean_ns));
	mode->round_p50_ns =
		calloc(run->nr_rounds, sizeof(*mode->round_p50_ns));
	mode->round_iops = calloc(run->nr_rounds, sizeof(*mode->round_iops));
	if (mode->rate)
		mode->response = make_hists(1);
	if (run->opts->wants_stages)
		mode->stages = make_hists(SRPLAT_NR_STAGES);
	return !mode->hist || !mode->round_mean_ns || !mode->round_p50_ns ||
			!mode->round_iops ||
			(mode->rate && !mode->response) ||
			(run->opts->wants_stages && !mode->stages)
		? -ENOMEM
		: 0;
}

static int
add_mode(struct srplat_run *run, int id, enum srplat_op op,
	const struct srplat_sweep *sweep, unsigned int point)
{
	struct srplat_src *src = srplat_run_main_end(run);
	struct srplat_mode *mode = &run->modes[run->nr_modes++];

	mode->id = id;
	mode->op = op;
	mode->by = sweep->by;
	mode->depth = run->opts->depth;
	mode->rate = run->opts->rate;
	if (sweep->by == SRPLAT_SWEEP_DEPTH)
		mode->depth = (unsigned int)sweep->points[point];
	else if (sweep->by == SRPLAT_SWEEP_RATE)
		mode->rate = sweep->points[point];
	mode->random = SEED;
	snprintf(mode->name, sizeof(mode->name), "%s",
		src->ops->mode_name(src, id));
	return make_results(run, mode);
}

/* One completion mode: as one row, or by point, or by direction. */
static int
add_modes(struct srplat_run *run, int id)
{
	const struct srplat_sweep *sweep = &run->opts->sweep;
	unsigned int i;
	int rc = 0;

	if (run->opts->verify == SRPLAT_VERIFY_WRITE) {
		rc = add_mode(run, id, SRPLAT_OP_WRITE, sweep, 0);
		return rc ? rc : add_mode(run, id, SRPLAT_OP_READ, sweep, 0);
	}
	for (i = 0; i < max(sweep->nr, 1u) && !rc; i++)
		rc = add_mode(run, id, SRPLAT_OP_COPY, sweep, i);
	return rc;
}

static void
choose_rounds(struct srplat_run *run, int wanted)
{
	run->nr_rounds = run->opts->rounds;
	if (!run->nr_rounds)
		run->nr_rounds = wanted == SRPLAT_COMPLETION_ALL &&
				!run->opts->sweep.by
			? DEFAULT_ROUNDS_ALL
			: 1;
	if (run->area.nr_wanted < run->nr_rounds)
		run->nr_rounds = max_t(unsigned int,
			(unsigned int)run->area.nr_wanted, 1u);
}

static int
choose_modes(struct srplat_run *run, char *reason, size_t n)
{
	struct srplat_src *src = srplat_run_main_end(run);
	int wanted = run->opts->completion, id, rc = 0;

	if (src->kind != SRPLAT_KIND_LUN) {
		wanted = 0;
		if (run->opts->has_completion && !src->note[0])
			snprintf(src->note, sizeof(src->note),
				"%s: completion= is for LUNs, here it is %s",
				src->name, src->ops->mode_name(src, 0));
	}
	choose_rounds(run, wanted);
	if (wanted != SRPLAT_COMPLETION_ALL) {
		if (wanted && !src->ops->has_mode(wanted)) {
			snprintf(reason, n,
				"completion=%s cannot be had in this build or "
				"on this machine",
				src->ops->mode_name(src, wanted));
			return SRPLAT_EXIT_BAD_VALUE;
		}
		rc = add_modes(run, wanted);
	} else {
		for (id = 1; id < SRPI_NR_COMPLETIONS && !rc; id++)
			if (src->ops->has_mode(id))
				rc = add_modes(run, id);
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

static int
refuse_data(const struct srplat_loop *loop, size_t stride, char *reason,
	size_t n)
{
	snprintf(reason, n,
		"no memory for the data: depth=%u buffers of %zu bytes are "
		"%zu MiB: use a smaller bs= or depth=, or raise the limit "
		"(ulimit -v)",
		loop->depth, stride, stride * loop->depth >> 20);
	return SRPLAT_EXIT_UNREACHABLE;
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
		return refuse_data(loop, stride, reason, n);
	for (i = 0; i < loop->depth; i++)
		loop->slots[i].buf = (char *)run->mem.addr + i * stride;
	if (run->in && run->in->kind == SRPLAT_KIND_RANDOM)
		fill_random(run->mem.addr, run->mem.bytes);
	return map_buffers(run, reason, n);
}

/* A loop has a probe when it does more than read and write. */
static int
make_probe(struct srplat_run *run, char *reason, size_t n)
{
	const struct srplat_opts *opts = run->opts;
	struct srplat_probe *probe = &run->probe;
	const struct srplat_src *src = srplat_run_main_end(run);

	if (opts->wants_stages && !src->stamps) {
		snprintf(reason, n,
			"stages=yes is for LUNs, and %s is none: leave it out",
			src->name);
		return SRPLAT_EXIT_BAD_VALUE;
	}
	if (opts->slow_ns) {
		run->slow.limit_ns = opts->slow_ns;
		probe->slow = &run->slow;
	}
	if (opts->verify)
		probe->verify = &run->verify;
	if (opts->slow_ns || opts->verify || opts->wants_stages ||
		opts->rate || opts->sweep.by == SRPLAT_SWEEP_RATE)
		run->loop.probe = probe;
	return opts->verify
		? srplat_verify_init(&run->verify, opts, &run->area,
			  run->loop.in ? run->loop.in : run->loop.out, reason,
			  n)
		: 0;
}

static int
on_tick(struct srplat_loop *loop, uint64_t now_ns)
{
	struct srplat_run *run = loop->arg;

	loop->next_tick_ns = now_ns + SRPLAT_TICK_NS;
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
	srplat_counters_open(&run->counters);
	rc = choose_ends(run, reason, n);
	if (!rc)
		rc = make_probe(run, reason, n);
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
		free(run->modes[i].response);
		free(run->modes[i].stages);
		free(run->modes[i].round_mean_ns);
		free(run->modes[i].round_p50_ns);
		free(run->modes[i].round_iops);
	}
	run->nr_modes = 0;
	srplat_counters_close(&run->counters);
	srplat_verify_fini(&run->verify);
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
