/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <string.h>

#include "tools/machine.h"

static struct machine machine;

START_TEST(model_and_hypervisor_are_read)
{
	machine_parse_cpuinfo(&machine, "processor\t: 0\n"
					"model\t\t: 17\n"
					"model name\t: Some CPU @ 3 GHz\n"
					"flags\t\t: fpu hypervisor sse\n\n"
					"model name\t: Another\n");
	ck_assert_str_eq(machine.cpu, "Some CPU @ 3 GHz");
	ck_assert(machine.is_virtual);
	machine_parse_cpuinfo(&machine, "model name\t: X\nflags\t: fpu\n"
					"bugs\t: hypervisor\n");
	ck_assert_str_eq(machine.cpu, "X");
	ck_assert(!machine.is_virtual);
}
END_TEST

START_TEST(text_of_any_kind_is_borne)
{
	machine_parse_cpuinfo(&machine, "");
	ck_assert_str_eq(machine.cpu, "unknown");
	machine_parse_cpuinfo(&machine, "model name");
	ck_assert_str_eq(machine.cpu, "unknown");
	machine_parse_cpuinfo(&machine, "flags");
	ck_assert(!machine.is_virtual);
}
END_TEST

START_TEST(this_machine_is_described)
{
	json_t *json;

	machine_init(&machine);
	json = machine_json(&machine);
	ck_assert_ptr_nonnull(json);
	ck_assert_int_ge(
		json_integer_value(json_object_get(json, "nr_cpus")), 1);
	ck_assert_ptr_nonnull(strstr(
		json_string_value(json_object_get(json, "kernel")), "Linux"));
	ck_assert_int_gt(
		json_integer_value(json_object_get(json, "memory_bytes")), 0);
	ck_assert(json_is_string(json_object_get(
		json_object_get(json, "clock"), "source")));
	json_decref(json);
}
END_TEST

START_TEST(busy_time_does_not_fall)
{
	uint64_t before = machine_busy_ns();

	ck_assert_uint_gt(before, 0);
	ck_assert_uint_ge(machine_busy_ns(), before);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("machine");

	tcase_add_test(tcase, model_and_hypervisor_are_read);
	tcase_add_test(tcase, text_of_any_kind_is_borne);
	tcase_add_test(tcase, this_machine_is_described);
	tcase_add_test(tcase, busy_time_does_not_fall);
	return unit_run(tcase, "machine");
}
