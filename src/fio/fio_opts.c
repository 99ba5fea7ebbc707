/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "fio/fio_opts.h"

#include <errno.h>
#include <fio.h>
#include <optgroup.h>

#include <srpi/srpi.h>

/* target, stats_file, doorbell, and the row that ends the table */
#define NR_OWN 3
#define HELP_BYTES 256

static struct fio_option table[NR_OWN + FIO_OPTS_MAX_KEYS + 1];
static char help[FIO_OPTS_MAX_KEYS][HELP_BYTES];

static const struct fio_option own[NR_OWN] = {
	{
		.name = "target",
		.lname = "Target URL",
		.type = FIO_OPT_STR_STORE,
		.off1 = offsetof(struct fio_opts, target),
		.help = "URL of the target, as srplat and srpi_url(7) have it",
		.category = FIO_OPT_C_ENGINE,
		.group = FIO_OPT_G_INVALID,
	},
	{
		.name = "stats_file",
		.lname = "Counters of each job",
		.type = FIO_OPT_STR_STORE,
		.off1 = offsetof(struct fio_opts, stats_file),
		.help = "File to which each job appends a line of JSON",
		.category = FIO_OPT_C_ENGINE,
		.group = FIO_OPT_G_INVALID,
	},
	{
		.name = "doorbell",
		.lname = "When commands are sent",
		.type = FIO_OPT_STR,
		.off1 = offsetof(struct fio_opts, doorbell),
		.help = "Send when fio commits, or not before fio waits",
		.def = "now",
		.posval = {
			{ .ival = "now", .oval = FIO_OPTS_DOORBELL_NOW,
			  .help = "When fio commits (iodepth_batch_submit)" },
			{ .ival = "wait", .oval = FIO_OPTS_DOORBELL_WAIT,
			  .help = "When fio waits, or with iodepth / 8" },
		},
		.category = FIO_OPT_C_ENGINE,
		.group = FIO_OPT_G_INVALID,
	},
};

/* fio looks in its own table first: such a key is the URL's alone. */
static bool
is_fio_own(const char *name)
{
	const struct fio_option *option;

	for (option = fio_options; option->name; option++)
		if (strcmp(option->name, name) == 0 ||
			(option->alias && strcmp(option->alias, name) == 0))
			return true;
	return false;
}

static void
fill_row(struct fio_option *row, const struct srpi_key *key, unsigned int i)
{
	snprintf(help[i], sizeof(help[i]), "%s (%s; default: %s)", key->help,
		key->value, key->initial);
	*row = (struct fio_option){
		.name = key->name,
		.lname = key->name,
		.type = FIO_OPT_STR_STORE,
		.off1 = offsetof(struct fio_opts, keys) +
			i * sizeof(((struct fio_opts *)0)->keys[0]),
		.help = help[i],
		.category = FIO_OPT_C_ENGINE,
		.group = FIO_OPT_G_INVALID,
	};
}

struct fio_option *
fio_opts_table(void)
{
	const struct srpi_key *keys;
	unsigned int i, nr, row = NR_OWN;

	if (table[0].name)
		return table;
	keys = srpi_keys(&nr);
	if (nr > FIO_OPTS_MAX_KEYS)
		nr = FIO_OPTS_MAX_KEYS;
	memcpy(table, own, sizeof(own));
	for (i = 0; i < nr; i++)
		if (!is_fio_own(keys[i].name))
			fill_row(&table[row++], &keys[i], i);
	return table;
}

char *
fio_opts_identity(const struct fio_opts *opts)
{
	const struct srpi_key *keys;
	char *text = NULL;
	size_t bytes;
	FILE *stream = open_memstream(&text, &bytes);
	unsigned int i, nr;

	if (!stream)
		return NULL;
	keys = srpi_keys(&nr);
	fprintf(stream, "%s", opts->target);
	for (i = 0; i < nr && i < FIO_OPTS_MAX_KEYS; i++)
		if (opts->keys[i])
			fprintf(stream, "\n%s=%s", keys[i].name, opts->keys[i]);
	if (fclose(stream)) {
		free(text);
		return NULL;
	}
	return text;
}

static int
set_keys(const struct fio_opts *opts, struct srpi_opts *values, char *reason,
	size_t n)
{
	const struct srpi_key *keys;
	unsigned int i, nr;
	int rc = 0;

	keys = srpi_keys(&nr);
	for (i = 0; i < nr && i < FIO_OPTS_MAX_KEYS && !rc; i++)
		if (opts->keys[i])
			rc = srpi_opts_set(values, keys[i].name, opts->keys[i],
				reason, n);
	return rc;
}

int
fio_opts_open(const struct fio_opts *opts, struct srpi_session **session,
	char *reason, size_t n)
{
	struct srpi_opts *values;
	int rc = srpi_opts_create(&values);

	if (rc) {
		snprintf(reason, n, "no memory for options");
		return rc;
	}
	rc = set_keys(opts, values, reason, n);
	if (rc == 0)
		rc = srpi_open(opts->target, values, session, reason, n);
	srpi_opts_destroy(values);
	return rc;
}
