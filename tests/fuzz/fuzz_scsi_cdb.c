/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Any bytes as a CDB: what is decoded can be encoded, and means the same. */
#include <errno.h>

#include "wire_fuzz.h"

#include "wire/scsi_cdb.h"

static bool
is_same(const struct scsi_cmd *a, const struct scsi_cmd *b)
{
	return a->op == b->op && a->action == b->action &&
		a->cdb_len == b->cdb_len && a->page == b->page &&
		a->subpage == b->subpage &&
		a->page_control == b->page_control &&
		a->protect == b->protect && a->bytchk == b->bytchk &&
		a->group == b->group && a->flags == b->flags &&
		a->blocks == b->blocks && a->alloc_len == b->alloc_len &&
		a->lba == b->lba;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t cdb[SCSI_CDB_BYTES], padded[SCSI_CDB_BYTES] = { 0 };
	struct scsi_cmd cmd, cmd2;
	char text[64];
	int len;

	if (size)
		scsi_cdb_name(data, size, text, sizeof(text));
	if (scsi_cdb_decode(data, size, &cmd)) {
		check(scsi_cdb_dir(&cmd) == SCSI_DIR_NONE || size < 16);
		return 0;
	}
	check(cmd.cdb_len == scsi_cdb_len(data[0]) && cmd.cdb_len <= size);
	len = scsi_cdb_encode(&cmd, cdb);
	check(len == cmd.cdb_len);
	check(scsi_cdb_decode(cdb, (size_t)len, &cmd2) == 0);
	check(is_same(&cmd, &cmd2));
	/* A byte less is no command; more bytes change nothing. */
	check(scsi_cdb_decode(cdb, (size_t)len - 1, &cmd2) == -EINVAL);
	memcpy(padded, data, cmd.cdb_len);
	check(scsi_cdb_decode(padded, sizeof(padded), &cmd2) == 0);
	check(is_same(&cmd, &cmd2));
	check(scsi_cdb_dir(&cmd) <= SCSI_DIR_IN);
	return 0;
}
