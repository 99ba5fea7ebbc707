/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/srpmatrix_published.h"

#include <stddef.h>

const struct srpmatrix_published srpmatrix_published[SRPMATRIX_NR_PUBLISHED] = {
	{ 512, 1, 25400, 25400, 23100 },
	{ 512, 128, 122000, 122000, 153000 },
	{ 4096, 1, 25000, 25000, 22700 },
	{ 4096, 128, 122000, 121000, 157000 },
	{ 65536, 1, 14300, 14400, 13600 },
	{ 65536, 4, 36700, 36700, 36600 },
	{ 524288, 1, 3470, 3430, 3420 },
	{ 524288, 4, 5020, 5020, 4990 },
};

const struct srpmatrix_published *
srpmatrix_published_find(uint64_t bs, unsigned int jobs)
{
	size_t i;

	for (i = 0; i < SRPMATRIX_NR_PUBLISHED; i++)
		if (srpmatrix_published[i].bs == bs &&
			srpmatrix_published[i].jobs == jobs)
			return &srpmatrix_published[i];
	return NULL;
}
