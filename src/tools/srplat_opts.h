/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The operands of srplat: dd's, and those of a latency probe.
 *
 * Read in two steps, because some depend on what is opened: 'b' in a number
 * means a block of the LUN, and bs= defaults to at least one.
 *
 *	srplat_opts_parse()    words to values; numbers are checked, as if b=512
 *	(input and output are opened)
 *	srplat_opts_resolve()  numbers to bytes and records, with the real block
 */
#ifndef SRPLAT_OPTS_H
#define SRPLAT_OPTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tools/srplat_limit.h"
#include "tools/srplat_load.h"

#define SRPLAT_MAX_KEYS 32
#define SRPLAT_MAX_DEPTH 1024
#define SRPLAT_MAX_BS ((uint64_t)1 << 30)
#define SRPLAT_FOREVER UINT64_MAX

/* What srplat exits with; one table for all programs in the manual. */
enum srplat_exit {
	SRPLAT_EXIT_DONE = 0,
	SRPLAT_EXIT_USAGE = 1,	     /* unknown option */
	SRPLAT_EXIT_BAD_VALUE = 2,   /* operand, URL, range, protection */
	SRPLAT_EXIT_UNREACHABLE = 3, /* target or device */
	SRPLAT_EXIT_REFUSED = 4,     /* login */
	SRPLAT_EXIT_IO_ERROR = 5,
	SRPLAT_EXIT_LIMIT = 6,	/* threshold= exceeded */
	SRPLAT_EXIT_VERIFY = 7, /* not what was written */
};

enum srplat_flag {
	SRPLAT_FLAG_DIRECT = 1 << 0,
	SRPLAT_FLAG_SYNC = 1 << 1, /* sync or dsync: FUA on a LUN */
	SRPLAT_FLAG_COUNT_BYTES = 1 << 2,
	SRPLAT_FLAG_SKIP_BYTES = 1 << 3,
	SRPLAT_FLAG_SEEK_BYTES = 1 << 4,
};

enum srplat_conv {
	SRPLAT_CONV_FSYNC = 1 << 0,
	SRPLAT_CONV_FDATASYNC = 1 << 1,
	SRPLAT_CONV_NOTRUNC = 1 << 2,
};

enum srplat_status {
	SRPLAT_STATUS_DEFAULT,
	SRPLAT_STATUS_NONE,
	SRPLAT_STATUS_NOXFER,
	SRPLAT_STATUS_PROGRESS,
};

enum srplat_pattern { SRPLAT_PATTERN_SEQ, SRPLAT_PATTERN_RAND };
enum srplat_verifies {
	SRPLAT_VERIFY_NONE,
	SRPLAT_VERIFY_WRITE,
	SRPLAT_VERIFY_READ
};
enum srplat_output { SRPLAT_OUTPUT_TABLE, SRPLAT_OUTPUT_JSON };

/* completion=: one of enum srpi_completion, 0 for the default, or all. */
#define SRPLAT_COMPLETION_ALL (-1)

/* A key of the library's table, given as an operand. */
struct srplat_key {
	const char *name;
	const char *value;
};

/* The texts are the caller's argv; nothing here is allocated. */
struct srplat_opts {
	int nr_words;
	char *const *words; /* all of the command line */
	const char *in;
	const char *out;
	/* as given; NULL where not */
	const char *bs_text;
	const char *count_text;
	const char *skip_text;
	const char *seek_text;
	/* valid after srplat_opts_resolve() */
	uint64_t bs;
	uint64_t count;	     /* records, SRPLAT_FOREVER without count= */
	uint64_t tail_bytes; /* of iflag=count_bytes: one more, short record */
	uint64_t in_offset;  /* bytes */
	uint64_t out_offset;
	/* valid after srplat_opts_parse() */
	unsigned int iflags; /* SRPLAT_FLAG_* */
	unsigned int oflags;
	unsigned int conv; /* SRPLAT_CONV_* */
	enum srplat_status status;
	enum srplat_pattern pattern;
	enum srplat_output output;
	const char *html_path; /* the page besides; NULL: none */
	int completion;
	bool has_completion;
	unsigned int depth;
	unsigned int rounds; /* 0: not given */
	bool has_warmup;
	uint64_t warmup_ns;
	uint64_t warmup_records;
	uint64_t runtime_ns; /* 0: no limit */
	uint64_t rate;	     /* records a second; 0: not given */
	bool has_late;
	uint64_t late_ns; /* with rate= or sweep=rate:; a missed send */
	struct srplat_sweep sweep;
	struct srplat_limits limits;
	enum srplat_verifies verify;
	bool has_seed;
	uint64_t seed; /* of verify= */
	bool wants_stages;
	uint64_t slow_ns; /* 0: not given */
	bool wants_histogram;
	unsigned int nr_keys;
	struct srplat_key keys[SRPLAT_MAX_KEYS];
	bool wants_help;
	bool wants_version;
};

/* 0, or what to exit with, and a sentence. */
int srplat_opts_parse(struct srplat_opts *opts, int argc, char *const *argv,
	char *reason, size_t n);

/* The blocks of input and output in bytes; 0 for what has none. */
int srplat_opts_resolve(struct srplat_opts *opts, uint32_t in_block,
	uint32_t out_block, char *reason, size_t n);

/*
 * Which operands go together; fills in what one makes of another. Part of
 * srplat_opts_parse().
 */
int srplat_opts_check(struct srplat_opts *opts, char *reason, size_t n);

/* The text for --help: every operand, its values and default. */
const char *srplat_opts_help(void);

#endif /* SRPLAT_OPTS_H */
