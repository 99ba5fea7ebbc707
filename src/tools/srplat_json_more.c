/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Where a result is from, and modes of a run against each other. */
#include <time.h>

#include "config.h"
#include "tools/machine.h"
#include "tools/srplat_json.h"
#include "util/compiler.h"

static json_t *
ratio(const double *over, const double *under, unsigned int nr)
{
	struct srplat_ratio found;

	if (srplat_ratio_init(&found, over, under, nr))
		return json_pack("{s:n, s:n, s:n, s:i}", "estimate", "low",
			"high", "pairs", 0);
	return json_pack("{s:f, s:f, s:f, s:i}", "estimate", found.median,
		"low", found.min, "high", found.max, "pairs", (int)found.nr);
}

static json_t *
rounds(const struct srplat_mode *mode)
{
	json_t *array = json_array();
	unsigned int i;

	for (i = 0; i < mode->nr_rounds; i++)
		json_array_append_new(array,
			json_pack("{s:f, s:f, s:f}", "iops",
				mode->round_iops[i], "mean_ns",
				mode->round_mean_ns[i], "p50_ns",
				mode->round_p50_ns[i]));
	return array;
}

/* How many rounds all modes have, 0 where they are no alternatives. */
static unsigned int
count_pairs(const struct srplat_run *run)
{
	unsigned int i, nr;

	if (run->nr_merged || !run->nr_modes || run->modes[0].by ||
		run->modes[0].op)
		return 0;
	nr = run->modes[0].nr_rounds;
	for (i = 1; i < run->nr_modes; i++)
		nr = min(nr, run->modes[i].nr_rounds);
	return nr;
}

static json_t *
method(const struct srplat_run *run, unsigned int nr)
{
	/* The true median is outside when all pairs fall on one side. */
	double outside = 2.0 / (double)(UINT64_C(1) << min(nr, 60u));

	return json_pack("{s:s, s:s, s:s, s:s, s:f}", "order", "ABBA",
		"baseline", run->modes[0].name, "ratio",
		"median of the ratios to the round of the baseline",
		"interval", "least and greatest of the ratios", "confidence",
		1.0 - outside);
}

void
srplat_json_add_ratios(json_t *root, const struct srplat_run *run)
{
	const struct srplat_mode *base = &run->modes[0], *mode;
	json_t *runs = json_object_get(root, "runs"), *one;
	unsigned int i, nr = count_pairs(run);

	if (nr < 2)
		return;
	for (i = 0; i < run->nr_modes; i++) {
		mode = &run->modes[i];
		one = json_array_get(runs, i);
		json_object_set_new(one, "rounds", rounds(mode));
		json_object_set_new(one, "ratio",
			json_pack("{s:o, s:o}", "p50",
				ratio(mode->round_p50_ns, base->round_p50_ns,
					nr),
				"mean",
				ratio(mode->round_mean_ns, base->round_mean_ns,
					nr)));
	}
	json_object_set_new(root, "method", method(run, nr));
	json_object_set_new(root, "noise",
		json_pack("{s:o, s:o}", "p50",
			ratio(base->round_p50_ns + 1, base->round_p50_ns,
				nr - 1),
			"mean",
			ratio(base->round_mean_ns + 1, base->round_mean_ns,
				nr - 1)));
}

static json_t *
settings(const struct srplat_run *run)
{
	const struct srplat_opts *opts = run->opts;
	json_t *words = json_pack("[s]", "srplat"), *json;
	int i;

	/* Where the program lies is nobody's business; merging has no name. */
	for (i = run->nr_merged ? 0 : 1; i < opts->nr_words; i++)
		json_array_append_new(words, srplat_json_text(opts->words[i]));
	json = json_pack("{s:o, s:I}", "command", words, "rounds",
		(json_int_t)run->nr_rounds);
	if (opts->runtime_ns)
		json_object_set_new(json, "runtime_ns",
			json_integer((json_int_t)opts->runtime_ns));
	return json;
}

/* Its clock is told of where the measuring is. */
static json_t *
about_machine(void)
{
	struct machine machine;
	json_t *json;

	machine_init(&machine);
	json = machine_json(&machine);
	json_object_del(json, "clock");
	return json;
}

void
srplat_json_add_origin(json_t *root, const struct srplat_run *run)
{
	time_t now = time(NULL);
	struct tm utc;
	char date[32] = "";

	if (gmtime_r(&now, &utc))
		strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%SZ", &utc);
	json_object_update_new(root,
		json_pack("{s:s, s:s, s:s}", "program", "srplat", "version",
			PACKAGE_VERSION, "date", date));
	if (run)
		json_object_set_new(root, "settings", settings(run));
	if (run && !run->nr_merged)
		json_object_set_new(root, "machine", about_machine());
}
