/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "fio/fio_shared.h"

#include <stdatomic.h>
#include <sys/mman.h>

#include <fio.h>

struct shared {
	atomic_bool is_said[FIO_SHARED_NR_NOTES];
	atomic_bool stops[REAL_MAX_JOBS]; /* by thread_number, from 1 */
};

static struct shared *shared;

void
fio_shared_init(void)
{
	void *pages;

	if (shared)
		return;
	pages = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (pages != MAP_FAILED)
		shared = pages;
}

bool
fio_shared_is_first(enum fio_shared_note note)
{
	return !shared || !atomic_exchange(&shared->is_said[note], true);
}

static atomic_bool *
stop_of(const struct thread_data *td)
{
	unsigned int index = (unsigned int)td->thread_number - 1;

	return shared && index < REAL_MAX_JOBS ? &shared->stops[index] : NULL;
}

void
fio_shared_set_stop(const struct thread_data *td)
{
	atomic_bool *stop = stop_of(td);

	if (stop)
		atomic_store(stop, true);
}

bool
fio_shared_is_stop_set(const struct thread_data *td)
{
	atomic_bool *stop = stop_of(td);

	return stop && atomic_load(stop);
}
