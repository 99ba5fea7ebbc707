/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A command's life, from the IU to the response. Runner only.
 */
#ifndef TARGET_TGT_CMD_H
#define TARGET_TGT_CMD_H

#include "target/tgt_conn.h"

/* A code that wire/scsi.h has no name for: INVALID FIELD IN COMMAND
 * INFORMATION UNIT (SPC-4): the buffer is smaller than what the CDB writes. */
#define TGT_ASC_INVALID_FIELD_IN_IU 0x0e03

/* An information unit has arrived in the command's buffer. */
void tgt_cmd_on_iu(struct tgt_cmd *cmd, uint32_t bytes);
/* Its data-out has arrived (TGT_WR_READ). */
void tgt_cmd_on_data(struct tgt_cmd *cmd);

/* Sends the response and posts the receive again. May wait for room. */
void tgt_cmd_respond(struct tgt_cmd *cmd);
/* CHECK CONDITION with that sense, nothing transferred. */
void tgt_cmd_check(
	struct tgt_cmd *cmd, enum scsi_sense_key key, uint16_t asc);
/* The same outcome, but does not respond yet. */
void tgt_cmd_set_check(
	struct tgt_cmd *cmd, enum scsi_sense_key key, uint16_t asc);
/* Ends it without a response; its credit goes out with a later one. */
void tgt_cmd_drop(struct tgt_cmd *cmd);

/* Bytes of data that came or may go in direction @dir. */
static inline uint32_t
tgt_cmd_room(const struct tgt_cmd *cmd, enum scsi_dir dir)
{
	return cmd->iu.dir == dir ? cmd->iu.data_len : 0;
}

/* A SCSI command that is under way, and has not ended in this very call. */
static inline bool
tgt_cmd_is_task(const struct tgt_cmd *cmd)
{
	return cmd->iu.cdb &&
		(cmd->state == TGT_CMD_WAITING ||
			cmd->state == TGT_CMD_READING ||
			cmd->state == TGT_CMD_MEDIA ||
			cmd->state == TGT_CMD_SILENT);
}

/*
 * The residual, given that the CDB asks for @want bytes in direction @dir; what
 * the descriptors offer beyond that, and in the other direction, is underrun.
 */
void tgt_cmd_set_residual(
	struct tgt_cmd *cmd, enum scsi_dir dir, uint64_t want);

/* Everything else than READ and WRITE (tgt_scsi.c). */
void tgt_scsi_start(struct tgt_cmd *cmd);
/* The parameter data of such a command has arrived in its buffer. */
void tgt_scsi_on_data(struct tgt_cmd *cmd);

/*
 * The long way before a command is executed (tgt_check.c): unknown LUN, NOT
 * READY, unit attention, faults. True: it has been answered.
 */
bool tgt_check_cmd(struct tgt_cmd *cmd);
/* Of that, what is the LUN's; it may also have been put aside. */
bool tgt_check_lun(struct tgt_cmd *cmd);
/* Nothing stands in its way. */
void tgt_cmd_execute(struct tgt_cmd *cmd);
/* A response under a fault script (tgt_faults.c). True: done with. */
bool tgt_faults_respond(struct tgt_cmd *cmd);

/* IUs other than SRP_CMD, and commands that do not parse (tgt_iu.c). */
void tgt_iu_on_other(struct tgt_cmd *cmd, uint32_t bytes);
void tgt_iu_on_bad_cmd(struct tgt_cmd *cmd, int error);
/* A response that is not a plain GOOD (tgt_iu.c); returns its length. */
size_t tgt_iu_encode_rsp(
	const struct tgt_cmd *cmd, int32_t delta, void *buf, size_t n);

#endif /* TARGET_TGT_CMD_H */
