/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "splits_rig.h"

struct bed bed;
struct client client;
struct srpi_queue *queue;

void
up_with(const struct target_lun_attr *lun, const char *keys)
{
	struct target_attr attr = { .luns = lun, .nr_luns = 1 };
	char url[256];

	bed_create(&bed, SOFT_IRQ_SOFTIRQ, &attr);
	bed_url(&bed, keys, url, sizeof(url));
	client_open(&client, url);
	queue = client_queue(&client, SRPI_COMPLETION_INLINE, 8);
}

struct target_lun_attr
lun_attr(uint32_t max_transfer_blocks)
{
	return (struct target_lun_attr){
		.backend = "ram",
		.size_bytes = LUN_BYTES,
		.block_bytes = BLOCK,
		.max_transfer_blocks = max_transfer_blocks,
	};
}

void
up(uint32_t max_transfer_blocks, const char *keys)
{
	struct target_lun_attr lun = lun_attr(max_transfer_blocks);

	up_with(&lun, keys);
	ck_assert_uint_eq(
		client.info.max_transfer_blocks, max_transfer_blocks);
}

void
down(void)
{
	client_close(&client);
	bed_destroy(&bed);
}

void
set_faults(struct target_faults faults)
{
	target_set_faults(bed.target, &faults);
}

void
rw_ok(enum client_dir dir, uint64_t lba, void *at, size_t bytes)
{
	struct iovec iov = { at, bytes };

	client_rw_ok(&client, queue, dir, lba, &iov, 1);
}
