/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Where the records are: the range of the input and of the output that a run
 * covers, in records of bs= bytes. Everything that operands can ask for in
 * vain is found here, before the first I/O.
 */
#ifndef SRPLAT_AREA_H
#define SRPLAT_AREA_H

#include <stddef.h>
#include <stdint.h>

#include "tools/srplat_opts.h"
#include "tools/srplat_src.h"

struct srplat_area {
	uint64_t in_offset; /* bytes */
	uint64_t out_offset;
	uint64_t nr_records; /* in the area, a short last one included */
	uint64_t nr_wanted;  /* in the run; SRPLAT_FOREVER: until runtime= */
	uint32_t record_bytes;
	uint32_t tail_bytes; /* of the last record; 0: as the others */
	enum srplat_pattern pattern;
};

/*
 * From resolved operands and opened sources. 0, or SRPLAT_EXIT_BAD_VALUE and a
 * sentence that names the operand and what is allowed.
 */
int srplat_area_init(struct srplat_area *area, const struct srplat_opts *opts,
	const struct srplat_src *in, const struct srplat_src *out, char *reason,
	size_t n);

#endif /* SRPLAT_AREA_H */
