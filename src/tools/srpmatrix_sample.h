/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What one run of fio came to. */
#ifndef SRPMATRIX_SAMPLE_H
#define SRPMATRIX_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

/* The numbers of a run, each of which has a median and a name in the JSON. */
enum srpmatrix_metric {
	SRPMATRIX_IOPS,
	SRPMATRIX_BYTES_PER_S,
	SRPMATRIX_MEAN_NS,
	SRPMATRIX_P50_NS,
	SRPMATRIX_P90_NS,
	SRPMATRIX_P99_NS,
	SRPMATRIX_P999_NS,
	SRPMATRIX_MAX_NS,
	SRPMATRIX_CPU_NS,	  /* an I/O: fio's jobs, the library's threads */
	SRPMATRIX_MACHINE_CPU_NS, /* an I/O: all CPUs while fio was there */
	SRPMATRIX_SWITCHES,	  /* an I/O: of the jobs */
	SRPMATRIX_DOORBELLS,	  /* an I/O */
	SRPMATRIX_EVENTS,	  /* an I/O */
	SRPMATRIX_NR_METRICS,
};

struct srpmatrix_sample {
	bool is_done;	/* the rest is valid */
	uint64_t nr_ios;
	double values[SRPMATRIX_NR_METRICS]; /* NAN: not known */
};

#endif /* SRPMATRIX_SAMPLE_H */
