/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What a response means for its command: the result, or another try.
 */
#ifndef CORE_RESPONSE_H
#define CORE_RESPONSE_H

#include "core/channel.h"
#include "wire/srp_iu.h"

enum response_verdict {
	RESPONSE_FINAL,
	RESPONSE_RETRY_NOW,   /* a unit attention, consumed */
	RESPONSE_RETRY_LATER, /* the target or LUN is busy: back off */
};

/*
 * What an outcome asks for, after so many unit attentions of the same command.
 * Pure.
 */
enum response_verdict response_policy(const struct srpi_result *result,
	unsigned int nr_attentions);
/*
 * Fills @io's result from @rsp and says what to do. Pure: touches nothing
 * but the result and the sense buffer.
 */
enum response_verdict response_judge(struct srpi_io *io,
	const struct srp_iu_rsp *rsp);

/* Judges, counts, and finishes or requeues. Inside the channel. */
void response_take(struct channel *ch, struct srpi_io *io,
	const struct srp_iu_rsp *rsp);

#endif /* CORE_RESPONSE_H */
