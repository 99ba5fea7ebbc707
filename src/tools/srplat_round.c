/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* One mode after another, round by round, and what each used. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

#include "tools/srplat_run.h"
#include "util/clock.h"
#include "util/compiler.h"

#define DEFAULT_WARMUP_ALL 1000

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

/* Which ends take part, and what the probe is to do. */
static void
set_up_loop(struct srplat_run *run, const struct srplat_mode *mode)
{
	const struct srplat_opts *opts = run->opts;
	struct srplat_loop *loop = &run->loop;
	struct srplat_probe *probe = &run->probe;

	run->mode = mode;
	loop->depth = mode->depth;
	if (mode->op == SRPLAT_OP_WRITE) {
		loop->in = NULL;
		loop->out = run->out;
		loop->area = &run->area;
	} else if (mode->op == SRPLAT_OP_READ) {
		loop->in = run->out;
		loop->out = NULL;
		run->back = run->area;
		run->back.in_offset = run->area.out_offset;
		loop->area = &run->back;
	}
	probe->response = mode->response;
	probe->stages = mode->stages;
	probe->interval_ns = 0.0;
	if (mode->rate) {
		/* else time-outs end up to 50 us late, and so do sends */
		prctl(PR_SET_TIMERSLACK, 1UL);
		probe->interval_ns = 1e9 / (double)mode->rate;
		probe->late_ns = opts->has_late
			? opts->late_ns
			: (uint64_t)probe->interval_ns;
	}
	/* A sequence number is used once, whoever writes. */
	run->verify.base = (uint64_t)(mode - run->modes) / 2 << 48;
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
			srplat_run_main_end(run)->ops->mode_name(
				srplat_run_main_end(run), mode->id));
	return rc;
}

struct usage {
	struct clock_usage thread;
	struct srplat_usage in;
	struct srplat_usage out;
	struct srplat_counts counts;
};

static void
read_usage(const struct srplat_run *run, struct usage *usage)
{
	const struct srplat_loop *loop = &run->loop;

	memset(usage, 0, sizeof(*usage));
	clock_usage_thread(&usage->thread);
	if (loop->in)
		loop->in->ops->usage(loop->in, &usage->in);
	if (loop->out)
		loop->out->ops->usage(loop->out, &usage->out);
	srplat_counters_read(&run->counters, &usage->counts);
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

	if (opts->has_warmup || run->nr_modes < 2 || opts->verify)
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

	/* Unasked, a tenth of the round at most. */
	if (!run->opts->has_warmup)
		warmup_ns = run->opts->runtime_ns / run->nr_rounds / 10;

	/* What is read back is what was written, no more. */
	if (!run->area.nr_records || (!run->opts->warmup_ns && !nr) ||
		mode->op == SRPLAT_OP_READ)
		return 0;
	loop->hist = run->scratch;
	loop->next = mode->next;
	loop->random = ~mode->random;
	loop->nr_wanted = nr ? nr : SRPLAT_FOREVER;
	loop->deadline_ns =
		warmup_ns ? clock_ns() + warmup_ns : SRPLAT_FOREVER;
	loop->next_tick_ns = clock_ns() + SRPLAT_TICK_NS;
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
	loop->deadline_ns = SRPLAT_FOREVER;
	if (mode->op == SRPLAT_OP_READ) {
		loop->nr_wanted = run->nr_written;
		return;
	}
	loop->nr_wanted = run->area.nr_wanted == SRPLAT_FOREVER
		? SRPLAT_FOREVER
		: share(run->area.nr_wanted, round, run->nr_rounds);
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
	mode->nr_missed += run->probe.nr_missed;
	mode->nr_unsent += run->probe.nr_unsent;
	mode->max_waiting = max(mode->max_waiting, run->probe.max_waiting);
	srplat_counts_add(&mode->counts, &before->counts, &after->counts);
	if (loop->nr_done) {
		mode->round_iops[mode->nr_rounds] = (double)loop->nr_done *
			1e9 / (double)max(elapsed_ns, (uint64_t)1);
		mode->round_mean_ns[mode->nr_rounds] = hist_mean(run->scratch);
		mode->round_p50_ns[mode->nr_rounds++] =
			(double)hist_percentile(run->scratch, 50);
	}
	hist_merge(mode->hist, run->scratch);
	mode->next = loop->next;
	mode->random = loop->random;
	if (mode->op == SRPLAT_OP_WRITE)
		run->nr_written = loop->nr_started;
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
	run->loop.next_tick_ns = clock_ns() + SRPLAT_TICK_NS;
	read_usage(run, &before);
	rc = srplat_loop_run(&run->loop);
	read_usage(run, &after);
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
tell_error(const struct srplat_run *run, const struct srplat_src *in,
	const struct srplat_src *out, int rc, char *reason, size_t n)
{
	const struct srplat_verify *verify = &run->verify;

	/* Only reading is checked, so there is an input. */
	if (rc == -EBADMSG && verify->is_broken) {
		snprintf(reason, n, "%s: %s%s%s", in->name, in->place,
			in->place[0] ? ", " : "", verify->sentence);
		return SRPLAT_EXIT_VERIFY;
	}
	if (in && in->error_text[0])
		snprintf(reason, n, "%s", in->error_text);
	else if (out && out->error_text[0])
		snprintf(reason, n, "%s", out->error_text);
	else
		snprintf(reason, n,
			"%s: waiting for completions failed: %s",
			srplat_run_main_end(run)->name, strerror(-rc));
	return SRPLAT_EXIT_IO_ERROR;
}

static int
run_round(struct srplat_run *run, struct srplat_mode *mode, unsigned int round,
	char *reason, size_t n)
{
	const struct srplat_src *in, *out;
	int rc;

	set_up_loop(run, mode);
	in = run->loop.in;
	out = run->loop.out;
	rc = attach(run, mode, reason, n);
	if (rc)
		return rc;
	if (run->on_begin)
		run->on_begin();
	run->is_warming = run->probe.is_warming = true;
	rc = warm_up(run, mode);
	run->is_warming = run->probe.is_warming = false;
	run->probe.nr_missed = run->probe.nr_unsent = 0;
	run->probe.max_waiting = 0;
	if (!rc && !*run->stop)
		rc = measure(run, mode, round);
	if (!rc && !*run->stop)
		rc = sync_output(run);
	detach(run);
	return rc ? tell_error(run, in, out, rc, reason, n) : 0;
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

/* Forwards and backwards, but for what one mode writes and the next reads. */
static unsigned int
nth_mode(const struct srplat_run *run, unsigned int round, unsigned int i)
{
	return round % 2 && run->opts->verify != SRPLAT_VERIFY_WRITE
		? run->nr_modes - 1 - i
		: i;
}

int
srplat_run_all(struct srplat_run *run, char *reason, size_t n)
{
	unsigned int round, i;
	int rc = cut_output(run, reason, n);

	run->slow.run_begin_ns = clock_ns();
	for (round = 0; round < run->nr_rounds; round++)
		for (i = 0; i < run->nr_modes && !rc && !*run->stop; i++)
			rc = run_round(run,
				&run->modes[nth_mode(run, round, i)], round,
				reason, n);
	return rc;
}
