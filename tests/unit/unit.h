/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The main() that unit tests share: one case, one suite, one line a failure. */
#ifndef UNIT_H
#define UNIT_H

#include <check.h>
#include <stdlib.h>

/* Run the tests of @tcase; the status to exit with. */
static inline int
unit_run(TCase *tcase, const char *name)
{
	Suite *suite = suite_create(name);
	SRunner *runner;
	int nr_failed;

	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	nr_failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return nr_failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif /* UNIT_H */
