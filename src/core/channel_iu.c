/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * IUs that are no plain good response. Runs inside the channel. Whatever a
 * conforming target never sends takes the connection down.
 */
#include "core/channel.h"
#include "core/response.h"
#include "core/session.h"
#include "util/log.h"
#include "wire/scsi_sense.h"
#include "wire/srp_iu.h"

/* The true sum, held below 2^30 so that no delta can overflow it. */
static void
channel_add_credits(struct channel *ch, int32_t delta)
{
	int64_t sum = (int64_t)ch->credits + delta;

	if (sum > INT32_MAX / 2)
		sum = INT32_MAX / 2;
	if (sum < INT32_MIN / 2)
		sum = INT32_MIN / 2;
	ch->credits = (int32_t)sum;
}

int
channel_send_ctl(struct channel *ch, const void *iu, uint32_t bytes)
{
	uint8_t *buf = ch->ctl_area + ch->ctl_next * CHANNEL_CTL_BYTES;
	struct ibv_sge sge = {
		.addr = (uintptr_t)buf,
		.length = bytes,
		.lkey = ch->mr->lkey,
	};
	struct ibv_send_wr *bad, wr = {
		.sg_list = &sge,
		.num_sge = 1,
		.opcode = IBV_WR_SEND,
		.send_flags = bytes <= ch->max_inline ? IBV_SEND_INLINE : 0,
	};
	int error;

	assert(bytes <= CHANNEL_CTL_BYTES);
	memcpy(buf, iu, bytes);
	ch->ctl_next = (ch->ctl_next + 1) % CHANNEL_NR_CTL;
	if (!channel_take_slot(ch, &wr)) {
		channel_fail(ch, -EPROTO,
			"the target sends requests faster than it takes answers");
		return -EPROTO;
	}
	counter_add(&ch->stats.doorbells, 1);
	counter_add(&ch->stats.send_wrs, 1);
	error = ibv_post_send(ch->qp, &wr, &bad);
	if (error)
		channel_fail(ch, -error, "posting %s: errno %d",
			srp_iu_op_name(*(const uint8_t *)iu), error);
	return -error;
}

/* CRED_RSP and AER_RSP: they cost no credit. */
static void
channel_answer(struct channel *ch, uint8_t opcode, uint64_t tag)
{
	struct srp_iu_small rsp = { .opcode = opcode, .tag = tag };
	uint8_t iu[SRP_SMALL_BYTES];

	srp_iu_small_encode(&rsp, iu);
	channel_send_ctl(ch, iu, sizeof(iu));
}

static void
channel_malformed(struct channel *ch, const uint8_t *iu, uint32_t len)
{
	counter_add(&ch->stats.malformed_ius, 1);
	channel_fail(ch, -EPROTO,
		"the target sent a malformed IU (%s, opcode 0x%02x, %u bytes)",
		len ? srp_iu_op_name(iu[0]) : "empty", len ? iu[0] : 0, len);
}

static void
channel_on_cred_req(struct channel *ch, const uint8_t *iu, uint32_t len)
{
	struct srp_iu_small req;

	if (srp_iu_small_decode(iu, len, &req)) {
		channel_malformed(ch, iu, len);
		return;
	}
	counter_add(&ch->stats.cred_reqs, 1);
	channel_add_credits(ch, req.req_lim_delta);
	channel_answer(ch, SRP_OP_CRED_RSP, req.tag);
}

static void
channel_on_aer_req(struct channel *ch, const uint8_t *iu, uint32_t len)
{
	struct srp_iu_aer_req req;
	uint32_t events = SRPI_EVENT_LUNS_CHANGED; /* if it does not say */
	struct scsi_sense sense;
	char text[SCSI_SENSE_TEXT_BYTES];

	if (srp_iu_aer_req_decode(iu, len, &req)) {
		channel_malformed(ch, iu, len);
		return;
	}
	counter_add(&ch->stats.aer_reqs, 1);
	channel_add_credits(ch, req.req_lim_delta);
	if (!scsi_sense_decode(req.sense, req.sense_len, &sense)) {
		events = events_of_sense(&sense);
		scsi_sense_format(&sense, text, sizeof(text));
		log_info("core", "%s: asynchronous event: %s",
			ch->session->attr.portal, text);
	}
	events_raise(&ch->session->events, events);
	channel_answer(ch, SRP_OP_AER_RSP, req.tag);
}

static void
channel_on_t_logout(struct channel *ch, const uint8_t *iu, uint32_t len)
{
	struct srp_iu_small req;

	if (srp_iu_small_decode(iu, len, &req)) {
		channel_malformed(ch, iu, len);
		return;
	}
	channel_fail(ch, -ECONNRESET, "the target logged us out: %s (%u)",
		srp_iu_t_logout_name(req.reason), req.reason);
}

static void
channel_on_any_rsp(struct channel *ch, const uint8_t *iu, uint32_t len)
{
	struct srp_iu_rsp rsp;
	struct srpi_io *io;

	if (srp_iu_rsp_decode(iu, len, &rsp)) {
		channel_malformed(ch, iu, len);
		return;
	}
	channel_add_credits(ch, rsp.req_lim_delta);
	if (ch->tmf.is_pending && rsp.tag == channel_tmf_tag(ch)) {
		ch->tmf.is_done = true;
		/* no code at all is success, as for Linux' target */
		ch->tmf.rsp_code = rsp.rsp_code;
		return;
	}
	io = channel_lookup(ch, rsp.tag);
	if (!io) {
		counter_add(&ch->stats.late_responses, 1);
		return;
	}
	response_take(ch, io, &rsp);
}

void
channel_on_iu(struct channel *ch, const uint8_t *iu, uint32_t len)
{
	switch (len ? iu[0] : 0) {
	case SRP_OP_RSP:
		channel_on_any_rsp(ch, iu, len);
		break;
	case SRP_OP_CRED_REQ:
		channel_on_cred_req(ch, iu, len);
		break;
	case SRP_OP_AER_REQ:
		channel_on_aer_req(ch, iu, len);
		break;
	case SRP_OP_T_LOGOUT:
		channel_on_t_logout(ch, iu, len);
		break;
	default:
		channel_malformed(ch, iu, len);
	}
}
