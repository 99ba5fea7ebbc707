/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What stands in the way of a command before it is looked at: SAM-5 5.14 for
 * unit attentions, SPC-4 5.3 for commands that are answered in any state.
 * Runner only, never on the way of an I/O to a healthy LUN.
 */
#include "target/tgt_change.h"
#include "target/tgt_chan.h"
#include "target/tgt_cmd.h"
#include "target/tgt_faults.h"

/* These report a condition, or nothing of it, in their own way. */
static bool
check_is_exempt(uint8_t op)
{
	return op == SCSI_OP_INQUIRY || op == SCSI_OP_REPORT_LUNS ||
		op == SCSI_OP_REQUEST_SENSE;
}

bool
tgt_check_cmd(struct tgt_cmd *cmd)
{
	return tgt_faults_on_cmd(cmd) || tgt_check_lun(cmd);
}

bool
tgt_check_lun(struct tgt_cmd *cmd)
{
	struct tgt_conn *conn = cmd->conn;
	struct tgt_lun *lun = cmd->lun;
	uint32_t code;

	if (!lun || check_is_exempt(cmd->iu.cdb[0]))
		return false;
	code = atomic_load_explicit(&lun->not_ready, memory_order_relaxed);
	if (code & TGT_LUN_PAUSED) {
		tgt_chan_wait(cmd, tgt_change_resume);
		return true;
	}
	code = tgt_nexus_take_ua(conn->target, conn->nexus, lun);
	if (code) {
		tgt_cmd_check(cmd, SCSI_KEY_UNIT_ATTENTION, (uint16_t)code);
		return true;
	}
	code = atomic_load_explicit(&lun->not_ready, memory_order_relaxed);
	if (code) {
		tgt_cmd_check(cmd, SCSI_KEY_NOT_READY, (uint16_t)code);
		return true;
	}
	return false;
}
