/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "target/tgt_login.h"

/* The offset counts from the start of the IU; the command is before it. */
static uint32_t
login_grant_imm(
	const struct tgt_login_policy *policy, const struct srp_iu_login_req *r)
{
	if (!(r->flags & SRP_IMM_REQUESTED) ||
		r->imm_offset < sizeof(struct srp_cmd) ||
		r->imm_offset >= policy->max_it_iu_bytes)
		return 0;
	return r->imm_offset;
}

uint32_t
tgt_login_check(const struct tgt_login_policy *policy, const void *data,
	size_t n, struct tgt_login *login)
{
	const struct srp_iu_login_req *r = &login->req;
	unsigned int action;

	*login = (struct tgt_login){ 0 };
	if (srp_iu_login_req_rdma_decode(data, n, &login->req))
		return SRP_REJ_UNABLE_ESTABLISH_CHANNEL;
	action = r->flags & SRP_MULTICHAN_MASK;
	login->is_single = action == SRP_MULTICHAN_SINGLE;
	login->imm_offset = login_grant_imm(policy, r);
	if (r->req_it_iu_len < SRP_MIN_IU_BYTES ||
		r->req_it_iu_len > policy->max_it_iu_bytes)
		return SRP_REJ_IU_LEN_TOO_LARGE;
	if (memcmp(r->target_port_id, policy->port_id, SRP_PORT_ID_BYTES))
		return SRP_REJ_UNABLE_ASSOCIATE_CHANNEL;
	if (r->buf_fmt & ~(SRP_BUF_DIRECT | SRP_BUF_INDIRECT))
		return SRP_REJ_UNSUPPORTED_DESC_FMT;
	if (action > SRP_MULTICHAN_MULTI)
		return SRP_REJ_MULTI_CHANNEL_UNSUPPORTED;
	if (policy->nr_channels >= policy->max_channels)
		return SRP_REJ_CHANNEL_LIMIT_REACHED;
	return 0;
}
