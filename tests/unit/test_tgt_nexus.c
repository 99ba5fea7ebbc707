/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tgt_test.h"

#include "target/tgt_nexus.h"

static struct target *target;
static const uint8_t port_a[SRP_PORT_ID_BYTES] = { 1 };
static const uint8_t port_b[SRP_PORT_ID_BYTES] = { 2 };

static void
setup(void)
{
	target = test_target_create();
}

static void
teardown(void)
{
	ck_assert(list_is_empty(&target->nexuses));
	test_target_destroy(target);
}

START_TEST(one_port_id_is_one_nexus)
{
	struct tgt_nexus *a = tgt_nexus_get(target, port_a);
	struct tgt_nexus *b = tgt_nexus_get(target, port_b);

	ck_assert_ptr_eq(tgt_nexus_get(target, port_a), a);
	ck_assert_ptr_ne(a, b);
	ck_assert_uint_eq(a->nr_conns, 2);
	tgt_nexus_put(target, a);
	tgt_nexus_put(target, a);
	tgt_nexus_put(target, b);
}
END_TEST

START_TEST(unit_attentions_come_once_in_order_by_lun)
{
	struct tgt_nexus *a = tgt_nexus_get(target, port_a);
	const struct tgt_lun *lun0 = test_lun(target, 0);
	const struct tgt_lun *lun3 = test_lun(target, 3);

	tgt_nexus_add_ua(target, a, lun0, 0x2900);
	tgt_nexus_add_ua(target, a, lun0, 0x2a09);
	tgt_nexus_add_ua(target, a, lun0, 0x2900);
	tgt_nexus_add_ua(target, a, lun3, 0x3f0e);
	ck_assert_uint_eq(atomic_load(&a->nr_ua), 3);
	ck_assert_uint_eq(tgt_nexus_take_ua(target, a, lun0), 0x2900);
	ck_assert_uint_eq(tgt_nexus_take_ua(target, a, lun0), 0x2a09);
	ck_assert_uint_eq(tgt_nexus_take_ua(target, a, lun0), 0);
	ck_assert_uint_eq(tgt_nexus_take_ua(target, a, lun3), 0x3f0e);
	ck_assert_uint_eq(atomic_load(&a->nr_ua), 0);
	tgt_nexus_put(target, a);
}
END_TEST

START_TEST(a_full_queue_loses_the_oldest)
{
	struct tgt_nexus *a = tgt_nexus_get(target, port_a);
	const struct tgt_lun *lun = test_lun(target, 0);
	uint16_t i;

	for (i = 1; i <= TGT_MAX_UA + 2; i++)
		tgt_nexus_add_ua(target, a, lun, i);
	ck_assert_uint_eq(atomic_load(&a->nr_ua), TGT_MAX_UA);
	for (i = 3; i <= TGT_MAX_UA + 2; i++)
		ck_assert_uint_eq(tgt_nexus_take_ua(target, a, lun), i);
	ck_assert_uint_eq(tgt_nexus_take_ua(target, a, lun), 0);
	tgt_nexus_put(target, a);
}
END_TEST

START_TEST(all_but_one_nexus_is_told)
{
	struct tgt_nexus *a = tgt_nexus_get(target, port_a);
	struct tgt_nexus *b = tgt_nexus_get(target, port_b);
	const struct tgt_lun *lun = test_lun(target, 300);

	tgt_nexus_queue_ua(target, lun, 0x2f00, a);
	ck_assert_uint_eq(tgt_nexus_take_ua(target, a, lun), 0);
	ck_assert_uint_eq(tgt_nexus_take_ua(target, b, lun), 0x2f00);
	tgt_nexus_put(target, a);
	tgt_nexus_put(target, b);
}
END_TEST

START_TEST(a_new_nexus_is_told_what_is_kept_for_logins)
{
	struct tgt_lun *lun = test_lun(target, 0);
	struct tgt_nexus *a;

	ck_assert_int_eq(target_unit_attention(target, 0, 0x29, 0, true), 0);
	ck_assert_int_eq(
		target_unit_attention(target, 1, 0x29, 0, true), -ENODEV);
	ck_assert_int_eq(
		target_unit_attention(target, 65535, 0x29, 0, true), -ENODEV);
	a = tgt_nexus_get(target, port_a);
	ck_assert_uint_eq(tgt_nexus_take_ua(target, a, lun), 0x2900);
	tgt_nexus_put(target, a);
}
END_TEST

START_TEST(lun_addresses_are_found_in_both_forms_and_no_other)
{
	static const struct {
		uint8_t b[8];
		int number;
	} rows[] = {
		{ { 0, 0 }, 0 },
		{ { 0, 3 }, 3 },
		{ { 0x40, 0 }, 0 },
		{ { 0x40, 3 }, 3 },
		{ { 0x41, 0x2c }, 300 },
		{ { 0x01, 0x2c }, -1 }, /* bus 1 */
		{ { 0, 1 }, -1 },
		{ { 0x80, 0 }, -1 },
		{ { 0xc1, 0x01 }, -1 },
		{ { 0, 3, 0, 0, 0, 0, 0, 1 }, -1 },
		{ { 0, 3, 1 }, -1 },
		{ { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff }, -1 },
	};
	struct scsi_lun lun;
	const struct tgt_lun *found;

	memcpy(lun.b, rows[_i].b, sizeof(lun.b));
	found = tgt_lun_find(target, &lun);
	if (rows[_i].number < 0)
		ck_assert_ptr_null(found);
	else
		ck_assert_ptr_eq(
			found, test_lun(target, (uint16_t)rows[_i].number));
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("tgt_nexus");
	TCase *tc = tcase_create("nexus");

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, one_port_id_is_one_nexus);
	tcase_add_test(tc, unit_attentions_come_once_in_order_by_lun);
	tcase_add_test(tc, a_full_queue_loses_the_oldest);
	tcase_add_test(tc, all_but_one_nexus_is_told);
	tcase_add_test(tc, a_new_nexus_is_told_what_is_kept_for_logins);
	tcase_add_loop_test(
		tc, lun_addresses_are_found_in_both_forms_and_no_other, 0, 12);
	suite_add_tcase(suite, tc);
	return test_run(suite);
}
