/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "softrdma/soft_spin.h"

#include <sched.h>

#define SPINS_BEFORE_YIELD 200

/* Returns with the lock taken. */
__cold void
soft_spin_wait(struct soft_spin *spin)
{
	int spins = 0;

	do {
		while (atomic_load_explicit(&spin->is_taken,
			memory_order_relaxed)) {
			if (++spins < SPINS_BEFORE_YIELD) {
				cpu_relax();
				continue;
			}
			spins = 0;
			sched_yield();
		}
	} while (!soft_spin_trylock(spin));
}
