/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What waking a blocked thread costs on this machine. */
#ifndef CORE_WAKECOST_H
#define CORE_WAKECOST_H

#include <stdint.h>

/*
 * From a write to an eventfd until the thread that slept on it runs: the
 * median of a few, measured once a process (some milliseconds). Any thread.
 */
uint64_t wakecost_ns(void);

#endif /* CORE_WAKECOST_H */
