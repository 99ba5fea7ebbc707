/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A session with one LUN, a queue and memory, for tests of srpi.h alone: what
 * it asks for must be granted, or the test ends with the library's sentence.
 */
#ifndef OPEN_RIG_H
#define OPEN_RIG_H

#include <check.h>
#include <stdint.h>

#include <srpi/srpi.h>

#define OPEN_RIG_IO_BYTES (64 * 1024)

struct open_rig {
	struct srpi_session *session;
	struct srpi_lun *lun;
	struct srpi_queue *queue;
	struct srpi_mem *mem; /* two halves: what is written, what is read */
	uint8_t *out, *in;
	struct srpi_lun_info info;
};

/* The last complaint of the library's. */
extern char reason[512];

struct srpi_session *open_rig_session(const char *url);
void open_rig_open(struct open_rig *rig, const char *url, uint64_t number);
void open_rig_close(struct open_rig *rig);

/* One command, alone; its result is checked and its tag given back. */
void open_rig_run(struct open_rig *rig, int is_write, uint64_t lba,
	const struct iovec *iov, unsigned int nr);
/* Bytes that depend on @seed and on where they are. */
void open_rig_fill(uint8_t *data, size_t bytes, uint64_t seed);
/* Writes such bytes, seed @lba + @bytes, and reads them back. */
void open_rig_verify(struct open_rig *rig, uint64_t lba, size_t bytes);

/* The program's main(): one case of the tests that @add_tests adds. */
int open_rig_main(const char *name, void (*add_tests)(TCase *tcase));

#endif /* OPEN_RIG_H */
