/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A run: completion modes × rounds over one input and one output.
 *
 *	                 round 0   round 1   round 2   round 3
 *	modes A, B       A  B      B  A      A  B      B  A
 *
 * so that a drift of the machine falls on all modes alike. A slot is one
 * record on its way: read from the input if that is active, then written to
 * the output if that is. Its latency is from before the first request is
 * prepared until after the last is seen finished.
 *
 *	srplat_run.c     modes and buffers
 *	srplat_round.c   rounds, accounting
 *	srplat_run_io.c  the measured loop
 *
 * A mode is a completion mode at one point of a sweep, and with verify=write
 * in one of two directions: what the tables have a row for.
 */
#ifndef SRPLAT_RUN_H
#define SRPLAT_RUN_H

#include <signal.h>

#include "tools/srplat_area.h"
#include "tools/srplat_counters.h"
#include "tools/srplat_probe.h"
#include "tools/srplat_src.h"
#include "tools/srplat_verify.h"
#include "util/hist.h"
#include "util/mem.h"

#define SRPLAT_MAX_MODES (5 * SRPLAT_MAX_POINTS)
#define SRPLAT_MAX_ROUNDS 1000
/* How often a round looks up from its work. */
#define SRPLAT_TICK_NS (200 * UINT64_C(1000000))

struct srplat_slot {
	uint64_t begin_ns;
	uint64_t record; /* its index in the area */
	uint64_t intended_ns; /* the rest with a probe only */
	uint64_t sequence;
	uint32_t bytes;
	void *buf;
};

/* What the measured loop works on. */
struct srplat_loop {
	/* the caller's */
	const struct srplat_area *area;
	struct srplat_src *in;	/* NULL where not active */
	struct srplat_src *out; /* NULL where not active */
	unsigned int depth;
	struct srplat_slot *slots; /* depth of them */
	uint32_t *free_slots;	   /* a stack, depth long */
	struct srplat_done *done;  /* depth long */
	struct hist *hist;
	struct srplat_probe *probe; /* NULL: only read and write */
	const volatile sig_atomic_t *stop;
	/* Between records, once next_tick_ns is over; not 0: give up. */
	int (*on_tick)(struct srplat_loop *loop, uint64_t now_ns);
	void *arg;
	/* how far; SRPLAT_FOREVER: no such limit */
	uint64_t nr_wanted;
	uint64_t deadline_ns;
	/* goes on from round to round: where the next record is */
	uint64_t next;
	uint64_t random;
	/* results of this round */
	uint64_t begin_ns;
	uint64_t end_ns;
	uint64_t next_tick_ns;
	uint64_t nr_started;
	uint64_t nr_done; /* complete records */
	uint64_t nr_short;
	uint64_t bytes;
	uint64_t nr_errors;
	uint64_t nr_backwards; /* samples dropped: the clock went back */
	/* inner state */
	unsigned int nr_free;
	unsigned int nr_in;  /* requests outstanding at the input */
	unsigned int nr_out; /* and at the output */
	int error;	     /* the first */
	uint64_t seen_ns;    /* when the last wait ended; 0: with nothing */
};

/* What a mode does with its records. */
enum srplat_op { SRPLAT_OP_COPY, SRPLAT_OP_WRITE, SRPLAT_OP_READ };

/*
 * Runs until nr_wanted records, the deadline, the stop flag or an error, and
 * until all that was started has come back. 0 or the first -errno.
 */
int srplat_loop_run(struct srplat_loop *loop);

/* One mode's sum over all rounds. */
struct srplat_mode {
	int id; /* enum srpi_completion, 0 for the source's own */
	char name[24];
	enum srplat_op op;
	enum srplat_sweep_by by; /* it is one point of this sweep */
	unsigned int depth;
	uint64_t rate; /* 0: as fast as it goes */
	uint64_t nr_done;
	uint64_t nr_short;
	uint64_t bytes;
	uint64_t nr_errors;
	uint64_t nr_backwards;
	uint64_t elapsed_ns;
	uint64_t cpu_ns;
	uint64_t nr_switches;
	uint64_t nr_missed; /* with a rate, as in struct srplat_probe */
	uint64_t nr_unsent;
	uint64_t max_waiting;
	double iops_sum; /* of merged files: that of each, added up */
	struct srplat_counts counts;
	unsigned int nr_rounds; /* that were run */
	double *round_mean_ns;	/* of each */
	double *round_p50_ns;
	double *round_iops;
	uint64_t next;		/* where the next round goes on */
	uint64_t random;
	struct hist *hist;
	struct hist *response; /* NULL without a rate */
	struct hist *stages;   /* SRPLAT_NR_STAGES, or NULL */
};

/* What the mode is judged by: response time where there is a rate. */
static inline const struct hist *
srplat_mode_latency(const struct srplat_mode *mode)
{
	return mode->response ? mode->response : mode->hist;
}
/* "inline", "inline read", "inline depth=8" */
void srplat_mode_label(const struct srplat_mode *mode, char *text, size_t n);

struct srplat_run {
	/* set by the caller, before srplat_run_init() */
	const struct srplat_opts *opts;
	struct srplat_src *in;
	struct srplat_src *out;
	struct srplat_area area;
	const volatile sig_atomic_t *stop;
	/* Before the first I/O of each round. NULL: nobody cares. */
	void (*on_begin)(void);
	/* Cold, a few times a second while a round runs. NULL: never. */
	void (*on_progress)(void *arg, const struct srplat_run *run);
	void *arg;
	/* results */
	unsigned int nr_merged; /* files they are from; 0: our own */
	unsigned int nr_rounds;
	unsigned int nr_modes;
	struct srplat_mode modes[SRPLAT_MAX_MODES];
	uint64_t nr_done; /* over all modes, for dd's lines */
	uint64_t nr_short;
	uint64_t bytes;
	uint64_t elapsed_ns; /* measured rounds and the sync at the end */
	/* inner state */
	uint64_t stop_seen_ns;
	bool is_warming; /* what runs now is not counted */
	const struct srplat_mode *mode; /* which is running */
	uint64_t nr_written; /* by verify=write, not yet read back */
	struct srplat_loop loop;
	struct srplat_probe probe;
	struct srplat_slow slow;
	struct srplat_counters counters;
	struct srplat_verify verify;
	struct srplat_area back; /* of verify=write's reading */
	struct hist *scratch; /* of warm-ups */
	struct mem mem;	      /* all slots' buffers */
};

/*
 * Which modes and how many rounds, memory for all of it. 0, or what to exit
 * with, and a sentence. srplat_run_fini() takes any state.
 */
int srplat_run_init(struct srplat_run *run, char *reason, size_t n);
void srplat_run_fini(struct srplat_run *run);
/* 0, or what to exit with, and a sentence; the results so far are there. */
int srplat_run_all(struct srplat_run *run, char *reason, size_t n);

/* The end whose completion modes count: a LUN before a file. */
struct srplat_src *srplat_run_main_end(const struct srplat_run *run);

/*
 * The latency that is seen at depth one when nothing is behind it, in ns: the
 * probe's own share of every latency.
 */
double srplat_run_probe_cost(void);

#endif /* SRPLAT_RUN_H */
