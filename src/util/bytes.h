/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Integers in memory, byte order stated, any alignment.
 *
 *   get_be32(p), put_be32(p, v)    on any pointer
 *   struct be32, be32_get, be32_set    as a member of a wire structure
 *
 * The structures hold bytes only, so their alignment is 1: a layout made of
 * them has no holes and needs no packing. All of it compiles to one load or
 * store and one byte swap. Only wire formats use the big-endian half; the
 * little-endian half is for CRCs, digests and hosts' own files.
 */
#ifndef UTIL_BYTES_H
#define UTIL_BYTES_H

#include <stdint.h>
#include <string.h>

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define BYTES_BE(bits, v) __builtin_bswap##bits(v)
#define BYTES_LE(bits, v) (v)
#else
#define BYTES_BE(bits, v) (v)
#define BYTES_LE(bits, v) __builtin_bswap##bits(v)
#endif

static inline uint16_t
get_be16(const void *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return BYTES_BE(16, v);
}

static inline void
put_be16(void *p, uint16_t v)
{
	v = BYTES_BE(16, v);
	memcpy(p, &v, sizeof(v));
}

static inline uint32_t
get_be32(const void *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return BYTES_BE(32, v);
}

static inline void
put_be32(void *p, uint32_t v)
{
	v = BYTES_BE(32, v);
	memcpy(p, &v, sizeof(v));
}

static inline uint64_t
get_be64(const void *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return BYTES_BE(64, v);
}

static inline void
put_be64(void *p, uint64_t v)
{
	v = BYTES_BE(64, v);
	memcpy(p, &v, sizeof(v));
}

static inline uint16_t
get_le16(const void *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return BYTES_LE(16, v);
}

static inline void
put_le16(void *p, uint16_t v)
{
	v = BYTES_LE(16, v);
	memcpy(p, &v, sizeof(v));
}

static inline uint32_t
get_le32(const void *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return BYTES_LE(32, v);
}

static inline void
put_le32(void *p, uint32_t v)
{
	v = BYTES_LE(32, v);
	memcpy(p, &v, sizeof(v));
}

static inline uint64_t
get_le64(const void *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return BYTES_LE(64, v);
}

static inline void
put_le64(void *p, uint64_t v)
{
	v = BYTES_LE(64, v);
	memcpy(p, &v, sizeof(v));
}

/* 24 bits: SAM extended LUNs, READ(6) addresses, iSCSI data lengths. */
static inline uint32_t
get_be24(const void *p)
{
	const uint8_t *b = p;

	return (uint32_t)b[0] << 16 | (uint32_t)b[1] << 8 | b[2];
}

static inline void
put_be24(void *p, uint32_t v)
{
	uint8_t *b = p;

	b[0] = (uint8_t)(v >> 16);
	b[1] = (uint8_t)(v >> 8);
	b[2] = (uint8_t)v;
}

static inline uint64_t
get_be48(const void *p)
{
	const uint8_t *b = p;

	return (uint64_t)get_be16(b) << 32 | get_be32(b + 2);
}

static inline void
put_be48(void *p, uint64_t v)
{
	uint8_t *b = p;

	put_be16(b, (uint16_t)(v >> 32));
	put_be32(b + 2, (uint32_t)v);
}

struct be16 {
	uint8_t b[2];
};

static inline uint16_t
be16_get(const struct be16 *f)
{
	return get_be16(f->b);
}

static inline void
be16_set(struct be16 *f, uint16_t v)
{
	put_be16(f->b, v);
}

struct be24 {
	uint8_t b[3];
};

static inline uint32_t
be24_get(const struct be24 *f)
{
	return get_be24(f->b);
}

static inline void
be24_set(struct be24 *f, uint32_t v)
{
	put_be24(f->b, v);
}

struct be32 {
	uint8_t b[4];
};

static inline uint32_t
be32_get(const struct be32 *f)
{
	return get_be32(f->b);
}

static inline void
be32_set(struct be32 *f, uint32_t v)
{
	put_be32(f->b, v);
}

struct be48 {
	uint8_t b[6];
};

static inline uint64_t
be48_get(const struct be48 *f)
{
	return get_be48(f->b);
}

static inline void
be48_set(struct be48 *f, uint64_t v)
{
	put_be48(f->b, v);
}

struct be64 {
	uint8_t b[8];
};

static inline uint64_t
be64_get(const struct be64 *f)
{
	return get_be64(f->b);
}

static inline void
be64_set(struct be64 *f, uint64_t v)
{
	put_be64(f->b, v);
}

#endif
