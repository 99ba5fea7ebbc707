/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#ifndef FUZZ_REPLAY_H
#define FUZZ_REPLAY_H

#include <stddef.h>
#include <stdint.h>

/* A fuzz entry. libFuzzer fixes the name; it always returns 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
