/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "unit.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "fabric/fabric.h"
#include "util/compiler.h"

/* The members from the first function to the last that is not optional. */
#define FIRST offsetof(struct fabric, create_event_channel)
#define END offsetof(struct fabric, cq_set_handler)

static unsigned int
count_missing(const struct fabric *fabric)
{
	unsigned int nr = 0;
	void (*member)(void);
	size_t at;

	for (at = FIRST; at < END; at += sizeof(member)) {
		memcpy(&member, (const char *)fabric + at, sizeof(member));
		nr += member == NULL;
	}
	return nr;
}

START_TEST(the_real_table_has_every_member)
{
	const struct fabric *verbs = fabric_find("verbs");

	ck_assert_ptr_nonnull(verbs);
	ck_assert_uint_eq(count_missing(verbs), 0);
	ck_assert_ptr_null(verbs->cq_set_handler);
	ck_assert_ptr_nonnull(verbs->diagnose);
}
END_TEST

START_TEST(an_unknown_name_finds_nothing)
{
	ck_assert_ptr_null(fabric_find("verb"));
	ck_assert_ptr_null(fabric_find(""));
}
END_TEST

START_TEST(the_registry_can_be_walked)
{
	const struct fabric *fabric = NULL;
	unsigned int nr = 0;

	while ((fabric = fabric_next(fabric))) {
		ck_assert_ptr_eq(fabric_find(fabric->name), fabric);
		nr++;
	}
	ck_assert_uint_ge(nr, 1);
}
END_TEST

static int
own_destroy_id(struct rdma_cm_id *id __maybe_unused)
{
	return 42;
}

static struct fabric partial = {
	.name = "partial",
	.destroy_id = own_destroy_id,
};

/* Once a process: check forks for each test. */
static const struct fabric *
register_partial(void)
{
	fabric_register(&partial);
	return fabric_find("partial");
}

START_TEST(a_missing_member_answers_eopnotsupp)
{
	const struct fabric *f = register_partial();

	ck_assert_ptr_eq(f, &partial);
	ck_assert_uint_eq(count_missing(f), 0);
	ck_assert_int_eq(f->destroy_id(NULL), 42);
	ck_assert_ptr_null(f->cq_set_handler);
	ck_assert_ptr_null(f->diagnose);

	errno = 0;
	ck_assert_int_eq(f->connect(NULL, NULL), -1);
	ck_assert_int_eq(errno, EOPNOTSUPP);
	errno = 0;
	ck_assert_ptr_null(f->alloc_pd(NULL));
	ck_assert_int_eq(errno, EOPNOTSUPP);
	ck_assert_int_eq(f->query_device(NULL, NULL), EOPNOTSUPP);
	errno = 0;
	ck_assert_int_eq(f->get_cq_event(NULL, NULL, NULL), -1);
	ck_assert_int_eq(errno, EOPNOTSUPP);
}
END_TEST

START_TEST(each_missing_call_follows_its_librarys_convention)
{
	const struct fabric *f = register_partial();

	ck_assert_ptr_null(f->create_event_channel());
	f->destroy_event_channel(NULL);
	ck_assert_int_eq(f->get_cm_event(NULL, NULL), -1);
	ck_assert_int_eq(f->ack_cm_event(NULL), -1);
	ck_assert_int_eq(f->create_id(NULL, NULL, NULL, RDMA_PS_TCP), -1);
	ck_assert_int_eq(f->bind_addr(NULL, NULL), -1);
	ck_assert_int_eq(f->resolve_addr(NULL, NULL, NULL, 0), -1);
	ck_assert_int_eq(f->resolve_route(NULL, 0), -1);
	ck_assert_int_eq(f->create_qp(NULL, NULL, NULL), -1);
	f->destroy_qp(NULL);
	ck_assert_int_eq(f->listen(NULL, 0), -1);
	ck_assert_int_eq(f->accept(NULL, NULL), -1);
	ck_assert_int_eq(f->reject(NULL, NULL, 0), -1);
	ck_assert_int_eq(f->disconnect(NULL), -1);
	ck_assert_uint_eq(f->get_src_port(NULL), 0);
	ck_assert_int_eq(f->query_port(NULL, 1, NULL), EOPNOTSUPP);
	ck_assert_int_eq(f->query_gid(NULL, 1, 0, NULL), -1);
	ck_assert_int_eq(f->dealloc_pd(NULL), EOPNOTSUPP);
	ck_assert_ptr_null(f->reg_mr(NULL, NULL, 0, 0));
	ck_assert_int_eq(f->dereg_mr(NULL), EOPNOTSUPP);
	ck_assert_ptr_null(f->create_comp_channel(NULL));
	ck_assert_int_eq(f->destroy_comp_channel(NULL), EOPNOTSUPP);
	ck_assert_ptr_null(f->create_cq(NULL, 1, NULL, NULL, 0));
	ck_assert_int_eq(f->modify_cq(NULL, NULL), EOPNOTSUPP);
	ck_assert_int_eq(f->destroy_cq(NULL), EOPNOTSUPP);
	f->ack_cq_events(NULL, 1);
	ck_assert_int_eq(f->modify_qp(NULL, NULL, 0), EOPNOTSUPP);
	ck_assert_int_eq(f->query_qp(NULL, NULL, 0, NULL), EOPNOTSUPP);
	ck_assert_int_eq(f->get_async_event(NULL, NULL), -1);
	f->ack_async_event(NULL);
}
END_TEST

int
main(void)
{
	TCase *t = tcase_create("fabric");

	tcase_add_test(t, the_real_table_has_every_member);
	tcase_add_test(t, an_unknown_name_finds_nothing);
	tcase_add_test(t, the_registry_can_be_walked);
	tcase_add_test(t, a_missing_member_answers_eopnotsupp);
	tcase_add_test(t, each_missing_call_follows_its_librarys_convention);
	return unit_run(t, "fabric");
}
