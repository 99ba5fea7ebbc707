/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A logical unit: number, geometry, and the backend that holds its blocks.
 *
 *	target.lun_index[number] -> target.luns[index] -> backend ops
 *	                                  |
 *	                                  +-> mem   what RDMA moves (null, ram)
 *	                                  +-> fd    what libaio moves (file)
 *
 * Memory backends move data straight between mem and the initiator. For ram,
 * byte n of the medium is mem[n]; for null every transfer reads from the start
 * of mem, which stays zero, and writes go to the connection's own sink, so
 * that no initiator ever reads what another one wrote.
 *
 * The _Atomic members are any thread's, ua_login is under target.lock; all else
 * is changed while nobody runs commands (tgt_change.h).
 */
#ifndef TARGET_TGT_LUN_H
#define TARGET_TGT_LUN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "target/target.h"
#include "util/mem.h"
#include "wire/scsi.h"

struct tgt_lun;

enum {
	TGT_LUN_NUMBERS = 16384, /* what flat space addressing can name */
	TGT_MAX_UA = 4,		 /* unit attentions kept for one nexus and LUN */
	TGT_NULL_BYTES = 1 << 20,
	TGT_SINK_BYTES = 256 << 10,
};

/* Beside the code in tgt_lun.not_ready: commands wait (tgt_change.h). */
#define TGT_LUN_PAUSED 0x10000u

/*
 * What a backend can do. Offsets and lengths are bytes inside the medium,
 * checked by the caller. Each returns 0 or -errno.
 */
struct tgt_backend {
	const char *name;
	/* Data passes through buffers and libaio, on the loop thread. */
	bool is_async;
	/* Sets lun->mem or lun->fd, and nr_blocks where the size was left open. */
	int (*open)(struct tgt_lun *lun, const struct target_lun_attr *attr,
		char *reason, size_t n);
	void (*close)(struct tgt_lun *lun);
	/*
	 * @next is a copy of an open LUN; what the two cannot share it gets
	 * anew. Room for nr_blocks, which is set where it is 0; other flags
	 * (NULL: nothing to do).
	 */
	int (*resize)(struct tgt_lun *next, char *reason, size_t n);
	int (*protect)(struct tgt_lun *next, char *reason, size_t n);
	/* The blocks read as zeros afterwards. */
	int (*unmap)(struct tgt_lun *lun, uint64_t off, uint64_t len);
	/* Repeats one block over the range. */
	int (*write_same)(struct tgt_lun *lun, uint64_t off, uint64_t len,
		const uint8_t *block);
	/* -EILSEQ: the medium holds something else. */
	int (*compare)(struct tgt_lun *lun, uint64_t off, uint32_t len,
		const uint8_t *data);
};

extern const struct tgt_backend tgt_backend_null;
extern const struct tgt_backend tgt_backend_ram;
extern const struct tgt_backend tgt_backend_file;

struct tgt_lun {
	/* read per I/O */
	/* asc << 8 | ascq, 0 = ready; TGT_LUN_PAUSED */
	_Atomic uint32_t not_ready;
	uint32_t flags;		    /* TARGET_LUN_* */
	uint64_t nr_blocks;
	uint32_t block_bytes;
	uint32_t max_transfer_blocks; /* 0 = no limit */
	uint8_t *mem;
	uint64_t mem_mask;     /* ~0: mem[offset], 0: always the start */
	uint32_t window_bytes; /* most that one work request moves */
	uint16_t index;	       /* in target.luns and in tgt_dev.lun_mr */
	bool is_sink;	       /* written data is thrown away */
	bool is_async;	       /* as backend->is_async */

	uint16_t number;
	int fd; /* -1 = none */
	bool is_buffered; /* the file could not be opened with O_DIRECT */
	bool is_device;	  /* fd is a block device */
	bool is_free;	  /* no LUN any more */
	bool has_own_size; /* the file's, whatever that is */
	char *path;
	const struct tgt_backend *backend;
	struct mem pages;

	/* what every new nexus is told; asc << 8 | ascq */
	uint16_t ua_login[TGT_MAX_UA];
	unsigned int nr_ua_login;
};

/* 0 or -errno with a sentence in @reason. */
int tgt_lun_open(struct tgt_lun *lun, const struct target_lun_attr *attr,
	char *reason, size_t n);
/* Takes a zeroed LUN too. */
void tgt_lun_close(struct tgt_lun *lun);

/*
 * What @lun would be with @size_bytes (0: as many as its file has), or with
 * @flags: in @next, until tgt_lun_take() or tgt_lun_drop(). The blocks of ram
 * are not copied. 0 or -errno with a sentence in @reason.
 */
int tgt_lun_resize(const struct tgt_lun *lun, uint64_t size_bytes,
	struct tgt_lun *next, char *reason, size_t n);
int tgt_lun_protect(const struct tgt_lun *lun, uint32_t flags,
	struct tgt_lun *next, char *reason, size_t n);
void tgt_lun_drop(const struct tgt_lun *lun, struct tgt_lun *next);
/* @lun becomes @next; what it had instead goes to @old, to be closed. */
void tgt_lun_take(struct tgt_lun *lun, const struct tgt_lun *next,
	struct tgt_lun *old);

static inline uint64_t
tgt_lun_bytes(const struct tgt_lun *lun)
{
	return lun->nr_blocks * lun->block_bytes;
}

static inline bool
tgt_lun_is_protected(const struct tgt_lun *lun)
{
	return lun->flags & (TARGET_LUN_RO | TARGET_LUN_RO_HID);
}

/* Blocks that one UNMAP descriptor, one WRITE SAME may name (VPD page B0h). */
uint32_t tgt_lun_max_unmap_blocks(const struct tgt_lun *lun);

#endif /* TARGET_TGT_LUN_H */
