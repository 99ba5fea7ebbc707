/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/srpmatrix_argv.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

#include "util/clock.h"
#include "util/compiler.h"

/* Adds one word; a line that got too long stays too long. */
__printf(2, 3) static void
add(struct srpmatrix_argv *argv, const char *format, ...)
{
	size_t room = sizeof(argv->text) - argv->nr_bytes;
	char *word = argv->text + argv->nr_bytes;
	va_list ap;
	int len;

	va_start(ap, format);
	len = vsnprintf(word, room, format, ap);
	va_end(ap);
	if (len < 0 || (size_t)len >= room || argv->nr == SRPMATRIX_MAX_ARGS) {
		argv->nr_bytes = sizeof(argv->text);
		return;
	}
	argv->args[argv->nr++] = word;
	argv->nr_bytes += (size_t)len + 1;
}

/* fio takes a bare ':' for the end of one file's name and another's begin. */
static void
add_filename(struct srpmatrix_argv *argv, const char *path)
{
	char escaped[2 * PATH_MAX];
	size_t n = 0;

	for (; *path && n + 2 < sizeof(escaped); path++) {
		if (*path == ':')
			escaped[n++] = '\\';
		escaped[n++] = *path;
	}
	escaped[n] = '\0';
	add(argv, "--filename=%s", escaped);
}

/* The initiator's engine, or the kernel's device by one of fio's own. */
static void
add_device(struct srpmatrix_argv *argv, const struct srpmatrix_opts *opts,
	const struct srpmatrix_paths *paths, const struct srpmatrix_mode *mode)
{
	if (mode->is_kernel) {
		add(argv, "--ioengine=%s", mode->name);
		add_filename(argv, paths->compare);
		add(argv, "--direct=1");
		return;
	}
	add(argv, "--ioengine=external:%s", paths->engine);
	add(argv, "--target=%s", opts->target);
	add(argv, "--completion=%s", mode->name);
	add(argv, "--stats_file=%s", paths->stats);
}

static void
add_load(struct srpmatrix_argv *argv, const struct srpmatrix_opts *opts,
	const struct srpmatrix_cell *cell)
{
	add(argv, "--rw=%s", opts->rw);
	add(argv, "--bs=%" PRIu64, cell->bs);
	add(argv, "--numjobs=%u", cell->jobs);
	add(argv, "--iodepth=%u", opts->depth);
	/*
	 * Deep: what has come is taken at once and replaced in few submits,
	 * as a program would that means to go deep; the same for all engines.
	 */
	if (opts->depth > 1) {
		add(argv, "--iodepth_batch_submit=%u",
			max(opts->depth / 8, 1u));
		add(argv, "--iodepth_batch_complete_max=%u", opts->depth);
	}
	/* A map of blocks seen costs time and memory and says nothing here. */
	add(argv, "--norandommap");
	if (!opts->is_forked)
		add(argv, "--thread");
}

static void
add_measuring(struct srpmatrix_argv *argv, const struct srpmatrix_opts *opts)
{
	add(argv, "--group_reporting");
	add(argv, "--time_based");
	add(argv, "--runtime=%" PRIu64 "ms",
		opts->runtime_ns / CLOCK_NS_PER_MSEC);
	if (opts->warmup_ns >= CLOCK_NS_PER_MSEC)
		add(argv, "--ramp_time=%" PRIu64 "ms",
			opts->warmup_ns / CLOCK_NS_PER_MSEC);
	/* From submission on: engines split it differently after that. */
	add(argv, "--lat_percentiles=1");
	add(argv, "--clat_percentiles=0");
}

int
srpmatrix_argv_init(struct srpmatrix_argv *argv,
	const struct srpmatrix_opts *opts, const struct srpmatrix_paths *paths,
	const struct srpmatrix_cell *cell, const struct srpmatrix_mode *mode)
{
	argv->nr = 0;
	argv->nr_bytes = 0;
	add(argv, "%s", paths->fio);
	add(argv, "--output-format=json+");
	add(argv, "--eta=never");
	add(argv, "--name=srpmatrix");
	add_device(argv, opts, paths, mode);
	add_load(argv, opts, cell);
	add_measuring(argv, opts);
	argv->args[argv->nr] = NULL;
	return argv->nr_bytes == sizeof(argv->text) ? -E2BIG : 0;
}
