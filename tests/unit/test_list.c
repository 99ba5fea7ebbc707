/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include "util/list.h"

struct item {
	int value;
	struct list node;
};

static struct list head;
static struct item items[4];

static void
setup(void)
{
	int i;

	list_init(&head);
	for (i = 0; i < 4; i++) {
		items[i].value = i;
		list_init(&items[i].node);
	}
}

static int
digits(void)
{
	struct item *item;
	int value = 0;

	list_for_each_entry(item, &head, node)
		value = value * 10 + item->value + 1;
	return value;
}

START_TEST(a_new_list_is_empty)
{
	ck_assert(list_is_empty(&head));
	ck_assert_ptr_null(list_first(&head));
	ck_assert_ptr_null(list_pop_head(&head));
	ck_assert_uint_eq(list_count(&head), 0);
}
END_TEST

START_TEST(tail_and_head_insertion_keep_order)
{
	list_add_tail(&head, &items[1].node);
	list_add_tail(&head, &items[2].node);
	list_add_head(&head, &items[0].node);
	list_add_before(&items[2].node, &items[3].node);
	ck_assert_int_eq(digits(), 1243);
	ck_assert_uint_eq(list_count(&head), 4);
}
END_TEST

START_TEST(removal_unlinks_and_may_be_repeated)
{
	list_add_tail(&head, &items[0].node);
	list_add_tail(&head, &items[1].node);
	ck_assert(list_is_linked(&items[0].node));
	list_del(&items[0].node);
	list_del(&items[0].node);
	ck_assert(!list_is_linked(&items[0].node));
	ck_assert_int_eq(digits(), 2);
}
END_TEST

START_TEST(iteration_survives_removal_of_the_current_node)
{
	struct item *item, *tmp;
	int i;

	for (i = 0; i < 4; i++)
		list_add_tail(&head, &items[i].node);
	list_for_each_entry_safe(item, tmp, &head, node)
		if (item->value % 2)
			list_del(&item->node);
	ck_assert_int_eq(digits(), 13);
}
END_TEST

START_TEST(splice_moves_everything_to_the_end)
{
	struct list from;

	list_init(&from);
	list_splice_tail(&head, &from);
	ck_assert(list_is_empty(&head));
	list_add_tail(&head, &items[0].node);
	list_add_tail(&from, &items[1].node);
	list_add_tail(&from, &items[2].node);
	list_splice_tail(&head, &from);
	ck_assert(list_is_empty(&from));
	ck_assert_int_eq(digits(), 123);
	ck_assert_ptr_eq(list_pop_head(&head), &items[0].node);
	ck_assert_int_eq(digits(), 23);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("list");

	tcase_add_checked_fixture(tcase, setup, NULL);
	tcase_add_test(tcase, a_new_list_is_empty);
	tcase_add_test(tcase, tail_and_head_insertion_keep_order);
	tcase_add_test(tcase, removal_unlinks_and_may_be_repeated);
	tcase_add_test(tcase, iteration_survives_removal_of_the_current_node);
	tcase_add_test(tcase, splice_moves_everything_to_the_end);
	return unit_run(tcase, "list");
}
