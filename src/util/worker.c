/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "util/worker.h"

struct worker_call {
	int (*fn)(void *arg);
	void *arg;
	int ret;
	bool is_done;
};

static void
worker_on_wake(struct loop *loop)
{
	struct worker *worker = loop->arg;

	pthread_mutex_lock(&worker->lock);
	if (worker->call) {
		worker->call->ret = worker->call->fn(worker->call->arg);
		worker->call->is_done = true;
		worker->call = NULL;
		pthread_cond_signal(&worker->done);
	}
	pthread_mutex_unlock(&worker->lock);
	if (worker->on_kick)
		worker->on_kick(worker);
}

static void
worker_main(void *arg)
{
	struct worker *worker = arg;

	if (worker->run)
		worker->run(worker);
	else
		loop_run(&worker->loop);
}

int
worker_start(struct worker *worker, const char *name, int cpu)
{
	int ret = loop_init(&worker->loop);

	if (ret)
		return ret;
	worker->loop.on_wake = worker_on_wake;
	worker->loop.arg = worker;
	pthread_mutex_init(&worker->callers, NULL);
	pthread_mutex_init(&worker->lock, NULL);
	pthread_cond_init(&worker->done, NULL);
	worker->call = NULL;
	ret = thread_start(&worker->thread, name, cpu, worker_main, worker);
	if (ret)
		loop_fini(&worker->loop);
	return ret;
}

void
worker_stop(struct worker *worker)
{
	loop_stop(&worker->loop);
	thread_join(&worker->thread);
	loop_fini(&worker->loop);
	pthread_cond_destroy(&worker->done);
	pthread_mutex_destroy(&worker->lock);
	pthread_mutex_destroy(&worker->callers);
}

int
worker_call(struct worker *worker, int (*fn)(void *arg), void *arg)
{
	struct worker_call call = { .fn = fn, .arg = arg };

	pthread_mutex_lock(&worker->callers);
	pthread_mutex_lock(&worker->lock);
	worker->call = &call;
	loop_wake(&worker->loop);
	while (!call.is_done)
		pthread_cond_wait(&worker->done, &worker->lock);
	pthread_mutex_unlock(&worker->lock);
	pthread_mutex_unlock(&worker->callers);
	return call.ret;
}

void
worker_kick(struct worker *worker)
{
	loop_wake(&worker->loop);
}
