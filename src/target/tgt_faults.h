/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Misbehaviour on request: where the rest of the target asks whether the
 * script (struct target_faults) wants something else. The script and its
 * counts are under target.lock; TGT_ODD_FAULTS says that there is one.
 */
#ifndef TARGET_TGT_FAULTS_H
#define TARGET_TGT_FAULTS_H

#include "target/tgt_conn.h"

enum tgt_login_fault {
	TGT_LOGIN_FAULT_NONE,
	TGT_LOGIN_FAULT_STALE, /* reject as a stale connection */
	TGT_LOGIN_FAULT_REJ,   /* reject with *reason */
};

/* Loop thread, once for every login. */
enum tgt_login_fault tgt_faults_on_login(
	struct target *target, uint32_t *reason);
/* Runner. True: it has been answered with the script's status. */
bool tgt_faults_on_cmd(struct tgt_cmd *cmd);
/* Runner. Not 0: the response code that refuses task management. */
uint8_t tgt_faults_on_tmf(struct target *target);
/* Runner: an answer to CRED_REQ or AER_REQ has come. */
void tgt_faults_on_answer(struct tgt_conn *conn);

/* Pure: does the script want anything? Its padding is not looked at. */
bool tgt_faults_is_any(const struct target_faults *script);

/*
 * Pure: what becomes of the @nr-th response (from 1). At most one of the
 * flags is set; the script's order decides.
 */
struct tgt_rsp_fault {
	bool is_silent, is_short, has_bad_tag, has_bad_opcode, is_long;
};
void tgt_faults_pick(const struct target_faults *script, uint64_t nr,
	struct tgt_rsp_fault *fault);

#endif /* TARGET_TGT_FAULTS_H */
