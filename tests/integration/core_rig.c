/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "core_rig.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

const enum srpi_completion rig_modes[RIG_NR_MODES] = {
	SRPI_COMPLETION_INLINE, SRPI_COMPLETION_THREAD, SRPI_COMPLETION_POLL,
	SRPI_COMPLETION_ADAPTIVE, SRPI_COMPLETION_SELF
};

/* ---- the fabric between core and device ---- */

static const struct fabric *soft;
static struct fabric hooked;
static _Atomic int nr_live[RIG_NR_KINDS];
static _Atomic int until_failure; /* 0: no failure is due */
static _Atomic bool has_failed;
static _Atomic int nr_stale;

static bool
fails_now(void)
{
	if (!atomic_load(&until_failure) ||
		atomic_fetch_sub(&until_failure, 1) != 1)
		return false;
	atomic_store(&has_failed, true);
	errno = ENOMEM;
	return true;
}

static void
made(enum rig_kind kind, const void *object)
{
	if (object)
		atomic_fetch_add(&nr_live[kind], 1);
}

static void
gone(enum rig_kind kind)
{
	must(atomic_fetch_sub(&nr_live[kind], 1) > 0);
}

static struct rdma_event_channel *
hook_create_event_channel(void)
{
	struct rdma_event_channel *channel =
		fails_now() ? NULL : soft->create_event_channel();

	made(RIG_EVENT_CHANNEL, channel);
	return channel;
}

static void
hook_destroy_event_channel(struct rdma_event_channel *channel)
{
	gone(RIG_EVENT_CHANNEL);
	soft->destroy_event_channel(channel);
}

static int
hook_get_cm_event(
	struct rdma_event_channel *channel, struct rdma_cm_event **event)
{
	int ret = soft->get_cm_event(channel, event);

	if (!ret && (*event)->event == RDMA_CM_EVENT_REJECTED &&
		atomic_load(&nr_stale)) {
		atomic_fetch_sub(&nr_stale, 1);
		(*event)->status = 10; /* IBA 12.6.7.2: stale connection */
	}
	return ret;
}

static int
hook_create_id(struct rdma_event_channel *channel, struct rdma_cm_id **id,
	void *context, enum rdma_port_space ps)
{
	int ret = fails_now() ? -1 : soft->create_id(channel, id, context, ps);

	made(RIG_ID, ret ? NULL : *id);
	return ret;
}

static int
hook_destroy_id(struct rdma_cm_id *id)
{
	gone(RIG_ID);
	return soft->destroy_id(id);
}

static int
hook_create_qp(struct rdma_cm_id *id, struct ibv_pd *pd,
	struct ibv_qp_init_attr *attr)
{
	int ret = fails_now() ? -1 : soft->create_qp(id, pd, attr);

	made(RIG_QP, ret ? NULL : id->qp);
	return ret;
}

static void
hook_destroy_qp(struct rdma_cm_id *id)
{
	gone(RIG_QP);
	soft->destroy_qp(id);
}

static int
hook_connect(struct rdma_cm_id *id, struct rdma_conn_param *param)
{
	return fails_now() ? -1 : soft->connect(id, param);
}

static struct ibv_pd *
hook_alloc_pd(struct ibv_context *context)
{
	struct ibv_pd *pd = fails_now() ? NULL : soft->alloc_pd(context);

	made(RIG_PD, pd);
	return pd;
}

static int
hook_dealloc_pd(struct ibv_pd *pd)
{
	gone(RIG_PD);
	return soft->dealloc_pd(pd);
}

static struct ibv_mr *
hook_reg_mr(struct ibv_pd *pd, void *addr, size_t length, int access)
{
	struct ibv_mr *mr =
		fails_now() ? NULL : soft->reg_mr(pd, addr, length, access);

	made(RIG_MR, mr);
	return mr;
}

static int
hook_dereg_mr(struct ibv_mr *mr)
{
	gone(RIG_MR);
	return soft->dereg_mr(mr);
}

static struct ibv_comp_channel *
hook_create_comp_channel(struct ibv_context *context)
{
	struct ibv_comp_channel *channel =
		fails_now() ? NULL : soft->create_comp_channel(context);

	made(RIG_COMP_CHANNEL, channel);
	return channel;
}

static int
hook_destroy_comp_channel(struct ibv_comp_channel *channel)
{
	gone(RIG_COMP_CHANNEL);
	return soft->destroy_comp_channel(channel);
}

static struct ibv_cq *
hook_create_cq(struct ibv_context *context, int cqe, void *cq_context,
	struct ibv_comp_channel *channel, int comp_vector)
{
	struct ibv_cq *cq = fails_now()
		? NULL
		: soft->create_cq(
			  context, cqe, cq_context, channel, comp_vector);

	made(RIG_CQ, cq);
	return cq;
}

static int
hook_destroy_cq(struct ibv_cq *cq)
{
	gone(RIG_CQ);
	return soft->destroy_cq(cq);
}

const struct fabric *
rig_fabric(void)
{
	if (soft)
		return &hooked;
	soft = fabric_find("soft");
	ck_assert_ptr_nonnull(soft);
	hooked = *soft;
	hooked.create_event_channel = hook_create_event_channel;
	hooked.destroy_event_channel = hook_destroy_event_channel;
	hooked.get_cm_event = hook_get_cm_event;
	hooked.create_id = hook_create_id;
	hooked.destroy_id = hook_destroy_id;
	hooked.create_qp = hook_create_qp;
	hooked.destroy_qp = hook_destroy_qp;
	hooked.connect = hook_connect;
	hooked.alloc_pd = hook_alloc_pd;
	hooked.dealloc_pd = hook_dealloc_pd;
	hooked.reg_mr = hook_reg_mr;
	hooked.dereg_mr = hook_dereg_mr;
	hooked.create_comp_channel = hook_create_comp_channel;
	hooked.destroy_comp_channel = hook_destroy_comp_channel;
	hooked.create_cq = hook_create_cq;
	hooked.destroy_cq = hook_destroy_cq;
	return &hooked;
}

void
rig_fail_at(int n)
{
	atomic_store(&has_failed, false);
	atomic_store(&until_failure, n);
}

bool
rig_has_failed(void)
{
	return atomic_load(&has_failed);
}

void
rig_stale_rejects(int n)
{
	atomic_store(&nr_stale, n);
}

int
rig_nr_live(enum rig_kind kind)
{
	return atomic_load(&nr_live[kind]);
}

void
rig_expect_nothing_left(void)
{
	static const char *const names[RIG_NR_KINDS] = {
		"event channels", "ids", "protection domains",
		"memory regions", "completion channels", "CQs", "QPs"
	};
	int i;

	for (i = 0; i < RIG_NR_KINDS; i++)
		ck_assert_msg(rig_nr_live((enum rig_kind)i) == 0,
			"%d %s left", rig_nr_live((enum rig_kind)i), names[i]);
}

/* ---- target, session, queue ---- */

void
rig_set_attr(struct rig *rig)
{
	rig->attr = (struct session_attr){
		.fabric = rig_fabric(),
		.id_ext = RIG_ID_EXT,
		.ioc_guid = RIG_IOC_GUID,
		.completion = SRPI_COMPLETION_INLINE,
		.depth = 32,
		.max_descs = 255,
		.imm_data = true,
		.rx_iu_bytes = 512,
		.io_timeout_ms = 20000,
		.login_timeout_ms = 15000,
		.ready_timeout_ms = 10000,
		.retry_count = 7,
		.portal = "rig",
	};
	memcpy(&rig->attr.addr, &rig->addr, sizeof(rig->addr));
}

void
rig_up(struct rig *rig, enum soft_irqmode mode, const struct target_attr *attr)
{
	struct soft_dev_attr dev = { .irqmode = mode };
	struct target_attr full = *attr;

	if (mode == SOFT_IRQ_TIMER)
		dev.completion_nsec = 20 * CLOCK_NS_PER_USEC;
	memset(rig, 0, sizeof(*rig));
	ck_assert_int_eq(soft_dev_create(&dev, &rig->dev), 0);
	soft_dev_addr(rig->dev, &rig->addr);
	rig->addr.sin_port = 0;
	full.fabric = fabric_find("soft");
	full.addr = (struct sockaddr *)&rig->addr;
	full.id_ext = RIG_ID_EXT;
	full.ioc_guid = RIG_IOC_GUID;
	ck_assert_msg(!target_create(&full, &rig->target, rig->reason,
			      sizeof(rig->reason)),
		"%s", rig->reason);
	rig->addr.sin_port = htons(target_port(rig->target));
	rig_set_attr(rig);
}

void
rig_up_ram(struct rig *rig, enum soft_irqmode mode)
{
	static const struct target_lun_attr lun = {
		.backend = "ram",
		.size_bytes = RIG_LUN_BYTES,
	};
	struct target_attr attr = { .luns = &lun, .nr_luns = 1 };

	rig_up(rig, mode, &attr);
}

void
rig_down(struct rig *rig)
{
	rig_expect_nothing_left();
	target_destroy(rig->target);
	soft_dev_put(rig->dev);
}

int
rig_open(struct rig *rig)
{
	int ret = session_create(
		&rig->attr, &rig->session, rig->reason, sizeof(rig->reason));

	if (ret)
		rig->session = NULL;
	return ret;
}

struct srpi_lun *
rig_lun(struct rig *rig, uint64_t number)
{
	struct srpi_lun *lun;
	uint8_t bytes[8];

	ck_assert_int_eq(srpi_lun_from_number(number, bytes), 0);
	ck_assert_msg(!srpi_lun_open(rig->session, bytes, &lun, rig->reason,
			      sizeof(rig->reason)),
		"%s", rig->reason);
	return lun;
}

struct srpi_queue *
rig_queue(struct rig *rig, const struct srpi_queue_opts *opts)
{
	struct srpi_queue *queue;

	ck_assert_msg(!srpi_queue_create(rig->session, opts, &queue,
			      rig->reason, sizeof(rig->reason)),
		"%s", rig->reason);
	return queue;
}

void
rig_open_all(struct rig *rig, const struct srpi_queue_opts *opts)
{
	ck_assert_msg(!rig_open(rig), "%s", rig->reason);
	rig->lun = rig_lun(rig, 0);
	ck_assert_msg(!srpi_buf_alloc(rig->session, RIG_BUF_BYTES, &rig->mem,
			      rig->reason, sizeof(rig->reason)),
		"%s", rig->reason);
	rig->buf = srpi_mem_addr(rig->mem);
	rig->queue = rig_queue(rig, opts);
}

void
rig_close(struct rig *rig)
{
	uint64_t begin = clock_ns();

	session_destroy(rig->session);
	rig->session = NULL;
	ck_assert_uint_lt(clock_ns() - begin, 10 * CLOCK_NS_PER_SEC);
	rig_expect_nothing_left();
}

struct srpi_stats
rig_stats(struct rig *rig)
{
	struct srpi_stats stats;

	srpi_session_stats(rig->session, &stats, sizeof(stats));
	return stats;
}

/* ---- I/O ---- */

static uint32_t
rig_word(uint64_t lba, uint32_t gen, uint32_t i)
{
	return (uint32_t)((lba * 0x9e3779b97f4a7c15u) >> 32) ^
		gen * 0x85ebca6bu ^ i * 0xc2b2ae35u;
}

void
rig_fill(uint8_t *at, uint64_t lba, uint32_t blocks, uint32_t gen)
{
	uint32_t b, i, word;

	for (b = 0; b < blocks; b++)
		for (i = 0; i < RIG_BLOCK; i += 4) {
			word = rig_word(lba + b, gen, i);
			memcpy(at + (size_t)b * RIG_BLOCK + i, &word, 4);
		}
}

void
rig_check(const uint8_t *at, uint64_t lba, uint32_t blocks, uint32_t gen)
{
	uint32_t b, i, word;

	for (b = 0; b < blocks; b++)
		for (i = 0; i < RIG_BLOCK; i += 4) {
			memcpy(&word, at + (size_t)b * RIG_BLOCK + i, 4);
			if (unlikely(word != rig_word(lba + b, gen, i)))
				ck_abort_msg("block %llu differs at byte %u",
					(unsigned long long)(lba + b), i);
		}
}

struct srpi_io *
rig_prep(struct srpi_queue *queue, struct rig *rig, uint64_t lba, bool write)
{
	struct srpi_io *io = srpi_get(queue);
	struct iovec iov = { rig->buf + lba * RIG_BLOCK, RIG_BLOCK };

	must(io);
	must(!(write ? srpi_prep_write(io, rig->lun, lba, 1, &iov, 1)
		     : srpi_prep_read(io, rig->lun, lba, 1, &iov, 1)));
	return io;
}

struct srpi_io *
rig_submit(struct srpi_queue *queue, struct rig *rig, uint64_t lba, bool write)
{
	struct srpi_io *io = rig_prep(queue, rig, lba, write);

	srpi_queue_io(io);
	must(srpi_submit(queue) == 1);
	return io;
}

int
rig_wait_one(struct srpi_queue *queue, struct srpi_result *result)
{
	struct srpi_io *io;
	int error;

	must(srpi_wait(queue, &io, 1, 1, -1) == 1);
	error = srpi_result(io)->error;
	if (result)
		*result = *srpi_result(io);
	srpi_put(io);
	return error;
}

int
rig_do(struct srpi_queue *queue, struct rig *rig, uint64_t lba, bool write)
{
	rig_submit(queue, rig, lba, write);
	return rig_wait_one(queue, NULL);
}

void
rig_verify(struct rig *rig, uint32_t nr, uint32_t gen)
{
	uint32_t i, lba;

	for (i = 0; i < nr; i++) {
		lba = i % 64;
		rig_fill(rig->buf + lba * RIG_BLOCK, lba, 1, gen + i);
		must(!rig_do(rig->queue, rig, lba, true));
		memset(rig->buf + lba * RIG_BLOCK, 0xee, RIG_BLOCK);
		must(!rig_do(rig->queue, rig, lba, false));
		rig_check(rig->buf + lba * RIG_BLOCK, lba, 1, gen + i);
	}
}

void
rig_wait_stat(struct rig *rig, size_t offset, uint64_t at)
{
	uint64_t give_up = clock_ns() + 15 * CLOCK_NS_PER_SEC, value;
	struct srpi_stats stats;

	for (;;) {
		stats = rig_stats(rig);
		memcpy(&value, (const char *)&stats + offset, sizeof(value));
		if (value >= at)
			return;
		ck_assert_msg(clock_ns() < give_up, "counter at %zu is %llu",
			offset, (unsigned long long)value);
		rig_sleep_ms(5);
	}
}

void
rig_sleep_ms(unsigned int ms)
{
	struct timespec ts = { ms / 1000, (long)(ms % 1000) * 1000000 };

	nanosleep(&ts, NULL);
}
