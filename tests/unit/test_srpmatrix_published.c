/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include "tools/srpmatrix_published.h"

START_TEST(a_row_is_found_by_size_and_jobs)
{
	const struct srpmatrix_published *row =
		srpmatrix_published_find(4096, 128);

	ck_assert_ptr_nonnull(row);
	ck_assert_double_eq(row->before, 122000);
	ck_assert_double_eq(row->thread_n, 121000);
	ck_assert_double_eq(row->thread_y, 157000);
	ck_assert_ptr_null(srpmatrix_published_find(4096, 2));
	ck_assert_ptr_null(srpmatrix_published_find(8192, 1));
}
END_TEST

/* "Depth one loses at most 10 %, depth gains up to 25 %", and some more. */
START_TEST(the_figures_have_the_published_shape)
{
	double ratio;
	int i;

	for (i = 0; i < SRPMATRIX_NR_PUBLISHED; i++) {
		ratio = srpmatrix_published[i].thread_y /
			srpmatrix_published[i].thread_n;
		if (srpmatrix_published[i].jobs == 1)
			ck_assert(ratio >= 0.90 && ratio < 1.0);
		else
			ck_assert(ratio >= 0.99 && ratio < 1.30);
	}
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("published");

	tcase_add_test(tcase, a_row_is_found_by_size_and_jobs);
	tcase_add_test(tcase, the_figures_have_the_published_shape);
	return unit_run(tcase, "srpmatrix_published");
}
