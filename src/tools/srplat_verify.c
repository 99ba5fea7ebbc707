/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/srplat_verify.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "tools/srplat_run.h"
#include "util/bytes.h"
#include "util/compiler.h"
#include "util/crc32c.h"

#define AT_MAGIC 0
#define AT_LBA 8
#define AT_SEQUENCE 16
#define AT_SEED 24
#define AT_BYTES 32
#define AT_CRC 36
#define AT_WORDS 40
#define NR_ROUNDS 4
#define SHOWN_BYTES 8

static const char magic[8] = "srplat01";

/* The finaliser of splitmix64: every bit of @z counts for every bit. */
static uint64_t
mix(uint64_t z)
{
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* Of a block whose CRC field is 0, or taken as such. */
static uint32_t
block_crc(const uint8_t *block, uint32_t bytes)
{
	static const uint8_t zeros[4];
	uint32_t crc = crc32c(0, block, AT_CRC);

	crc = crc32c(crc, zeros, sizeof(zeros));
	return crc32c(crc, block + AT_WORDS, bytes - AT_WORDS);
}

struct stamp {
	uint64_t lba;
	uint64_t sequence;
	uint64_t seed;
};

static void
make_block(uint8_t *block, uint32_t bytes, const struct stamp *stamp)
{
	uint64_t state = mix(stamp->seed) ^ mix(stamp->lba + 1) ^
		mix(~stamp->sequence);
	uint32_t at;
	uint8_t word[8];

	memcpy(block + AT_MAGIC, magic, sizeof(magic));
	put_le64(block + AT_LBA, stamp->lba);
	put_le64(block + AT_SEQUENCE, stamp->sequence);
	put_le64(block + AT_SEED, stamp->seed);
	put_le32(block + AT_BYTES, bytes);
	for (at = AT_WORDS; at + 8 <= bytes; at += 8)
		put_le64(block + at,
			mix(state += UINT64_C(0x9e3779b97f4a7c15)));
	put_le64(word, mix(state + 1));
	memcpy(block + at, word, bytes - at);
	put_le32(block + AT_CRC, block_crc(block, bytes));
}

static bool
is_whole(const uint8_t *block, uint32_t bytes)
{
	return memcmp(block, magic, sizeof(magic)) == 0 &&
		get_le32(block + AT_BYTES) == bytes &&
		get_le32(block + AT_CRC) == block_crc(block, bytes);
}

/* A Feistel network over 2 * half_bits bits, walked until inside. */
static uint64_t
permute(const struct srplat_verify *verify, uint64_t index)
{
	uint64_t mask = (UINT64_C(1) << verify->half_bits) - 1;
	uint64_t left, right, next;
	unsigned int round;

	do {
		left = index >> verify->half_bits;
		right = index & mask;
		for (round = 1; round <= NR_ROUNDS; round++) {
			next = left ^ (mix(right + (round << 24)) & mask);
			left = right;
			right = next;
		}
		index = left << verify->half_bits | right;
	} while (index >= verify->nr_records);
	return index;
}

uint64_t
srplat_verify_record(const struct srplat_verify *verify, uint64_t nth)
{
	nth %= verify->nr_records;
	return verify->is_permuted ? permute(verify, nth) : nth;
}

static uint64_t
slot_lba(const struct srplat_verify *verify, const struct srplat_slot *slot)
{
	return verify->first_lba +
		slot->record * (verify->record_bytes / verify->block_bytes);
}

void
srplat_verify_fill(const struct srplat_verify *verify,
	const struct srplat_slot *slot)
{
	struct stamp stamp = { slot_lba(verify, slot), slot->sequence,
		verify->seed };
	uint32_t at;

	for (at = 0; at < slot->bytes; at += verify->block_bytes) {
		make_block((uint8_t *)slot->buf + at, verify->block_bytes,
			&stamp);
		stamp.lba++;
	}
}

static void
format_bytes(const uint8_t *bytes, uint32_t nr, char *text, size_t n)
{
	size_t len = 0;
	uint32_t i;

	for (i = 0; i < nr && len < n; i++)
		len += (size_t)snprintf(text + len, n - len, "%s%02x",
			i ? " " : "", bytes[i]);
}

static void
format_cause(const struct srplat_verify *verify, const uint8_t *found,
	char *text, size_t n)
{
	if (memcmp(found, magic, sizeof(magic)) != 0)
		snprintf(text, n, "it does not begin as srplat writes it");
	else if (get_le32(found + AT_BYTES) != verify->block_bytes)
		snprintf(text, n, "it was written in blocks of %" PRIu32
				  " bytes, or is damaged",
			get_le32(found + AT_BYTES));
	else if (is_whole(found, verify->block_bytes))
		snprintf(text, n,
			"the block is whole, but is LBA %" PRIu64
			" as write %" PRIu64 " with seed %" PRIu64 " left it",
			get_le64(found + AT_LBA), get_le64(found + AT_SEQUENCE),
			get_le64(found + AT_SEED));
	else
		snprintf(text, n, "the block's own checksum is wrong: it is "
				  "damaged");
}

static __cold void
tell(struct srplat_verify *verify, const uint8_t *found, uint64_t lba)
{
	char want[3 * SHOWN_BYTES + 1], have[3 * SHOWN_BYTES + 1];
	char cause[160];
	uint32_t at = 0, nr;

	if (verify->is_broken)
		return;
	while (verify->expected[at] == found[at])
		at++;
	nr = min_t(uint32_t, SHOWN_BYTES, verify->block_bytes - at);
	format_bytes(verify->expected + at, nr, want, sizeof(want));
	format_bytes(found + at, nr, have, sizeof(have));
	format_cause(verify, found, cause, sizeof(cause));
	verify->is_broken = true;
	verify->bad_lba = lba;
	verify->bad_offset = at;
	snprintf(verify->sentence, sizeof(verify->sentence),
		"LBA %" PRIu64 " is not what was written: the first wrong "
		"byte is at offset %" PRIu32 " of the block, expected %s, "
		"found %s; %s",
		lba, at, want, have, cause);
}

static bool
check_block(struct srplat_verify *verify, const uint8_t *found,
	struct stamp *stamp)
{
	bool whole;

	if (!verify->knows_seed || !verify->knows_sequence) {
		whole = is_whole(found, verify->block_bytes);
		if (!verify->knows_seed && whole) {
			verify->seed = get_le64(found + AT_SEED);
			verify->knows_seed = true;
		}
		if (!verify->knows_sequence)
			stamp->sequence = get_le64(found + AT_SEQUENCE);
	}
	stamp->seed = verify->seed;
	make_block(verify->expected, verify->block_bytes, stamp);
	return memcmp(verify->expected, found, verify->block_bytes) == 0;
}

int
srplat_verify_check(struct srplat_verify *verify,
	const struct srplat_slot *slot)
{
	struct stamp stamp = { slot_lba(verify, slot), slot->sequence,
		verify->seed };
	const uint8_t *found = slot->buf;
	uint32_t at;

	for (at = 0; at < slot->bytes; at += verify->block_bytes) {
		if (unlikely(!check_block(verify, found + at, &stamp))) {
			tell(verify, found + at, stamp.lba);
			return -EBADMSG;
		}
		verify->nr_blocks++;
		stamp.lba++;
	}
	return 0;
}

static int
refuse(char *reason, size_t n, const char *text)
{
	snprintf(reason, n, "%s", text);
	return SRPLAT_EXIT_BAD_VALUE;
}

/* Files have no block: 512 bytes, or a record where that does not fit. */
static uint32_t
choose_block(const struct srplat_src *end, uint32_t record_bytes)
{
	if (end->block_bytes)
		return end->block_bytes;
	return record_bytes % 512 ? record_bytes : 512;
}

static int
check_area(const struct srplat_verify *verify, const struct srplat_opts *opts,
	struct srplat_area *area, char *reason, size_t n)
{
	if (verify->block_bytes < SRPLAT_VERIFY_MIN_BLOCK)
		return refuse(reason, n,
			"verify= needs blocks of 64 bytes or more: use a "
			"larger bs=");
	if (area->tail_bytes % verify->block_bytes ||
		(opts->verify == SRPLAT_VERIFY_WRITE ? area->out_offset
						     : area->in_offset) %
			verify->block_bytes)
		return refuse(reason, n,
			"verify= needs whole blocks: choose bs=, count=, "
			"skip= and seek= so that none is cut");
	if (area->nr_wanted > area->nr_records) {
		if (opts->count_text && opts->count > area->nr_records) {
			snprintf(reason, n,
				"count=%s is more than there is to verify: "
				"each record is taken once, so allowed is up "
				"to %" PRIu64,
				opts->count_text, area->nr_records);
			return SRPLAT_EXIT_BAD_VALUE;
		}
		area->nr_wanted = area->nr_records;
	}
	return 0;
}

static void
choose_seed(struct srplat_verify *verify, const struct srplat_opts *opts)
{
	verify->knows_seed = opts->has_seed;
	verify->seed = opts->seed;
	if (opts->has_seed || opts->verify == SRPLAT_VERIFY_READ)
		return;
	while (getrandom(&verify->seed, sizeof(verify->seed), 0) !=
		(ssize_t)sizeof(verify->seed))
		;
	/* JSON's numbers are signed */
	verify->seed &= INT64_MAX;
	verify->knows_seed = true;
}

int
srplat_verify_init(struct srplat_verify *verify, const struct srplat_opts *opts,
	struct srplat_area *area, const struct srplat_src *end, char *reason,
	size_t n)
{
	bool writes = opts->verify == SRPLAT_VERIFY_WRITE;
	int rc;

	memset(verify, 0, sizeof(*verify));
	verify->block_bytes = choose_block(end, area->record_bytes);
	rc = check_area(verify, opts, area, reason, n);
	if (rc)
		return rc;
	verify->record_bytes = area->record_bytes;
	verify->nr_records = max_t(uint64_t, area->nr_records, 1);
	verify->first_lba = (writes ? area->out_offset : area->in_offset) /
		verify->block_bytes;
	verify->is_permuted = opts->pattern == SRPLAT_PATTERN_RAND;
	while (verify->half_bits < 31 &&
		(UINT64_C(1) << 2 * verify->half_bits) < verify->nr_records)
		verify->half_bits++;
	verify->knows_sequence = writes;
	choose_seed(verify, opts);
	verify->expected = malloc(verify->block_bytes);
	if (!verify->expected) {
		snprintf(reason, n, "no memory for a block of verify=");
		return SRPLAT_EXIT_UNREACHABLE;
	}
	return 0;
}

void
srplat_verify_fini(struct srplat_verify *verify)
{
	free(verify->expected);
	verify->expected = NULL;
}
