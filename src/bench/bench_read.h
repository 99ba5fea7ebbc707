/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Reads through libsrpi at a fixed depth, as a lean client would
 * do them: what the benchmark "loopback" measures.
 */
#ifndef BENCH_BENCH_READ_H
#define BENCH_BENCH_READ_H

#include <stdbool.h>
#include <stdint.h>

#include "util/clock.h"

#include <srpi/srpi.h>

struct bench_read_attr {
	const char *target; /* URL */
	const char
		*completion;  /* as the key; NULL: the URL's, or its default */
	unsigned int depth;   /* 1..1024 */
	uint32_t block_bytes; /* of one read; a multiple of the LUN's block */
	uint64_t runtime_ns;  /* 0: no limit */
	uint64_t exchanges;   /* reads to do; 0: no limit */
};

struct bench_read_result {
	uint64_t reads, elapsed_ns;
	struct clock_usage usage; /* of the calling thread, within elapsed */
	struct srpi_stats stats;  /* the queue's, within elapsed */
	struct srpi_session_info session;
	struct srpi_queue_info queue;
	char lun[32];
};

/*
 * 0, or -errno with one sentence: as srpi_open(), and -EIO for a read that
 * failed. At least one of runtime and exchanges must be given.
 */
int bench_read_run(const struct bench_read_attr *attr,
	struct bench_read_result *result, char *reason, size_t n);

#endif /* BENCH_BENCH_READ_H */
