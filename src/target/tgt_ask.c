/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "target/tgt_ask.h"

#include <assert.h>

#include "target/tgt_chan.h"
#include "wire/scsi_lun.h"
#include "wire/scsi_sense.h"

/* @number is a LUN's, and so has an address. */
static struct scsi_lun
ask_lun(uint16_t number)
{
	struct scsi_lun lun = { { 0 } };
	int rc = scsi_lun_from_number(number, &lun);

	assert(!rc);
	(void)rc;
	return lun;
}

/* The event that waits, or one that reports nothing: NO SENSE on LUN 0. */
static size_t
ask_encode_aer(const struct tgt_conn *conn, void *buf)
{
	struct scsi_sense sense = conn->event ?
		scsi_sense_make(SCSI_KEY_UNIT_ATTENTION, conn->event) :
		scsi_sense_make(SCSI_KEY_NO_SENSE, SCSI_ASC_NONE);
	uint8_t data[SCSI_SENSE_ENCODED_BYTES];
	struct srp_iu_aer_req aer = {
		.tag = conn->sq_posted,
		.req_lim_delta = conn->credits_owed,
		.sense = data,
	};

	if (conn->event)
		aer.lun = ask_lun(conn->event_lun);
	aer.sense_len =
		(uint32_t)scsi_sense_encode(&sense, data, sizeof(data));
	return srp_iu_aer_req_encode(&aer, buf, TGT_RSP_BYTES);
}

/* Nothing while one is unanswered or there is no room. */
static void
ask_send(struct tgt_conn *conn, enum srp_op opcode)
{
	struct srp_iu_small cred = {
		.opcode = SRP_OP_CRED_REQ,
		.req_lim_delta = conn->credits_owed,
		.tag = conn->sq_posted,
	};
	size_t bytes = SRP_SMALL_BYTES;
	uint8_t *iu;

	if (conn->is_asked || !tgt_chan_sq_room(conn))
		return;
	iu = tgt_chan_get_rsp(conn);
	if (opcode == SRP_OP_AER_REQ) {
		bytes = ask_encode_aer(conn, iu);
		conn->event = 0;
	} else {
		srp_iu_small_encode(&cred, iu);
	}
	conn->credits_owed = 0;
	conn->is_asked = true;
	tgt_chan_send(conn, iu, (uint32_t)bytes);
}

void
tgt_ask_credits(struct tgt_conn *conn, enum srp_op opcode)
{
	if (conn->credits_owed)
		ask_send(conn, opcode);
}

void
tgt_ask_event(struct tgt_conn *conn, uint16_t lun, uint16_t code)
{
	conn->event = code;
	conn->event_lun = lun;
	ask_send(conn, SRP_OP_AER_REQ);
}

void
tgt_ask_on_answer(struct tgt_conn *conn)
{
	conn->is_asked = false;
	if (conn->event)
		ask_send(conn, SRP_OP_AER_REQ);
}
