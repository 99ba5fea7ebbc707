/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "core/probes.h"

#ifdef HAVE_SYS_SDT_H

#define PROBES_SECTION __attribute__((section(".probes")))

volatile unsigned short srpi_submitted_semaphore PROBES_SECTION;
volatile unsigned short srpi_posted_semaphore PROBES_SECTION;
volatile unsigned short srpi_seen_semaphore PROBES_SECTION;
volatile unsigned short srpi_woken_semaphore PROBES_SECTION;
volatile unsigned short srpi_delivered_semaphore PROBES_SECTION;

#endif
