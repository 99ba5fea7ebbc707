/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * One look of srpctl top: rates between two results of the command stats.
 * Pure.
 */
#ifndef SRPCTL_FRAME_H
#define SRPCTL_FRAME_H

#include <jansson.h>
#include <stdio.h>

/*
 * A line about srpd, a title, a line a target; as many columns as fit, the
 * most important first. @then NULL: no rates yet. @height 0: no limit.
 */
void srpctl_frame_print(const json_t *then, const json_t *now, int width,
	int height, FILE *out);
/* The same as an object; NULL without memory. */
json_t *srpctl_frame_json(const json_t *then, const json_t *now);

#endif /* SRPCTL_FRAME_H */
