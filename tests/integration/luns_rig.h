/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A target whose LUNs change, and an initiator on each of two nexuses, the
 * second named other. One of each in a program.
 */
#ifndef TESTS_LUNS_RIG_H
#define TESTS_LUNS_RIG_H

#include "target_rig.h"

#define LUN_BYTES (1u << 20)
#define LAST (LUN_BYTES / 512 - 1)

#define UA_INVENTORY 0x063f0e
#define UA_CAPACITY 0x062a09
#define UA_MODE 0x062a01
#define NO_LUN 0x052500
#define BEYOND 0x052100

extern struct peer other;
extern char reason[256];
extern int nr_mrs; /* registered, not yet deregistered; any thread's */

extern const struct target_attr plain, any_kind; /* may_add */

/* The LUNs of @more, or 0 and 1, ram. */
void up(enum soft_irqmode mode, const struct target_attr *more);
void all_down(void);

/* A change that must be possible; the sentence if it is not. */
#define changes(call)                                                          \
	ck_assert_msg((call) == 0, "%s: %s", #call, reason)

void add(uint16_t number, const char *backend, uint64_t bytes);
void take_away(uint16_t number);
void resize(uint16_t number, uint64_t bytes);

/* Both nexuses are told @code on @lun, once. */
void expect_attention(uint64_t lun, uint32_t code);
uint64_t last_lba(uint64_t lun);
/* The LUNs that REPORT LUNS names. */
unsigned int count_luns(struct peer *p);
/* A block of bytes that follow from @seed; 0: zeros. */
void write_block(uint64_t lun, uint64_t lba, uint32_t seed);
void expect_block(uint64_t lun, uint64_t lba, uint32_t seed);

#endif /* TESTS_LUNS_RIG_H */
