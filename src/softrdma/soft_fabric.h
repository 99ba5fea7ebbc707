/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The fabric "soft": the table of section "fabric" filled by this folder. */
#ifndef SOFTRDMA_SOFT_FABRIC_H
#define SOFTRDMA_SOFT_FABRIC_H

#include "fabric/fabric.h"

extern struct fabric soft_fabric;

#endif /* SOFTRDMA_SOFT_FABRIC_H */
