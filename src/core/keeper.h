/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The keeper: one thread a process, asleep unless needed.
 *
 * It reads every channel's CM events: on DISCONNECTED it disconnects the id,
 * so that each waiter gets its flush completions (a wait on a completion
 * channel alone would hang for ever). While a queue's owner is away it
 * visits the channel (core/bias.h): answers CRED_REQ and AER_REQ, ends I/Os
 * past their time, and once nothing is outstanding arms the CQ and parks the
 * channel. A parked channel costs no wake-ups; its owner's next call tells
 * the keeper to look again.
 *
 *	epoll ── CM event fd of each channel
 *	      ── completion fd of each parked channel
 *	      ── async event fd of each device
 *	timer ── every tick while some channel is not parked
 */
#ifndef CORE_KEEPER_H
#define CORE_KEEPER_H

struct channel;

/* The keeper starts with the first channel and ends with the last. */
int keeper_add(struct channel *ch);
/* Returns once the keeper no longer touches @ch. */
void keeper_remove(struct channel *ch);
/* The owner of a parked channel is back. Any thread. */
void keeper_kick(void);
/* CPU time of the keeper so far. */
unsigned long long keeper_cpu_ns(void);

#endif /* CORE_KEEPER_H */
