/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "target/tgt_ask.h"

#include "target/tgt_chan.h"
#include "wire/scsi_sense.h"

/* An asynchronous event that reports nothing: NO SENSE on LUN 0. */
static size_t
ask_encode_aer(int32_t delta, uint64_t tag, void *buf)
{
	struct scsi_sense sense =
		scsi_sense_make(SCSI_KEY_NO_SENSE, SCSI_ASC_NONE);
	uint8_t data[SCSI_SENSE_ENCODED_BYTES];
	struct srp_iu_aer_req aer = {
		.tag = tag,
		.req_lim_delta = delta,
		.sense = data,
	};

	aer.sense_len =
		(uint32_t)scsi_sense_encode(&sense, data, sizeof(data));
	return srp_iu_aer_req_encode(&aer, buf, TGT_RSP_BYTES);
}

void
tgt_ask_credits(struct tgt_conn *conn, enum srp_op opcode)
{
	struct srp_iu_small cred = {
		.opcode = SRP_OP_CRED_REQ,
		.req_lim_delta = conn->credits_owed,
	};
	size_t bytes = SRP_SMALL_BYTES;
	uint8_t *iu;

	if (conn->is_asked || !conn->credits_owed || !tgt_chan_sq_room(conn))
		return;
	iu = tgt_chan_get_rsp(conn);
	cred.tag = conn->sq_posted;
	if (opcode == SRP_OP_AER_REQ)
		bytes = ask_encode_aer(conn->credits_owed, cred.tag, iu);
	else
		srp_iu_small_encode(&cred, iu);
	conn->credits_owed = 0;
	conn->is_asked = true;
	tgt_chan_send(conn, iu, (uint32_t)bytes);
}
