/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* A matrix as one JSON object; srpmatrix(1) has its members. */
#ifndef SRPMATRIX_JSON_H
#define SRPMATRIX_JSON_H

#include <jansson.h>

#include "tools/srpmatrix_report.h"

/* NULL: no memory. */
json_t *srpmatrix_json(const struct srpmatrix_report *report);
/* Of what did not come to a run. */
json_t *srpmatrix_json_failure(const char *error, int status);

#endif /* SRPMATRIX_JSON_H */
