/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * verify=: a pattern that says where each block belongs and when it was
 * written. A block, of whatever size the LUN has, little endian:
 *
 *	 0  "srplat01"
 *	 8  LBA, from the beginning of the device
 *	16  sequence: which write it was
 *	24  seed of the run
 *	32  bytes of the block
 *	36  CRC32C of the block, this field as 0
 *	40  pseudo-random words from seed, LBA and sequence
 *
 * The check makes the block anew and compares all of it; the CRC then tells
 * a damaged block from a whole one in the wrong place or from another time.
 *
 * Each record is written once: the n-th write is of record n, or with
 * pattern=rand of the n-th of a permutation of all.
 */
#ifndef SRPLAT_VERIFY_H
#define SRPLAT_VERIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/srplat_opts.h"

#define SRPLAT_VERIFY_MIN_BLOCK 64

struct srplat_area;
struct srplat_slot;
struct srplat_src;

struct srplat_verify {
	bool is_permuted;
	bool knows_seed;	/* else taken from the first whole block */
	bool knows_sequence;	/* else as the block says */
	unsigned int half_bits; /* of the permutation's index */
	uint32_t block_bytes;
	uint32_t record_bytes;
	uint64_t nr_records;
	uint64_t first_lba; /* of record 0 */
	uint64_t base;	    /* of the sequence numbers, by mode */
	uint64_t seed;
	uint64_t nr_blocks; /* checked, good */
	uint8_t *expected;  /* one block */
	/* the first that was wrong */
	bool is_broken;
	char sentence[512]; /* what, without the end's name */
	uint64_t bad_lba;
	uint32_t bad_offset;
};

/* 0, or what to exit with, and a sentence; fini() takes any state. */
int srplat_verify_init(struct srplat_verify *verify,
	const struct srplat_opts *opts, struct srplat_area *area,
	const struct srplat_src *end, char *reason, size_t n);
void srplat_verify_fini(struct srplat_verify *verify);

/* The record that is the @nth. */
uint64_t srplat_verify_record(const struct srplat_verify *verify,
	uint64_t nth);
/* Makes the slot's data, by its record and sequence. */
void srplat_verify_fill(const struct srplat_verify *verify,
	const struct srplat_slot *slot);
/* 0 or -EBADMSG. */
int srplat_verify_check(struct srplat_verify *verify,
	const struct srplat_slot *slot);

#endif /* SRPLAT_VERIFY_H */
