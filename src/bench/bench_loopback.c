/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * loopback: the library's own path, as reads from demo://null in "self"
 * unless another target is named. On the embedded target its share and the
 * software device's are in the result, as in pingpong's.
 */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

#include "bench/bench_read.h"
#include "bench/srpbench.h"
#include "bench/srpbench_opts.h"
#include "softrdma/soft_dev.h"
#include "util/compiler.h"

/* Counters, in the order they are shown. */
static const struct counter {
	const char *name;
	size_t offset;
} counters[] = {
	{"doorbells", offsetof(struct srpi_stats, doorbells)},
	{"recv_doorbells", offsetof(struct srpi_stats, recv_doorbells)},
	{"polls", offsetof(struct srpi_stats, polls)},
	{"empty_polls", offsetof(struct srpi_stats, empty_polls)},
	{"arms", offsetof(struct srpi_stats, arms)},
	{"events", offsetof(struct srpi_stats, events)},
	{"wakeups", offsetof(struct srpi_stats, wakeups)},
	{"credit_waits", offsetof(struct srpi_stats, credit_waits)},
};

static double
per_read(const struct bench_read_result *result, const struct counter *counter)
{
	uint64_t count =
		*(const uint64_t *)(const void *)((const char *)&result->stats +
						  counter->offset);

	return (double)count / (double)result->reads;
}

static double
iops(const struct bench_read_result *result)
{
	return (double)result->reads * 1e9 / (double)result->elapsed_ns;
}

static double
ns_per_read(const struct bench_read_result *result, uint64_t ns)
{
	return (double)ns / (double)result->reads;
}

static bool
includes_target(const struct bench_read_result *result)
{
	return result->session.flags & SRPI_SESSION_SHARED_CPU;
}

static int
print_json(const struct bench_read_attr *attr,
	const struct bench_read_result *result)
{
	json_t *per_io = json_object();
	json_t *root = json_pack("{ss ss ss sI sI sI sI sf sf sf sf sb so}",
		"benchmark", "loopback", "target", attr->target, "completion",
		srpi_completion_name(result->queue.completion), "depth",
		(json_int_t)attr->depth, "window",
		(json_int_t)result->queue.window, "bs",
		(json_int_t)attr->block_bytes, "exchanges",
		(json_int_t)result->reads, "seconds",
		(double)result->elapsed_ns / 1e9, "iops", iops(result),
		"ns_per_exchange", ns_per_read(result, result->elapsed_ns),
		"cpu_ns_per_exchange",
		ns_per_read(result, result->usage.cpu_ns), "includes_target",
		includes_target(result), "per_io", per_io);
	int rc = root ? 0 : -ENOMEM;

	for (size_t i = 0; i < ARRAY_SIZE(counters) && rc == 0; i++)
		rc = json_object_set_new(per_io, counters[i].name,
			json_real(per_read(result, &counters[i])));
	if (rc == 0)
		rc = json_dumpf(
			root, stdout, JSON_COMPACT | JSON_REAL_PRECISION(9));
	if (rc == 0)
		putchar('\n');
	json_decref(root);
	return rc;
}

static void
print_text(const struct bench_read_attr *attr,
	const struct bench_read_result *result)
{
	printf("loopback, %s, completion %s, depth %u, %u bytes\n"
	       "%" PRIu64 " reads in %.3f s: %.0f a second, %.1f ns each, "
	       "%.1f ns of CPU%s\n"
	       "per read:",
		attr->target, srpi_completion_name(result->queue.completion),
		attr->depth, attr->block_bytes, result->reads,
		(double)result->elapsed_ns / 1e9, iops(result),
		ns_per_read(result, result->elapsed_ns),
		ns_per_read(result, result->usage.cpu_ns),
		includes_target(result) ? " (includes target)" : "");
	for (size_t i = 0; i < ARRAY_SIZE(counters); i++)
		printf("%s %.4g %s", i ? "," : "",
			per_read(result, &counters[i]), counters[i].name);
	printf("\n");
}

int
bench_loopback(const struct srpbench_opts *opts)
{
	struct bench_read_attr attr = {.target = opts->target,
		.completion = opts->completion,
		.depth = (unsigned int)opts->depth,
		.block_bytes = (uint32_t)opts->bs_bytes,
		.runtime_ns = opts->exchanges ? 0 : opts->runtime_ns,
		.exchanges = opts->exchanges};
	struct bench_read_result result;
	char url[128], reason[512];
	int rc;

	if (attr.target && opts->irqmode != SOFT_IRQ_SOFTIRQ) {
		fprintf(stderr, "srpbench: --irqmode is for the target of this "
				"benchmark: write irqmode= into the URL\n");
		return SRPBENCH_BAD_VALUE;
	}
	if (!attr.target) {
		srpbench_own_target(opts, url, sizeof(url));
		attr.target = url;
		if (!attr.completion)
			attr.completion = "self";
	}
	rc = bench_read_run(&attr, &result, reason, sizeof(reason));
	if (rc) {
		fprintf(stderr, "srpbench: %s\n", reason);
		return srpbench_exit_code(rc);
	}
	if (!opts->is_json)
		print_text(&attr, &result);
	else if (print_json(&attr, &result)) {
		fprintf(stderr, "srpbench: no memory for the result\n");
		return SRPBENCH_IO_ERROR;
	}
	return SRPBENCH_DONE;
}
