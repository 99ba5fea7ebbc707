/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The decision about a login request. Pure.
 *
 *	private data shorter than 56 bytes, or another opcode	0x00010000
 *	req_it_iu_len below 64, or above what is offered	0x00010002
 *	another target port id					0x00010003
 *	a buffer format that is not direct or indirect		0x00010004
 *	a multi-channel action that SRP does not define		0x00010005
 *	more channels than allowed				0x00010006
 *
 * No memory and no queue pair, 0x00010001, show only later. The first that
 * applies is the answer. (A request of less than 56 bytes has no tag; LIO
 * rejects it without SRP's reason.)
 */
#ifndef TARGET_TGT_LOGIN_H
#define TARGET_TGT_LOGIN_H

#include "wire/srp_iu.h"

struct tgt_login_policy {
	const uint8_t *port_id;
	uint32_t max_it_iu_bytes;
	uint32_t nr_channels, max_channels;
};

struct tgt_login {
	struct srp_iu_login_req req;
	bool is_single;	     /* ends the nexus's other channels */
	uint32_t imm_offset; /* granted; 0 = no immediate data */
};

/* 0, or the reason (enum srp_rej_reason). login->req.tag is set if there is
 * one. */
uint32_t tgt_login_check(const struct tgt_login_policy *policy,
	const void *data, size_t n, struct tgt_login *login);

#endif /* TARGET_TGT_LOGIN_H */
