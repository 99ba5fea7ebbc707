/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/srplat_merge.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/srplat_hist.h"
#include "util/compiler.h"

/* One file on its way in. */
struct ctx {
	struct srplat_merge *merge;
	const char *name;
	char *reason;
	size_t n;
};

__printf(2, 3) static int
refuse(const struct ctx *ctx, const char *format, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	snprintf(ctx->reason, ctx->n, "%s: %s", ctx->name, text);
	return SRPLAT_EXIT_BAD_VALUE;
}

/* What must be alike for latencies to be of one kind. */
static const char *const settings[] = { "completion", "operation", "input",
	"output", "block_bytes", "depth", "pattern", "rate" };

static json_t *
runs_of(const json_t *root)
{
	return json_object_get(root, "runs");
}

/* As it stands in the file; the caller frees. */
static char *
dump(const json_t *value)
{
	return value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT)
		     : strdup("not given");
}

static int
refuse_setting(const struct ctx *ctx, const char *key, const json_t *value,
	const json_t *first)
{
	char *here = dump(value), *there = dump(first);
	int rc = refuse(ctx,
		"%s is %.100s, but in %s it is %.100s: only runs of the same "
		"settings can be merged",
		key, here ? here : "?", ctx->merge->first_name,
		there ? there : "?");

	free(here);
	free(there);
	return rc;
}

static bool
is_same(const json_t *a, const json_t *b)
{
	return a == b || (a && b && json_equal(a, b));
}

static int
check_settings(const struct ctx *ctx, const json_t *json, const json_t *first)
{
	const json_t *value, *other;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(settings); i++) {
		value = json_object_get(json, settings[i]);
		other = json_object_get(first, settings[i]);
		if (!is_same(value, other))
			return refuse_setting(ctx, settings[i], value, other);
	}
	return 0;
}

static const char *
get_text(const json_t *json, const char *key)
{
	const char *text = json_string_value(json_object_get(json, key));

	return text ? text : "";
}

static uint64_t
get_number(const json_t *json, const char *key)
{
	json_int_t value = json_integer_value(json_object_get(json, key));

	return value > 0 ? (uint64_t)value : 0;
}

/* Of one record, times how many there were. */
static uint64_t
get_total(const json_t *json, const char *key, uint64_t nr)
{
	double value = json_number_value(json_object_get(json, key));
	double total = value * (double)nr;

	return total > 0.0 && total < 9e18 ? (uint64_t)(total + 0.5) : 0;
}

static int
add_hist(const struct ctx *ctx, const json_t *json, const char *key,
	struct hist *to)
{
	const json_t *given = json_object_get(json, key);
	struct hist *hist;
	int rc = 0;

	if (!given)
		return refuse(ctx,
			"has no %s: make it with histogram=yes output=json",
			key);
	hist = malloc(sizeof(*hist));
	if (!hist)
		return refuse(ctx, "no memory for its histogram");
	if (srplat_hist_decode(given, hist))
		rc = refuse(ctx, "its %s is not one that srplat has written",
			key);
	else
		hist_merge(to, hist);
	free(hist);
	return rc;
}

static void
add_counts(struct srplat_mode *mode, const json_t *json, uint64_t nr)
{
	static const struct srplat_counts none = { .is_valid = true };
	struct srplat_counts counts = {
		.cycles = get_total(json, "cycles_per_io", nr),
		.instructions = get_total(json, "instructions_per_io", nr),
		.is_valid = json_object_get(json, "cycles_per_io") != NULL,
	};

	srplat_counts_add(&mode->counts, &none, &counts);
}

static int
add_run(const struct ctx *ctx, const json_t *json, struct srplat_mode *mode)
{
	uint64_t nr = get_number(json, "count");
	int rc = add_hist(ctx, json, "histogram", mode->hist);

	if (!rc && mode->response)
		rc = add_hist(
			ctx, json, "response_histogram", mode->response);
	if (rc)
		return rc;
	mode->nr_done += nr;
	mode->nr_errors += get_number(json, "errors");
	mode->bytes += get_number(json, "bytes");
	mode->elapsed_ns += get_number(json, "elapsed_ns");
	mode->iops_sum += json_number_value(json_object_get(json, "iops"));
	mode->cpu_ns += get_total(json, "cpu_ns_per_io", nr);
	mode->nr_switches += get_total(json, "context_switches_per_io", nr);
	mode->nr_missed += get_number(json, "missed_sends");
	mode->nr_unsent += get_number(json, "unsent");
	mode->max_waiting =
		max(mode->max_waiting, get_number(json, "max_waiting"));
	add_counts(mode, json, nr);
	return 0;
}

static enum srplat_op
parse_op(const char *text)
{
	if (strcmp(text, "write") == 0)
		return SRPLAT_OP_WRITE;
	return strcmp(text, "read") == 0 ? SRPLAT_OP_READ : SRPLAT_OP_COPY;
}

static struct hist *
make_hist(void)
{
	struct hist *hist = malloc(sizeof(*hist));

	if (hist)
		hist_reset(hist);
	return hist;
}

/* A mode as the first file has it, still without results. */
static int
add_mode(struct ctx *ctx, const json_t *json, enum srplat_sweep_by by)
{
	struct srplat_run *run = &ctx->merge->run;
	struct srplat_mode *mode = &run->modes[run->nr_modes++];
	unsigned int i;

	snprintf(mode->name, sizeof(mode->name), "%s",
		get_text(json, "completion"));
	/* Points of one curve are told by this. */
	for (i = 0; strcmp(run->modes[i].name, mode->name) != 0; i++)
		;
	mode->id = (int)i;
	mode->op = parse_op(get_text(json, "operation"));
	mode->by = by;
	mode->depth = (unsigned int)min_t(
		uint64_t, get_number(json, "depth"), SRPLAT_MAX_DEPTH);
	mode->rate = min(get_number(json, "rate"), SRPLAT_MAX_RATE);
	mode->hist = make_hist();
	if (mode->rate)
		mode->response = make_hist();
	return mode->hist && (!mode->rate || mode->response)
		? 0
		: refuse(ctx, "no memory for its histograms");
}

static enum srplat_sweep_by
sweep_of(const json_t *root)
{
	const json_t *sweep =
		json_array_get(json_object_get(root, "sweep"), 0);
	const char *by = get_text(sweep, "by");

	if (strcmp(by, "depth") == 0)
		return SRPLAT_SWEEP_DEPTH;
	return strcmp(by, "rate") == 0 ? SRPLAT_SWEEP_RATE
				       : SRPLAT_SWEEP_NONE;
}

static const char *
scope_of(const json_t *root)
{
	const char *scope =
		get_text(json_object_get(root, "counters"), "scope");

	if (strcmp(scope, "user") == 0)
		return "user";
	return strcmp(scope, "user+kernel") == 0 ? "user+kernel" : NULL;
}

/* Settings from the first file. */
static int
begin(struct ctx *ctx, json_t *root)
{
	struct srplat_merge *merge = ctx->merge;
	const json_t *json, *runs = runs_of(root);
	struct srplat_opts *opts = &merge->opts;
	size_t i;
	int rc = 0;

	merge->first = json_incref(root);
	merge->first_name = ctx->name;
	merge->run.counters.scope = scope_of(root);
	json = json_array_get(runs, 0);
	opts->in = get_text(json, "input");
	opts->out = get_text(json, "output");
	opts->depth = (unsigned int)min_t(
		uint64_t, get_number(json, "depth"), SRPLAT_MAX_DEPTH);
	if (strcmp(get_text(json, "pattern"), "rand") == 0)
		opts->pattern = SRPLAT_PATTERN_RAND;
	opts->sweep.by = sweep_of(root);
	if (opts->sweep.by != SRPLAT_SWEEP_RATE)
		opts->rate = get_number(json, "rate");
	merge->run.area.record_bytes = (uint32_t)min_t(
		uint64_t, get_number(json, "block_bytes"), SRPLAT_MAX_BS);
	for (i = 0; i < json_array_size(runs) && !rc; i++)
		rc = add_mode(ctx, json_array_get(runs, i), opts->sweep.by);
	return rc;
}

static int
check_root(const struct ctx *ctx, const json_t *root)
{
	const json_t *runs = runs_of(root);
	size_t nr = json_array_size(runs);

	if (!nr || nr > SRPLAT_MAX_MODES ||
		!json_object_get(json_array_get(runs, 0), "completion"))
		return refuse(ctx, "is no result of srplat: \"runs\" is "
				   "missing or empty");
	if (ctx->merge->first &&
		nr != json_array_size(runs_of(ctx->merge->first)))
		return refuse(ctx,
			"has %zu runs, but %s has %zu: only runs of the same "
			"settings can be merged",
			nr, ctx->merge->first_name,
			json_array_size(runs_of(ctx->merge->first)));
	if (ctx->merge->first && sweep_of(root) != ctx->merge->opts.sweep.by)
		return refuse(ctx,
			"has another sweep= than %s: only runs of the same "
			"settings can be merged",
			ctx->merge->first_name);
	return 0;
}

/* What went wrong then does not spoil the sum, but should be known. */
static void
note_error(const struct ctx *ctx, const json_t *root)
{
	const char *error = get_text(root, "error");
	struct srplat_src *end = &ctx->merge->end;

	if (*error && !end->note[0])
		snprintf(end->note, sizeof(end->note), "%.100s ended with: %s",
			ctx->name, error);
}

static int
add_root(struct ctx *ctx, json_t *root)
{
	struct srplat_run *run = &ctx->merge->run;
	const json_t *runs = runs_of(root), *json;
	unsigned int i;
	int rc = check_root(ctx, root);

	if (!rc && !ctx->merge->first)
		rc = begin(ctx, root);
	if (!rc && run->counters.scope != scope_of(root))
		run->counters.scope = NULL;
	for (i = 0; i < run->nr_modes && !rc; i++) {
		json = json_array_get(runs, i);
		rc = check_settings(ctx, json,
			json_array_get(runs_of(ctx->merge->first), i));
		if (!rc)
			rc = add_run(ctx, json, &run->modes[i]);
	}
	if (!rc) {
		run->nr_merged++;
		note_error(ctx, root);
	}
	return rc;
}

int
srplat_merge_add(struct srplat_merge *merge, const char *name, char *reason,
	size_t n)
{
	struct ctx ctx = { merge, name, reason, n };
	json_error_t error;
	json_t *root = json_load_file(name, JSON_REJECT_DUPLICATES, &error);
	int rc;

	if (!root)
		return refuse(&ctx, "is no JSON file that can be read: %s",
			error.text);
	rc = add_root(&ctx, root);
	json_decref(root);
	return rc;
}

void
srplat_merge_init(struct srplat_merge *merge)
{
	memset(merge, 0, sizeof(*merge));
	merge->run.opts = &merge->opts;
	merge->run.in = &merge->end;
	merge->run.nr_rounds = 1;
}

void
srplat_merge_fini(struct srplat_merge *merge)
{
	unsigned int i;

	for (i = 0; i < merge->run.nr_modes; i++) {
		free(merge->run.modes[i].hist);
		free(merge->run.modes[i].response);
	}
	json_decref(merge->first);
	srplat_merge_init(merge);
}
