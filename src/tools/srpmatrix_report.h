/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* All that the table and the JSON object tell of. */
#ifndef SRPMATRIX_REPORT_H
#define SRPMATRIX_REPORT_H

#include <stdbool.h>
#include <time.h>

#include "tools/machine.h"
#include "tools/srpmatrix_fio.h"
#include "tools/srpmatrix_run.h"
#include "tools/srpmatrix_target.h"

struct srpmatrix_report {
	const struct srpmatrix_run *run;
	const struct srpmatrix_fio *fio;
	const struct srpmatrix_target *target;
	const struct machine *machine;
	time_t date;
	bool is_interrupted;
	const char *error; /* NULL: none */
	int status;	   /* to exit with */
};

#define SRPMATRIX_MAX_NOTES 8
#define SRPMATRIX_NOTE_BYTES 256

struct srpmatrix_notes {
	unsigned int nr;
	char text[SRPMATRIX_MAX_NOTES][SRPMATRIX_NOTE_BYTES];
};

/* What a reader must know before he believes a number. */
void srpmatrix_notes_init(
	struct srpmatrix_notes *notes, const struct srpmatrix_report *report);

#endif /* SRPMATRIX_REPORT_H */
