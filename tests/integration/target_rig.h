/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A target on the software device and one channel of a hand-made initiator:
 * what the tests of the target have in common. One of each in a program.
 */
#ifndef TESTS_TARGET_RIG_H
#define TESTS_TARGET_RIG_H

#include "peer.h"

/* Once with completion handlers, once with the target's thread, ... */
#define NR_MODES 4
extern const enum soft_irqmode modes[NR_MODES];

extern struct bed bed;
extern struct peer peer;

/*
 * A target with LUN 0 (ram), 1 (null, 4096-byte blocks), 2 (null without
 * data), 3 (ram, write protected) and 300 (ram, 4160-byte blocks, transfers of
 * 16 at most); and with a channel as initiator 1, without immediate data.
 */
void rig_bed(enum soft_irqmode mode);
void rig_up(enum soft_irqmode mode);

/* Logs @p in as initiator port @initiator, with immediate data asked for. */
void connect_as(struct peer *p, uint8_t initiator);
/* The channel, then the target. */
void down(void);

void fill(uint8_t *at, size_t n, uint32_t seed);

/* One command, and what must come of it. */
void expect_good(const struct peer_cmd *cmd);
void expect_sense(const struct peer_cmd *cmd, uint32_t code);
/* The same on another channel. */
void expect_good_on(struct peer *p, const struct peer_cmd *cmd);
void expect_sense_on(struct peer *p, const struct peer_cmd *cmd, uint32_t code);
struct peer_cmd test_unit_ready(uint64_t lun);

#endif /* TESTS_TARGET_RIG_H */
