/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The machine that a measurement was made on, for those who read it later. */
#ifndef TOOLS_MACHINE_H
#define TOOLS_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "util/clock.h"

struct machine {
	char cpu[96];	     /* the model's name; "unknown" */
	int nr_cpus;	     /* that this process may use */
	char kernel[200];    /* "Linux 6.1.0 x86_64" */
	char governor[32];   /* of CPU 0's frequency; "": none to be seen */
	bool is_virtual;     /* a hypervisor shows itself */
	uint64_t memory_bytes;
	struct clock_report clock;
};

/* Takes some milliseconds: it tries the clock. */
void machine_init(struct machine *machine);
/*
 * {"cpu", "nr_cpus", "kernel", "governor": null or its name, "is_virtual",
 *  "memory_bytes", "clock": {"name", "source", "resolution_ns",
 *  "read_cost_ns", "backwards"}}
 */
json_t *machine_json(const struct machine *machine);

/* Of /proc/cpuinfo's text. */
void machine_parse_cpuinfo(struct machine *machine, const char *text);
/*
 * CPU time that all CPUs of the machine have spent on anything so far, in
 * steps of 10 ms; 0 where that can not be seen.
 */
uint64_t machine_busy_ns(void);

#endif /* TOOLS_MACHINE_H */
