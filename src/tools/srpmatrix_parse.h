/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What fio and its engine have written, as numbers. Both are another
 * program's output and may be anything: everything is checked. Pure.
 */
#ifndef SRPMATRIX_PARSE_H
#define SRPMATRIX_PARSE_H

#include <stddef.h>
#include <stdint.h>

#include "tools/srpmatrix_sample.h"
#include "util/hist.h"

/*
 * fio's output (--output-format=json+, perhaps with lines of text before it):
 * everything but what the engine knows goes into @sample, whose values are
 * set to NAN first, and the latencies are added to @hist. 0, -EINVAL with a
 * sentence (it is not what fio writes), or -EIO with one (a job failed).
 */
int srpmatrix_parse_fio(const char *text, size_t nr_bytes,
	struct srpmatrix_sample *sample, struct hist *hist, char *reason,
	size_t n);

/* What libfio-srpi.so tells of all its jobs, added up. */
struct srpmatrix_counts {
	uint64_t nr_ios; /* all of them, those of the warm-up too */
	uint64_t doorbells;
	uint64_t events;
	uint64_t switches; /* of the jobs' threads */
	uint64_t job_cpu_ns;
	uint64_t library_cpu_ns; /* the library's own threads */
};

/*
 * A line a job. 0, -ENODATA (no I/O at all), or -EINVAL with a sentence.
 */
int srpmatrix_parse_stats(const char *text, size_t nr_bytes,
	struct srpmatrix_counts *counts, char *reason, size_t n);

/* "fio-3.33" of what fio --version writes. 0 or -EINVAL. */
int srpmatrix_parse_version(const char *text, char *version, size_t n);

/*
 * Lines of text as one: blank ones and repetitions left out, "; " between,
 * nothing unprintable, up to a line that begins with '{' (that is JSON).
 */
void srpmatrix_parse_complaint(const char *text, char *line, size_t n);

#endif /* SRPMATRIX_PARSE_H */
