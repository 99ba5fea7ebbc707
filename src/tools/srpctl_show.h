/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What srpd answers, for people. Pure: from the result of a command to text
 * that fits a screen of so many columns. A member that is missing, as of
 * another version of srpd, shows as "-" or 0.
 */
#ifndef SRPCTL_SHOW_H
#define SRPCTL_SHOW_H

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

void srpctl_show(const char *cmd, const json_t *result, int width, FILE *out);

/* Members, with what stands for one that is not there. */
const char *srpctl_show_text(const json_t *object, const char *name);
uint64_t srpctl_show_number(const json_t *object, const char *name);

#endif /* SRPCTL_SHOW_H */
