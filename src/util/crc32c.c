/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "util/crc32c.h"

#include <pthread.h>
#include <string.h>

#include "util/bytes.h"

#define POLYNOMIAL UINT32_C(0x82f63b78) /* bits reversed */

/* table[k][b]: what byte b does to the register k bytes later. */
static uint32_t table[8][256];
static pthread_once_t table_once = PTHREAD_ONCE_INIT;

static void
make_table(void)
{
	uint32_t crc, byte;
	int k;

	for (byte = 0; byte < 256; byte++) {
		crc = byte;
		for (k = 0; k < 8; k++)
			crc = crc & 1 ? crc >> 1 ^ POLYNOMIAL : crc >> 1;
		table[0][byte] = crc;
	}
	for (byte = 0; byte < 256; byte++)
		for (k = 1; k < 8; k++) {
			crc = table[k - 1][byte];
			table[k][byte] = crc >> 8 ^ table[0][crc & 0xff];
		}
}

static uint32_t
step_byte(uint32_t crc, uint8_t byte)
{
	return crc >> 8 ^ table[0][(crc ^ byte) & 0xff];
}

static uint32_t
step_eight(uint32_t crc, const uint8_t *p)
{
	uint32_t low = crc ^ get_le32(p), high = get_le32(p + 4);

	return table[7][low & 0xff] ^ table[6][low >> 8 & 0xff] ^
		table[5][low >> 16 & 0xff] ^ table[4][low >> 24] ^
		table[3][high & 0xff] ^ table[2][high >> 8 & 0xff] ^
		table[1][high >> 16 & 0xff] ^ table[0][high >> 24];
}

uint32_t
crc32c_by_table(uint32_t crc, const void *data, size_t bytes)
{
	const uint8_t *p = data;

	pthread_once(&table_once, make_table);
	crc = ~crc;
	for (; bytes >= 8; bytes -= 8, p += 8)
		crc = step_eight(crc, p);
	for (; bytes; bytes--)
		crc = step_byte(crc, *p++);
	return ~crc;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) static uint32_t
by_instruction(uint32_t crc, const void *data, size_t bytes)
{
	const uint8_t *p = data;
	uint64_t wide = ~crc, word;

	for (; bytes >= 8; bytes -= 8, p += 8) {
		memcpy(&word, p, sizeof(word));
		wide = __builtin_ia32_crc32di(wide, word);
	}
	crc = (uint32_t)wide;
	for (; bytes; bytes--)
		crc = __builtin_ia32_crc32qi(crc, *p++);
	return ~crc;
}

uint32_t
crc32c(uint32_t crc, const void *data, size_t bytes)
{
	return __builtin_cpu_supports("sse4.2")
		? by_instruction(crc, data, bytes)
		: crc32c_by_table(crc, data, bytes);
}
#else
uint32_t
crc32c(uint32_t crc, const void *data, size_t bytes)
{
	return crc32c_by_table(crc, data, bytes);
}
#endif
