/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * CRC32C (Castagnoli, RFC 3720 appendix B.4): by the CPU's instruction where
 * it has one, else by table, eight bytes a step.
 */
#ifndef UTIL_CRC32C_H
#define UTIL_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/*
 * Goes on from @crc, which is 0 at the beginning:
 * crc32c(crc32c(0, a, m), b, n) is that of a and b together.
 */
uint32_t crc32c(uint32_t crc, const void *data, size_t bytes);
/* The same, always by table. */
uint32_t crc32c_by_table(uint32_t crc, const void *data, size_t bytes);

#endif /* UTIL_CRC32C_H */
