/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* A target without a fabric, for tests of what needs none. */
#ifndef TESTS_TGT_TEST_H
#define TESTS_TGT_TEST_H

#include <check.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "target/tgt.h"

#define TEST_ID_EXT UINT64_C(0x0002c90300a0b0c0)

/* LUNs 0 (ram), 3 (null) and 300 (ram, protected), 512-byte blocks. */
static inline struct target *
test_target_create(void)
{
	static const struct target_lun_attr luns[] = {
		{ .number = 300, .backend = "ram", .size_bytes = 1 << 20,
			.flags = TARGET_LUN_RO },
		{ .number = 0, .backend = "ram", .size_bytes = 1 << 20 },
		{ .number = 3, .backend = "null", .size_bytes = 1ull << 42,
			.max_transfer_blocks = 2048 },
	};
	struct target *target = calloc(1, sizeof(*target));
	char reason[160] = "";
	unsigned int i;

	ck_assert_ptr_nonnull(target);
	target->luns = calloc(ARRAY_SIZE(luns), sizeof(*target->luns));
	target->id_ext = TEST_ID_EXT;
	for (i = 0; i < ARRAY_SIZE(luns); i++) {
		ck_assert_msg(!tgt_lun_open(&target->luns[i], &luns[i], reason,
				      sizeof(reason)),
			"%s", reason);
		target->luns[i].index = (uint16_t)i;
		target->lun_index[luns[i].number] = (uint16_t)(i + 1);
	}
	target->nr_luns = ARRAY_SIZE(luns);
	list_init(&target->nexuses);
	list_init(&target->conns);
	list_init(&target->resets);
	pthread_mutex_init(&target->lock, NULL);
	return target;
}

static inline void
test_target_destroy(struct target *target)
{
	unsigned int i;

	for (i = 0; i < target->nr_luns; i++)
		tgt_lun_close(&target->luns[i]);
	pthread_mutex_destroy(&target->lock);
	free(target->luns);
	free(target);
}

static inline struct tgt_lun *
test_lun(struct target *target, uint16_t number)
{
	ck_assert_uint_ne(target->lun_index[number], 0);
	return &target->luns[target->lun_index[number] - 1];
}

static inline int
test_run(Suite *suite)
{
	SRunner *runner = srunner_create(suite);
	int failed;

	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif /* TESTS_TGT_TEST_H */
