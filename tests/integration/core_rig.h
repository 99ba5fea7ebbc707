/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The initiator against the embedded target on the software device, with
 * what a test needs beside them:
 *
 *	core ──> rig_fabric ──> soft     counts what is made and not destroyed,
 *	target ───────────────> soft     fails the n-th call, turns rejects into
 *	                                 stale ones
 *
 * One rig a process. Bounds on time are generous: the machine may be busy.
 */
#ifndef TESTS_CORE_RIG_H
#define TESTS_CORE_RIG_H

#include <check.h>
#include <netinet/in.h>
#include <pthread.h>

#include "core/session.h"
#include "fabric/fabric.h"
#include "softrdma/soft_dev.h"
#include "target/target.h"
#include "util/clock.h"
#include "util/compiler.h"

#include <srpi/srpi.h>

#define RIG_ID_EXT UINT64_C(0x0002c90300a0b0c0)
#define RIG_IOC_GUID UINT64_C(0x0002c90300a0b0c1)
#define RIG_BLOCK 512u
#define RIG_LUN_BYTES (8u << 20)
/* Completion modes; self, which has no descriptor, comes last. */
#define RIG_NR_MODES 5
#define RIG_NR_FD_MODES (RIG_NR_MODES - 1)
extern const enum srpi_completion rig_modes[RIG_NR_MODES];
#define RIG_BUF_BYTES (1u << 20)
/* What a loaded machine may add to any time limit. */
#define RIG_SLACK_NS (2 * CLOCK_NS_PER_SEC)

/*
 * ck_assert() tells check of every place it passes, with a system call. Per
 * I/O and per byte, and in threads, only a failure should cost something.
 */
#define must(condition)                                                        \
	do {                                                                   \
		if (unlikely(!(condition)))                                    \
			ck_abort_msg("%s", #condition);                        \
	} while (0)

/* ---- the fabric between core and device ---- */

enum rig_kind {
	RIG_EVENT_CHANNEL,
	RIG_ID,
	RIG_PD,
	RIG_MR,
	RIG_COMP_CHANNEL,
	RIG_CQ,
	RIG_QP,
	RIG_NR_KINDS
};

/* The soft fabric with counters; the same object every time. */
const struct fabric *rig_fabric(void);
/* The @n-th creation from now on fails with ENOMEM; 0: none does. */
void rig_fail_at(int n);
/* Has it come to that? */
bool rig_has_failed(void);
/* The first @n rejects are turned into "stale connection"; SRP reasons go. */
void rig_stale_rejects(int n);
int rig_nr_live(enum rig_kind kind);
/* Nothing that core made is left. */
void rig_expect_nothing_left(void);

/* ---- target, session, queue ---- */

struct rig {
	struct soft_dev *dev;
	struct target *target;
	struct sockaddr_in addr;
	struct session_attr attr;
	struct srpi_session *session;
	struct srpi_lun *lun;
	struct srpi_queue *queue;
	struct srpi_mem *mem;
	uint8_t *buf; /* RIG_BUF_BYTES */
	char reason[512];
};

/* rig->attr for a target at rig->addr, inline, depth 32. */
void rig_set_attr(struct rig *rig);
/* Device and target with the LUNs of @attr; no session yet. */
void rig_up(struct rig *rig, enum soft_irqmode mode,
	const struct target_attr *attr);
/* The same with one ram LUN 0 of RIG_LUN_BYTES and all defaults. */
void rig_up_ram(struct rig *rig, enum soft_irqmode mode);
void rig_down(struct rig *rig);

/* session_create() with rig->attr; its result, the sentence in reason. */
int rig_open(struct rig *rig);
/* Must succeed: session, LUN 0, registered buffer, one queue. */
void rig_open_all(struct rig *rig, const struct srpi_queue_opts *opts);
/* Closes the session; nothing of it may be left. */
void rig_close(struct rig *rig);
struct srpi_queue *rig_queue(struct rig *rig,
	const struct srpi_queue_opts *opts);
struct srpi_lun *rig_lun(struct rig *rig, uint64_t number);
struct srpi_stats rig_stats(struct rig *rig);

/* ---- I/O ---- */

/* Bytes that belong to block @lba in generation @gen. */
void rig_fill(uint8_t *at, uint64_t lba, uint32_t blocks, uint32_t gen);
void rig_check(const uint8_t *at, uint64_t lba, uint32_t blocks, uint32_t gen);

/* Prepares one I/O of one block at @lba, at the buffer's block @lba. */
struct srpi_io *rig_prep(struct srpi_queue *queue, struct rig *rig,
	uint64_t lba, bool write);
/* Submits it alone. */
struct srpi_io *rig_submit(struct srpi_queue *queue, struct rig *rig,
	uint64_t lba, bool write);
/* Waits for one, any; gives it back. Its error, a copy in *result. */
int rig_wait_one(struct srpi_queue *queue, struct srpi_result *result);
/* One I/O of one block from beginning to end; its error. */
int rig_do(struct srpi_queue *queue, struct rig *rig, uint64_t lba, bool write);
/* @nr writes and reads of single blocks, the data verified; must succeed. */
void rig_verify(struct rig *rig, uint32_t nr, uint32_t gen);

/* Waits, without touching the queue, until *@counter of stats reaches @at. */
void rig_wait_stat(struct rig *rig, size_t offset, uint64_t at);
#define rig_wait_counter(rig, field, at)                                       \
	rig_wait_stat((rig), offsetof(struct srpi_stats, field), (at))

void rig_sleep_ms(unsigned int ms);

#endif /* TESTS_CORE_RIG_H */
