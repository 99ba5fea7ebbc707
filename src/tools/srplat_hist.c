/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/srplat_hist.h"

#include <errno.h>

json_t *
srplat_hist_encode(const struct hist *hist)
{
	json_t *buckets = json_array();
	struct hist_iter iter;

	hist_iter_init(&iter, hist);
	while (hist_iter_next(&iter))
		json_array_append_new(buckets,
			json_pack("[I, I, I]", (json_int_t)iter.low,
				(json_int_t)iter.high,
				(json_int_t)iter.count));
	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:o}", "count",
		(json_int_t)hist->nr, "sum_ns", (json_int_t)hist->sum,
		"min_ns", (json_int_t)hist_min(hist), "max_ns",
		(json_int_t)hist->max, "over", (json_int_t)hist->nr_over,
		"buckets", buckets);
}

/* A number that is there and not negative. */
static int
get_number(const json_t *json, uint64_t *out)
{
	if (!json_is_integer(json) || json_integer_value(json) < 0)
		return -EINVAL;
	*out = (uint64_t)json_integer_value(json);
	return 0;
}

static int
add_bucket(const json_t *json, struct hist *hist, uint64_t *next)
{
	uint64_t low, high, count;
	uint32_t bucket;

	if (json_array_size(json) != 3 ||
		get_number(json_array_get(json, 0), &low) ||
		get_number(json_array_get(json, 1), &high) ||
		get_number(json_array_get(json, 2), &count))
		return -EINVAL;
	if (low < *next || low >= HIST_LIMIT || !count)
		return -EINVAL;
	bucket = hist_bucket(low);
	if (low != hist_bucket_low(bucket) || high != hist_bucket_high(bucket))
		return -EINVAL;
	*next = high + 1;
	hist->counts[bucket] = count;
	return __builtin_add_overflow(hist->nr, count, &hist->nr) ? -EINVAL
								  : 0;
}

/* What must hold of numbers that come from one set of values. */
static int
check(const struct hist *hist, uint64_t nr)
{
	if (hist->nr != nr || hist->nr_over > nr)
		return -EINVAL;
	if (!nr)
		return hist->sum || hist->max ? -EINVAL : 0;
	if (hist->min > hist->max || hist->sum / nr > hist->max ||
		hist->sum < hist->max)
		return -EINVAL;
	return 0;
}

int
srplat_hist_decode(const json_t *json, struct hist *hist)
{
	const json_t *buckets = json_object_get(json, "buckets");
	uint64_t nr, next = 0;
	size_t i;

	hist_reset(hist);
	if (!json_is_array(buckets) ||
		get_number(json_object_get(json, "count"), &nr) ||
		get_number(json_object_get(json, "sum_ns"), &hist->sum) ||
		get_number(json_object_get(json, "min_ns"), &hist->min) ||
		get_number(json_object_get(json, "max_ns"), &hist->max) ||
		get_number(json_object_get(json, "over"), &hist->nr_over))
		return -EINVAL;
	for (i = 0; i < json_array_size(buckets); i++)
		if (add_bucket(json_array_get(buckets, i), hist, &next))
			return -EINVAL;
	if (check(hist, nr))
		return -EINVAL;
	if (!nr)
		hist->min = UINT64_MAX;
	return 0;
}
