/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What one logical unit is like: INQUIRY, VPD pages, readiness, capacity,
 * mode pages, in this order. What a target may leave out (SPC-4, SBC-3) is
 * no error when it does.
 */
#include <stdio.h>

#include "core/admin.h"
#include "core/lun.h"
#include "wire/scsi_data.h"

#define PROBE_VPD_BYTES 4096
#define PROBE_INQUIRY_BYTES 96 /* more than 36 upsets old targets less so */
#define PROBE_CAPACITY_16_BYTES 32
#define PROBE_MODE_BYTES 192

struct probe {
	struct srpi_session *session;
	const struct scsi_lun *lun;
	struct srpi_lun_info *info;
	struct scsi_vpd_pages pages;
	char *reason;
	size_t n;
};

static int
probe_run(struct probe *probe, struct admin_cmd *cmd)
{
	cmd->lun = *probe->lun;
	return admin_run(probe->session, cmd, probe->reason, probe->n);
}

/* Did the target say no (and not: did the connection fail)? */
static bool
probe_was_refused(int ret, const struct admin_cmd *cmd)
{
	return ret == -EIO && cmd->has_sense &&
		cmd->sense.key == SCSI_KEY_ILLEGAL_REQUEST;
}

static int
probe_inquiry(struct probe *probe)
{
	struct srpi_lun_info *info = probe->info;
	struct admin_cmd cmd = { .alloc_bytes = PROBE_INQUIRY_BYTES };
	struct scsi_inquiry inquiry;
	int ret;

	cmd.cdb_bytes = scsi_cdb_inquiry(cmd.cdb, PROBE_INQUIRY_BYTES);
	ret = probe_run(probe, &cmd);
	if (ret)
		return probe_was_refused(ret, &cmd) ? -ENODEV : ret;
	if (scsi_data_inquiry_decode(cmd.data, cmd.bytes, &inquiry)) {
		snprintf(probe->reason, probe->n,
			"INQUIRY answered %u bytes that make no sense",
			cmd.bytes);
		return -EPROTO;
	}
	if (inquiry.qualifier != 0) {
		snprintf(probe->reason, probe->n,
			"there is no logical unit (INQUIRY peripheral qualifier %u)",
			inquiry.qualifier);
		return -ENODEV;
	}
	if (inquiry.device_type != SCSI_TYPE_DISK) {
		snprintf(probe->reason, probe->n,
			"it is no disk (INQUIRY device type 0x%02x)",
			inquiry.device_type);
		return -EMEDIUMTYPE;
	}
	memcpy(info->vendor, inquiry.vendor, sizeof(info->vendor));
	memcpy(info->product, inquiry.product, sizeof(info->product));
	memcpy(info->revision, inquiry.revision, sizeof(info->revision));
	return 0;
}

/* 0 with the page's bytes in @cmd; -ENOENT: the target has no such page. */
static int
probe_vpd(struct probe *probe, uint8_t page, struct admin_cmd *cmd)
{
	int ret;

	if (page != SCSI_VPD_SUPPORTED_PAGES &&
		!scsi_data_has_page(&probe->pages, page))
		return -ENOENT;
	*cmd = (struct admin_cmd){ .alloc_bytes = PROBE_VPD_BYTES };
	cmd->cdb_bytes = scsi_cdb_inquiry_vpd(cmd->cdb, page, PROBE_VPD_BYTES);
	ret = probe_run(probe, cmd);
	return probe_was_refused(ret, cmd) ? -ENOENT : ret;
}

static void
probe_read_serial(struct srpi_lun_info *info, const struct admin_cmd *cmd)
{
	struct scsi_serial serial;

	if (!scsi_data_serial_decode(cmd->data, cmd->bytes, &serial))
		snprintf(info->serial, sizeof(info->serial), "%.64s",
			serial.text);
}

static void
probe_read_id(struct srpi_lun_info *info, const struct admin_cmd *cmd)
{
	char text[SCSI_DESIGNATOR_TEXT_BYTES];
	struct scsi_designator best;
	struct scsi_vpd vpd;

	if (scsi_data_vpd_decode(
		    cmd->data, cmd->bytes, SCSI_VPD_DEVICE_ID, &vpd) ||
		!scsi_data_designator_best(&vpd, &best))
		return;
	scsi_data_designator_format(&best, text, sizeof(text));
	snprintf(info->id, sizeof(info->id), "%.64s", text);
}

static void
probe_read_limits(struct srpi_lun_info *info, const struct admin_cmd *cmd)
{
	struct scsi_block_limits limits;

	if (scsi_data_block_limits_decode(cmd->data, cmd->bytes, &limits))
		return;
	info->max_transfer_blocks = limits.max_transfer_blocks;
	info->max_unmap_blocks = limits.max_unmap_blocks;
	info->max_unmap_ranges = limits.max_unmap_descs;
	info->max_write_same_blocks = limits.max_write_same_blocks;
}

static void
probe_read_characteristics(
	struct srpi_lun_info *info, const struct admin_cmd *cmd)
{
	struct scsi_characteristics chars;

	if (!scsi_data_characteristics_decode(cmd->data, cmd->bytes, &chars) &&
		chars.rotation_rate > 1)
		info->flags |= SRPI_LUN_ROTATIONAL;
}

static void
probe_read_provisioning(struct srpi_lun_info *info, const struct admin_cmd *cmd)
{
	struct scsi_provisioning prov;

	if (scsi_data_provisioning_decode(cmd->data, cmd->bytes, &prov))
		return;
	if (prov.lbpu)
		info->flags |= SRPI_LUN_UNMAP;
	if (prov.lbpws || prov.lbpws10)
		info->flags |= SRPI_LUN_WRITE_SAME;
}

static int
probe_pages(struct probe *probe)
{
	static const struct {
		uint8_t page;
		void (*read)(struct srpi_lun_info *info,
			const struct admin_cmd *cmd);
	} pages[] = {
		{ SCSI_VPD_SERIAL_NUMBER, probe_read_serial },
		{ SCSI_VPD_DEVICE_ID, probe_read_id },
		{ SCSI_VPD_BLOCK_LIMITS, probe_read_limits },
		{ SCSI_VPD_CHARACTERISTICS, probe_read_characteristics },
		{ SCSI_VPD_PROVISIONING, probe_read_provisioning },
	};
	struct admin_cmd cmd;
	unsigned int i;
	int ret = probe_vpd(probe, SCSI_VPD_SUPPORTED_PAGES, &cmd);

	if (!ret)
		ret = scsi_data_vpd_pages_decode(
			cmd.data, cmd.bytes, &probe->pages) ? -ENOENT : 0;
	for (i = 0; !ret && i < ARRAY_SIZE(pages); i++) {
		ret = probe_vpd(probe, pages[i].page, &cmd);
		if (!ret)
			pages[i].read(probe->info, &cmd);
		else if (ret == -ENOENT)
			ret = 0;
	}
	return ret == -ENOENT ? 0 : ret;
}

static int
probe_ready(struct probe *probe)
{
	struct admin_cmd cmd = { 0 };
	int ret;

	cmd.cdb_bytes = scsi_cdb_test_unit_ready(cmd.cdb);
	ret = probe_run(probe, &cmd);
	if (ret == -EIO && cmd.has_sense &&
		cmd.sense.key == SCSI_KEY_NOT_READY)
		ret = -EAGAIN;
	return ret;
}

static int
probe_take_capacity(struct probe *probe, const struct scsi_capacity *capacity)
{
	struct srpi_lun_info *info = probe->info;

	if (capacity->block_bytes == 0 ||
		capacity->last_lba == UINT64_MAX ||
		capacity->last_lba + 1 > UINT64_MAX / capacity->block_bytes) {
		snprintf(probe->reason, probe->n,
			"READ CAPACITY makes no sense (last LBA %llu, %u bytes a block)",
			(unsigned long long)capacity->last_lba,
			capacity->block_bytes);
		return -EPROTO;
	}
	info->blocks = capacity->last_lba + 1;
	info->block_bytes = capacity->block_bytes;
	info->physical_block_bytes = capacity->block_bytes
		<< min_t(unsigned int, capacity->lbppbe, 12);
	return 0;
}

static int
probe_capacity_10(struct probe *probe)
{
	struct admin_cmd cmd = { .alloc_bytes = 8 };
	struct scsi_capacity capacity;
	int ret;

	cmd.cdb_bytes = scsi_cdb_read_capacity_10(cmd.cdb);
	ret = probe_run(probe, &cmd);
	if (ret)
		return ret;
	if (scsi_data_capacity_10_decode(cmd.data, cmd.bytes, &capacity)) {
		snprintf(probe->reason, probe->n,
			"READ CAPACITY (10) answered only %u bytes", cmd.bytes);
		return -EPROTO;
	}
	return probe_take_capacity(probe, &capacity);
}

static int
probe_capacity(struct probe *probe)
{
	struct admin_cmd cmd = { .alloc_bytes = PROBE_CAPACITY_16_BYTES };
	struct scsi_capacity capacity;
	int ret;

	cmd.cdb_bytes = scsi_cdb_read_capacity_16(
		cmd.cdb, PROBE_CAPACITY_16_BYTES);
	ret = probe_run(probe, &cmd);
	if (probe_was_refused(ret, &cmd))
		return probe_capacity_10(probe);
	if (ret)
		return ret;
	if (scsi_data_capacity_16_decode(cmd.data, cmd.bytes, &capacity)) {
		snprintf(probe->reason, probe->n,
			"READ CAPACITY (16) answered only %u bytes", cmd.bytes);
		return -EPROTO;
	}
	return probe_take_capacity(probe, &capacity);
}

/* A target may have no mode pages at all: then nothing is known. */
static int
probe_mode(struct probe *probe)
{
	struct srpi_lun_info *info = probe->info;
	struct admin_cmd cmd = { .alloc_bytes = PROBE_MODE_BYTES };
	struct scsi_mode mode;
	int ret;

	cmd.cdb_bytes = scsi_cdb_mode_sense_6(cmd.cdb, 0x3f, PROBE_MODE_BYTES);
	ret = probe_run(probe, &cmd);
	if (ret)
		return ret == -EIO ? 0 : ret;
	if (scsi_data_mode_6_decode(cmd.data, cmd.bytes, &mode))
		return 0;
	if (mode.wp)
		info->flags |= SRPI_LUN_READ_ONLY;
	if (mode.dpofua)
		info->flags |= SRPI_LUN_FUA;
	if (mode.has_caching && mode.wce)
		info->flags |= SRPI_LUN_WRITE_CACHE;
	return 0;
}

static void
probe_finish(struct probe *probe)
{
	struct srpi_lun_info *info = probe->info;

	memcpy(info->lun, probe->lun->b, sizeof(info->lun));
	if (scsi_lun_to_number(probe->lun, &info->number))
		info->number = UINT64_MAX;
}

int
lun_probe(struct srpi_session *session, const struct scsi_lun *lun,
	struct srpi_lun_info *info, char *reason, size_t n)
{
	static int (*const steps[])(struct probe *) = {
		probe_inquiry,
		probe_pages,
		probe_ready,
		probe_capacity,
		probe_mode,
	};
	struct probe probe = {
		.session = session,
		.lun = lun,
		.info = info,
		.reason = reason,
		.n = n,
	};
	unsigned int i;
	int ret = 0;

	*info = (struct srpi_lun_info){ 0 };
	for (i = 0; !ret && i < ARRAY_SIZE(steps); i++)
		ret = steps[i](&probe);
	if (!ret)
		probe_finish(&probe);
	return ret;
}
