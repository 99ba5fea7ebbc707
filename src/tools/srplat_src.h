/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What srplat reads from or writes to, as a table of functions:
 *
 *	srplat_src_srpi.c  a LUN, through the library
 *	srplat_src_aio.c   a block device or file, O_DIRECT through libaio
 *	srplat_src_none.c  answers at once: what the probe itself costs
 *
 * /dev/zero, /dev/urandom and /dev/null are no sources: they fill the buffers
 * once before the run, or take nothing, and so cost nothing in it.
 *
 * A tag, 0..depth-1, names one request at a time. submit() and wait() are the
 * I/O path: they allocate nothing and format nothing unless a request fails.
 * One thread makes all calls.
 */
#ifndef SRPLAT_SRC_H
#define SRPLAT_SRC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/srplat_opts.h"
#include "tools/srplat_probe.h"

enum srplat_dir { SRPLAT_READ, SRPLAT_WRITE };

enum srplat_kind {
	SRPLAT_KIND_LUN,
	SRPLAT_KIND_DEVICE, /* block device */
	SRPLAT_KIND_FILE,   /* regular file */
	SRPLAT_KIND_ZERO,
	SRPLAT_KIND_RANDOM,
	SRPLAT_KIND_NULL,
	SRPLAT_KIND_PATTERN, /* verify= makes the data */
};

struct srplat_req {
	uint32_t tag;
	enum srplat_dir dir;
	void *buf;
	uint64_t offset; /* bytes */
	uint32_t bytes;
};

struct srplat_done {
	uint32_t tag;
	int error; /* 0 or -errno; then src->error_text has the sentence */
	uint32_t bytes;
};

/* What the source's own threads have used so far. */
struct srplat_usage {
	uint64_t cpu_ns;
};

struct srplat_src;

struct srplat_src_ops {
	void (*close)(struct srplat_src *src);
	/* The I/O buffers, once before any attach. */
	int (*map)(struct srplat_src *src, void *addr, size_t bytes,
		char *reason, size_t n);
	/*
	 * Get ready for @depth requests of up to @bytes in completion mode
	 * @mode (enum srpi_completion; 0 where there is only one).
	 */
	int (*attach)(struct srplat_src *src, int mode, unsigned int depth,
		char *reason, size_t n);
	/* Ends what is still outstanding first. */
	void (*detach)(struct srplat_src *src);
	int (*submit)(struct srplat_src *src, const struct srplat_req *req);
	/* Sends what was submitted. */
	int (*flush)(struct srplat_src *src);
	/* Up to @max; blocks until one is there or for @timeout_ns. */
	int (*wait)(struct srplat_src *src, struct srplat_done *done,
		unsigned int max, int64_t timeout_ns);
	/* Once, before the first write: cut a file to @bytes. */
	int (*truncate)(struct srplat_src *src, uint64_t bytes);
	/* Written data to the medium; @datasync as fdatasync() does. */
	int (*sync)(struct srplat_src *src, bool datasync);
	void (*usage)(struct srplat_src *src, struct srplat_usage *usage);
	/* Whether @mode can be had. Modes count from 1. */
	bool (*has_mode)(int mode);
	/* As printed in tables. */
	const char *(*mode_name)(struct srplat_src *src, int mode);
};

#define SRPLAT_SRC_READ_ONLY 0x1u
/* The target works on the submitter's CPU time. */
#define SRPLAT_SRC_SHARED_CPU 0x2u
#define SRPLAT_SRC_IN_PROCESS 0x4u

struct srplat_src {
	const struct srplat_src_ops *ops; /* NULL: fills or takes nothing */
	const char *name;		  /* as the user wrote it */
	enum srplat_kind kind;
	uint32_t flags;
	uint32_t block_bytes; /* every offset and length is a multiple; 0: 1 */
	uint32_t direct_bytes; /* what O_DIRECT takes; 0: no such limit */
	uint64_t bytes;	      /* capacity; UINT64_MAX where there is no end */
	uint64_t file_bytes;  /* of an output file before the run */
	struct srplat_stamps *stamps; /* by tag; NULL: nobody looks */
	char place[32];		      /* "LUN 0"; empty for files */
	char error_text[640]; /* of the first request that failed */
	char note[256];	      /* what the reader of the numbers should know */
};

/* How to open. */
struct srplat_src_args {
	const char *name;
	enum srplat_dir dir;
	const struct srplat_opts *opts;
};

/*
 * Opens whatever the name stands for. 0, or what to exit with, and a sentence.
 * close() frees.
 */
int srplat_src_open(const struct srplat_src_args *args,
	struct srplat_src **src, char *reason, size_t n);
void srplat_src_close(struct srplat_src *src);

/* By kind; the same contract. */
int srplat_src_srpi_open(const struct srplat_src_args *args,
	struct srplat_src **src, char *reason, size_t n);
int srplat_src_aio_open(const struct srplat_src_args *args,
	struct srplat_src **src, char *reason, size_t n);
/* A source of no capacity limit that finishes every request in flush(). */
int srplat_src_none_open(struct srplat_src **src);

/* For the tables of those that register, use and cut nothing, in one mode. */
int srplat_src_map_none(struct srplat_src *src, void *addr, size_t bytes,
	char *reason, size_t n);
int srplat_src_truncate_none(struct srplat_src *src, uint64_t bytes);
void srplat_src_usage_none(struct srplat_src *src, struct srplat_usage *usage);
bool srplat_src_has_mode_one(int mode);

/* Does it move data, or only fill and take? */
static inline bool
srplat_src_is_active(const struct srplat_src *src)
{
	return src && src->ops;
}

#endif /* SRPLAT_SRC_H */
