/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "srplat_run_rig.h"

#include "unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <srpi/srpi.h>

#include "util/clock.h"

struct fake fake_in, fake_out;
struct srplat_opts opts;
struct srplat_run run;
volatile sig_atomic_t stop;
char reason[512];

static void
fake_close(struct srplat_src *src)
{
	(void)src;
}

static int
fake_map(struct srplat_src *src, void *addr, size_t bytes, char *text,
	size_t n)
{
	(void)src;
	(void)text;
	(void)n;
	ck_assert_ptr_nonnull(addr);
	ck_assert_uint_eq((uintptr_t)addr % 4096, 0);
	ck_assert_uint_ge(bytes, opts.depth * 512);
	return 0;
}

static int
fake_attach(struct srplat_src *src, int mode, unsigned int depth, char *text,
	size_t n)
{
	struct fake *fake = (struct fake *)src;

	ck_assert_uint_le(depth, opts.depth);
	fake->attached_depth = depth;
	fake->modes_seen[fake->nr_attached++] = mode;
	snprintf(text, n, "attached");
	return 0;
}

static void
fake_detach(struct srplat_src *src)
{
	((struct fake *)src)->nr_pending = 0;
}

static int
fake_submit(struct srplat_src *src, const struct srplat_req *req)
{
	struct fake *fake = (struct fake *)src;

	ck_assert_uint_lt(fake->nr_seen, MAX_SEEN);
	fake->seen[fake->nr_seen++] = *req;
	fake->pending[fake->nr_pending++] = *req;
	fake->stamps[req->tag].posted_ns = clock_ns();
	if (fake->nr_pending > fake->max_pending)
		fake->max_pending = fake->nr_pending;
	return 0;
}

static int
fake_flush(struct srplat_src *src)
{
	(void)src;
	return 0;
}

static int
fake_wait(struct srplat_src *src, struct srplat_done *done, unsigned int max,
	int64_t timeout_ns)
{
	struct fake *fake = (struct fake *)src;
	struct srplat_req *req = &fake->pending[0];

	ck_assert_int_ge(timeout_ns, 0);
	ck_assert_uint_ge(max, 1);
	if (fake->wait_error)
		return fake->wait_error;
	if (!fake->nr_pending)
		return 0;
	if (fake->delay_us)
		usleep(fake->delay_us);
	fake->stamps[req->tag].seen_ns = clock_ns();
	fake->stamps[req->tag].delivered_ns = clock_ns();
	done->tag = req->tag;
	done->bytes = req->bytes;
	done->error = 0;
	if (fake->fail_at && !--fake->fail_at) {
		done->error = -EIO;
		snprintf(src->error_text, sizeof(src->error_text),
			"request failed");
	} else if (req->dir == SRPLAT_READ) {
		memcpy(req->buf, fake->data + req->offset, req->bytes);
	} else {
		memcpy(fake->data + req->offset, req->buf, req->bytes);
		if (fake->spoil_at && !--fake->spoil_at)
			fake->data[req->offset + 100] ^= 1;
	}
	memmove(req, req + 1, --fake->nr_pending * sizeof(*req));
	return 1;
}

static int
fake_truncate(struct srplat_src *src, uint64_t bytes)
{
	(void)src;
	(void)bytes;
	return 0;
}

static int
fake_sync(struct srplat_src *src, bool datasync)
{
	(void)datasync;
	((struct fake *)src)->nr_syncs++;
	return 0;
}

static void
fake_usage(struct srplat_src *src, struct srplat_usage *usage)
{
	usage->cpu_ns = ((struct fake *)src)->nr_seen * UINT64_C(1000000000);
}

static bool
fake_has_mode(int mode)
{
	return mode == SRPI_COMPLETION_INLINE || mode == SRPI_COMPLETION_SELF;
}

static const char *
fake_mode_name(struct srplat_src *src, int mode)
{
	(void)src;
	return mode == SRPI_COMPLETION_SELF ? "self" : "inline";
}

static const struct srplat_src_ops fake_ops = {
	.close = fake_close,
	.map = fake_map,
	.attach = fake_attach,
	.detach = fake_detach,
	.submit = fake_submit,
	.flush = fake_flush,
	.wait = fake_wait,
	.truncate = fake_truncate,
	.sync = fake_sync,
	.usage = fake_usage,
	.has_mode = fake_has_mode,
	.mode_name = fake_mode_name,
};

struct srplat_src passive_in = { .name = "/dev/urandom",
	.kind = SRPLAT_KIND_RANDOM };
struct srplat_src passive_out = { .name = "/dev/null",
	.kind = SRPLAT_KIND_NULL };

void
run_rig_setup(void)
{
	size_t i;

	opts.depth = 1;
	opts.bs = 512;
	fake_in.src = fake_out.src = (struct srplat_src){
		.ops = &fake_ops,
		.name = "fake",
		.kind = SRPLAT_KIND_LUN,
		.bytes = sizeof(fake_in.data),
	};
	for (i = 0; i < sizeof(fake_in.data); i++)
		fake_in.data[i] = (unsigned char)(i * 7 + i / 512);
	run.opts = &opts;
	run.stop = &stop;
	run.in = &fake_in.src;
	run.out = &passive_out;
	run.area = (struct srplat_area){ .nr_records = 8,
		.nr_wanted = 8,
		.record_bytes = 512 };
}

/* The passive ends are no heap memory: keep them from being freed. */
void
run_rig_teardown(void)
{
	if (run.in == &passive_in)
		run.in = NULL;
	if (run.out == &passive_out)
		run.out = NULL;
	srplat_run_fini(&run);
}

int
run_it(void)
{
	int rc = srplat_run_init(&run, reason, sizeof(reason));

	return rc ? rc : srplat_run_all(&run, reason, sizeof(reason));
}
