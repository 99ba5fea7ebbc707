/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include "srpmatrix_fake.h"
#include "tools/srpmatrix_json.h"

static struct srpmatrix_fio fio;
static struct srpmatrix_target target;
static struct machine machine;
static struct srpmatrix_report report;
static json_t *json;

static void
setup(void)
{
	memset(&target, 0, sizeof(target));
	memset(&machine, 0, sizeof(machine));
	snprintf(target.lun.vendor, sizeof(target.lun.vendor), "SRPD");
	report = (struct srpmatrix_report){ .run = &fake_run, .fio = &fio,
		.target = &target, .machine = &machine };
}

static void
teardown(void)
{
	json_decref(json);
	json = NULL;
	srpmatrix_run_fini(&fake_run);
}

/* A member by its path: names and indices with dots between. */
static const json_t *
at(const char *path)
{
	const json_t *found = json;
	char name[64];
	size_t len;

	while (found && *path) {
		len = strcspn(path, "/");
		snprintf(name, sizeof(name), "%.*s", (int)len, path);
		found = json_is_array(found)
			? json_array_get(found, (size_t)strtoul(name, NULL, 10))
			: json_object_get(found, name);
		path += len + (path[len] == '/');
	}
	ck_assert_msg(found, "nothing at %s", path);
	return found;
}

static double
number(const char *path)
{
	return json_number_value(at(path));
}

START_TEST(the_object_has_all_of_a_run)
{
	fake_init(4, 3);
	fake_opts.wants_published = true;
	fake_iops[0][1] = 90.0;
	srpmatrix_run_all(&fake_run);
	json = srpmatrix_json(&report);
	ck_assert_ptr_nonnull(json);
	ck_assert_str_eq(json_string_value(at("program")), "srpmatrix");
	ck_assert_uint_eq(json_array_size(at("rows")), 2);
	ck_assert_uint_eq(json_array_size(at("rows/0/modes")), 4);
	/* The first mode has its second runs too. */
	ck_assert_uint_eq(json_array_size(at("rows/0/modes/0/rounds")), 6);
	ck_assert_uint_eq(json_array_size(at("rows/0/modes/1/rounds")), 3);
	ck_assert_double_eq(number("rows/0/modes/1/median/iops"), 90e3);
	ck_assert_double_eq_tol(
		number("rows/0/modes/1/ratio/iops/estimate"), 0.9, 1e-9);
	ck_assert_double_eq(number("rows/0/published/before"), 25400);
	ck_assert_double_eq(number("rows/0/noise/iops/pairs"), 3);
	ck_assert_double_eq(number("rows/1/modes/2/latency_ns/count"), 30);
	ck_assert_double_eq(number("summary/adaptive/rows"), 2);
	ck_assert_str_eq(json_string_value(at("target/vendor")), "SRPD");
	ck_assert_double_eq(number("settings/cells/1/1"), 128);
	ck_assert(json_is_null(at("error")));
	ck_assert_double_eq(number("exit"), 0);
}
END_TEST

START_TEST(what_is_not_known_is_null)
{
	fake_init(2, 1);
	fake_opts.modes[1].is_kernel = true;
	fake_iops[0][0] = 0.0;
	srpmatrix_run_all(&fake_run);
	report.error = "some failed";
	report.status = 5;
	json = srpmatrix_json(&report);
	ck_assert_ptr_nonnull(json);
	ck_assert(json_is_null(at("rows/0/modes/0/median/iops")));
	ck_assert(json_is_null(at("rows/0/modes/0/latency_ns")));
	ck_assert(json_is_null(at("rows/0/noise/iops")));
	ck_assert(json_is_null(at("rows/1/noise/iops/low")));
	ck_assert(json_is_null(at("rows/1/modes/1/median/doorbells_per_io")));
	ck_assert_str_eq(json_string_value(at("rows/0/modes/0/error")),
		"round 1: made up");
	ck_assert_str_eq(
		json_string_value(at("rows/0/modes/0/steady/verdict")),
		"unknown");
	ck_assert(json_is_null(at("summary/adaptive")));
	ck_assert_str_eq(json_string_value(at("error")), "some failed");
	ck_assert_double_eq(number("exit"), 5);
}
END_TEST

START_TEST(text_that_is_no_utf8_is_told_all_the_same)
{
	fake_init(2, 1);
	srpmatrix_run_all(&fake_run);
	snprintf(target.lun.product, sizeof(target.lun.product), "\xff\xfe");
	fake_opts.target = "demo://\xff";
	json = srpmatrix_json(&report);
	ck_assert_ptr_nonnull(json);
	ck_assert_str_eq(json_string_value(at("target/product")), "??");
	ck_assert_str_eq(json_string_value(at("settings/target")), "demo://?");
}
END_TEST

START_TEST(a_failure_is_an_object_too)
{
	json = srpmatrix_json_failure("no target", 3);
	ck_assert_uint_eq(json_array_size(at("rows")), 0);
	ck_assert_str_eq(json_string_value(at("error")), "no target");
	ck_assert_double_eq(number("exit"), 3);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("json");

	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, the_object_has_all_of_a_run);
	tcase_add_test(tcase, what_is_not_known_is_null);
	tcase_add_test(tcase, text_that_is_no_utf8_is_told_all_the_same);
	tcase_add_test(tcase, a_failure_is_an_object_too);
	return unit_run(tcase, "srpmatrix_json");
}
