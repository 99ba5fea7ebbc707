/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Devices: addresses, what libibverbs' own inlines see, and lifetime. */
#include "unit.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <string.h>

#include "soft_pair.h"

static const struct pair_attr plain = { 0 };

START_TEST(each_device_has_an_address_of_its_own)
{
	const struct soft_dev_attr attr = { 0 };
	struct sockaddr_in a, b;
	struct soft_dev *first, *second;

	ck_assert_int_eq(soft_dev_create(&attr, &first), 0);
	ck_assert_int_eq(soft_dev_create(&attr, &second), 0);
	soft_dev_addr(first, &a);
	soft_dev_addr(second, &b);
	ck_assert_int_eq(a.sin_family, AF_INET);
	ck_assert_uint_eq(ntohl(a.sin_addr.s_addr) >> 24, 127);
	ck_assert_uint_ne(a.sin_addr.s_addr, b.sin_addr.s_addr);
	soft_dev_put(first);
	soft_dev_put(second);
}
END_TEST

START_TEST(attributes_out_of_range_are_refused)
{
	struct soft_dev_attr attr = { .irqmode = SOFT_IRQ_TIMER,
		.completion_nsec = 1000000001 };
	struct soft_dev *dev;

	ck_assert_int_eq(soft_dev_create(&attr, &dev), -EINVAL);
	attr.completion_nsec = 0;
	attr.irqmode = SOFT_IRQ_THREAD + 1;
	ck_assert_int_eq(soft_dev_create(&attr, &dev), -EINVAL);
}
END_TEST

START_TEST(libibverbs_inlines_work_on_a_soft_context)
{
	struct ibv_port_attr port;
	struct ibv_context *context;
	struct ibv_mw_bind bind = { 0 };
	struct pair p;

	pair_open(&p, &plain);
	context = p.end[0].id->verbs;
	ck_assert_ptr_nonnull(context->device);
	ck_assert_int_eq(strncmp(context->device->name, "soft", 4), 0);
	/* The inline of the macro ibv_query_port() reads verbs_context. */
	ck_assert_int_eq(ibv_query_port(context, 1, &port), 0);
	ck_assert_int_eq(port.state, IBV_PORT_ACTIVE);
	ck_assert_int_eq(ibv_query_port(context, 2, &port), EINVAL);
	ck_assert_ptr_null(ibv_alloc_mw(p.end[0].pd, IBV_MW_TYPE_1));
	ck_assert_int_eq(errno, EOPNOTSUPP);
	ck_assert_int_eq(context->ops.bind_mw(p.end[0].qp, NULL, &bind),
		EOPNOTSUPP);
	ck_assert_int_eq(context->ops.dealloc_mw(NULL), EOPNOTSUPP);
	ck_assert_ptr_null(ibv_alloc_null_mr(p.end[0].pd));
	ck_assert_int_eq(errno, EOPNOTSUPP);
	pair_close(&p);
}
END_TEST

START_TEST(gids_are_those_of_roce)
{
	struct ibv_device_attr attr;
	struct ibv_context *context;
	struct sockaddr_in addr;
	union ibv_gid gid;
	struct pair p;

	pair_open(&p, &plain);
	context = p.end[0].id->verbs;
	soft_dev_addr(p.dev, &addr);
	ck_assert_int_eq(p.fabric->query_device(context, &attr), 0);
	ck_assert_int_eq(p.fabric->query_gid(context, 1, 0, &gid), 0);
	ck_assert_uint_eq(gid.raw[0], 0xfe);
	ck_assert_uint_eq(gid.global.interface_id, attr.node_guid);
	ck_assert_int_eq(p.fabric->query_gid(context, 1, 1, &gid), 0);
	ck_assert_mem_eq(&gid.raw[12], &addr.sin_addr, 4);
	ck_assert_int_eq(p.fabric->query_gid(context, 1, 2, &gid), -1);
	ck_assert_int_eq(p.fabric->query_gid(context, 2, 0, &gid), -1);
	pair_close(&p);
}
END_TEST

static int
count_fds(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int nr = 0;

	ck_assert_ptr_nonnull(dir);
	while (readdir(dir))
		nr++;
	closedir(dir);
	return nr;
}

START_TEST(a_device_leaves_nothing_behind)
{
	struct pair_attr attr = { .dev = { .irqmode = (enum soft_irqmode)_i,
					  .completion_nsec = 1000 } };
	int before = count_fds();
	struct pair p;

	pair_open(&p, &attr);
	pair_recv(&p.end[1], 1, 0, 10);
	pair_send(&p.end[0], 1, 10, 0);
	ck_assert_int_gt(count_fds(), before);
	pair_close(&p);
	ck_assert_int_eq(count_fds(), before);
}
END_TEST

START_TEST(a_device_outlives_its_owner_while_it_is_used)
{
	const struct soft_dev_attr attr = { 0 };
	const struct fabric *f = fabric_find("soft");
	struct rdma_event_channel *events = f->create_event_channel();
	struct ibv_device_attr device;
	struct sockaddr_in addr;
	struct rdma_cm_id *id;
	struct soft_dev *dev;
	struct ibv_pd *pd;

	ck_assert_int_eq(soft_dev_create(&attr, &dev), 0);
	soft_dev_addr(dev, &addr);
	f->create_id(events, &id, NULL, RDMA_PS_TCP);
	ck_assert_int_eq(f->bind_addr(id, (struct sockaddr *)&addr), 0);
	pd = f->alloc_pd(id->verbs);
	soft_dev_put(dev);
	ck_assert_int_eq(f->destroy_id(id), 0);
	ck_assert_int_eq(f->query_device(pd->context, &device), 0);
	ck_assert_int_eq(f->dealloc_pd(pd), 0);
	/* Gone with its last user: the address is nobody's. */
	f->create_id(events, &id, NULL, RDMA_PS_TCP);
	ck_assert_int_eq(f->bind_addr(id, (struct sockaddr *)&addr), -1);
	ck_assert_int_eq(errno, ENODEV);
	f->destroy_id(id);
	f->destroy_event_channel(events);
}
END_TEST

int
main(void)
{
	TCase *t = tcase_create("soft_dev");

	tcase_add_test(t, each_device_has_an_address_of_its_own);
	tcase_add_test(t, attributes_out_of_range_are_refused);
	tcase_add_test(t, libibverbs_inlines_work_on_a_soft_context);
	tcase_add_test(t, gids_are_those_of_roce);
	tcase_add_loop_test(t, a_device_leaves_nothing_behind, 0, 4);
	tcase_add_test(t, a_device_outlives_its_owner_while_it_is_used);
	return unit_run(t, "soft_dev");
}
