/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A target whose LUN takes PART blocks in a command, and a client of it, for
 * I/Os that one command cannot carry. One of each in a program.
 */
#ifndef TESTS_SPLITS_RIG_H
#define TESTS_SPLITS_RIG_H

#include "client.h"
#include "peer.h"

#define BLOCK 512u
#define PART 256u /* blocks; the LUN's limit */
#define PART_BYTES (PART * BLOCK)
#define LARGE_BYTES ((size_t)(16 << 20) + BLOCK)
#define LUN_BYTES ((size_t)32 << 20)
#define LUN_BLOCKS (LUN_BYTES / BLOCK)
#define CANARY 0xee
#define MAX_PIECES 255u

extern struct bed bed;
extern struct client client;
extern struct srpi_queue *queue;

void up_with(const struct target_lun_attr *lun, const char *keys);
struct target_lun_attr lun_attr(uint32_t max_transfer_blocks);
/* The two in one. */
void up(uint32_t max_transfer_blocks, const char *keys);
void down(void);

void set_faults(struct target_faults faults);
void rw_ok(enum client_dir dir, uint64_t lba, void *at, size_t bytes);

#endif /* TESTS_SPLITS_RIG_H */
