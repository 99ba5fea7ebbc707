/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Requests of the target to the initiator: CRED_REQ and AER_REQ. One is
 * unanswered at a time (SRP r16a 5.3). Runner only.
 */
#ifndef TARGET_TGT_ASK_H
#define TARGET_TGT_ASK_H

#include "target/tgt_conn.h"

/*
 * Hands out conn->credits_owed with @opcode, SRP_OP_CRED_REQ or SRP_OP_AER_REQ.
 * Does nothing while one is unanswered or the send queue is full: the next
 * answer or response comes here again.
 */
void tgt_ask_credits(struct tgt_conn *conn, enum srp_op opcode);

/*
 * Reports 06/@code on LUN @lun, with AER_REQ. While a request is unanswered it
 * waits, and a newer event takes its place: the unit attention stays in any
 * case.
 */
void tgt_ask_event(struct tgt_conn *conn, uint16_t lun, uint16_t code);
/* An answer has come. */
void tgt_ask_on_answer(struct tgt_conn *conn);

#endif /* TARGET_TGT_ASK_H */
