/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A control thread that runs an event loop, and calls handed to it.
 *
 *	any thread:  worker_call(fn, arg) ──> [ one call ] ──> the worker runs
 *	             waits ............................<────── fn(arg)
 *
 * Whatever only fn and the loop's handlers touch needs no lock.
 */
#ifndef UTIL_WORKER_H
#define UTIL_WORKER_H

#include <pthread.h>

#include "util/loop.h"
#include "util/thread.h"

struct worker_call;

struct worker {
	struct loop loop;
	struct thread thread;
	/* set before worker_start(); NULL: nothing */
	void (*on_kick)(struct worker *worker); /* after a kick or a call */
	/* Runs until loop.is_stopped instead of loop_run(). */
	void (*run)(struct worker *worker);
	void *arg;

	pthread_mutex_t callers; /* one call at a time */
	pthread_mutex_t lock;	 /* guards `call` */
	pthread_cond_t done;
	struct worker_call *call;
};

/* @worker is zeroed but for on_kick, run and arg. 0 or -errno. */
int worker_start(struct worker *worker, const char *name, int cpu);
/* Waits for the thread. No call is under way. */
void worker_stop(struct worker *worker);

/* Runs @fn(@arg) in the worker's thread; any other thread. Its result. */
int worker_call(struct worker *worker, int (*fn)(void *arg), void *arg);
/* Has on_kick run soon; any thread. */
void worker_kick(struct worker *worker);

#endif /* UTIL_WORKER_H */
