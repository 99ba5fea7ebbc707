/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A channel's set-up and teardown. One thread at a time; the keeper knows
 * the channel only between keeper_add() and keeper_remove().
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "core/channel.h"
#include "core/keeper.h"
#include "core/queue.h"
#include "core/session.h"
#include "fabric/fabric.h"
#include "util/clock.h"
#include "util/log.h"
#include "wire/srp_iu.h"

#define CHANNEL_MAX_SIGNAL_EVERY 32u

static const struct fabric *
channel_fabric(const struct channel *ch)
{
	return ch->session->attr.fabric;
}

/* At depth one too a receive need not be posted for each response. */
#define CHANNEL_MIN_RX_BATCH 16

/*
 * Receives: one for each command, one for task management, two for the
 * target's own requests; a batch more, so that they are posted in batches.
 */
static void
channel_size(struct channel *ch, const struct channel_attr *attr)
{
	const struct session_attr *sa = &attr->session->attr;
	uint32_t depth = attr->window;

	ch->window = depth;
	ch->max_descs = attr->max_descs;
	ch->want_it_iu_bytes = (uint32_t)srp_iu_cmd_bytes(
		SRP_DESC_INDIRECT, attr->max_descs, 0);
	if (attr->max_descs == 1)
		ch->want_it_iu_bytes = SRP_MIN_IU_BYTES;
	ch->wants_imm = attr->imm_data;
	if (attr->imm_data)
		ch->want_it_iu_bytes = max_t(uint32_t, ch->want_it_iu_bytes,
			SRP_IMM_OFFSET + CHANNEL_MAX_IMM_BYTES);
	ch->rx_bytes = sa->rx_iu_bytes;
	ch->rx_batch = max_t(
		uint32_t, CHANNEL_MIN_RX_BATCH, min_t(uint32_t, depth / 4, 32));
	ch->nr_rx = depth + 3 + ch->rx_batch;
	ch->io_timeout_ns = sa->io_timeout_ms * CLOCK_NS_PER_MSEC;
	ch->login_deadline_ns = attr->deadline_ns;
}

static int
channel_check_device(struct channel *ch, char *reason, size_t n)
{
	struct srpi_session *session = ch->session;

	if (session->verbs && session->verbs != ch->id->verbs) {
		snprintf(reason, n,
			"the route changed to another RDMA device; close the session and open it again");
		return -ENODEV;
	}
	return session_set_device(session, ch->id, reason, n);
}

/* Channels go round the device's completion vectors. */
static int
channel_pick_vector(const struct channel *ch)
{
	struct srpi_session *session = ch->session;
	unsigned int nr = (unsigned int)max(ch->id->verbs->num_comp_vectors, 1);

	return (int)((session->attr.comp_vector + session->next_vector++) % nr);
}

/*
 * Fewer events, later: a device without moderation raises each, which is
 * slower and not wrong.
 */
static void
channel_moderate(const struct channel *ch)
{
	const struct session_attr *sa = &ch->session->attr;
	struct ibv_modify_cq_attr attr = {
		.attr_mask = IBV_CQ_ATTR_MODERATE,
		.moderate = {
			.cq_count = (uint16_t)sa->cq_count,
			.cq_period = (uint16_t)sa->cq_usec,
		},
	};
	int error;

	if (!sa->cq_count && !sa->cq_usec)
		return;
	if (ch->window == 1 && sa->cq_usec)
		log_warn("core",
			"cq_usec=%u delays every completion at depth 1: leave it out when latency matters",
			sa->cq_usec);
	error = channel_fabric(ch)->modify_cq(ch->recv_cq, &attr);
	if (error)
		log_warn("core",
			"this RDMA device has no CQ moderation (%s): cq_count and cq_usec have no effect",
			strerror(error));
}

static int
channel_create_cqs(struct channel *ch, uint32_t sq_size, char *reason, size_t n)
{
	const struct fabric *fabric = channel_fabric(ch);

	ch->comp = fabric->create_comp_channel(ch->id->verbs);
	if (!ch->comp)
		return session_call_failed(
			ch->session, "creating a completion channel", errno, reason, n);
	fcntl(ch->comp->fd, F_SETFL,
		fcntl(ch->comp->fd, F_GETFL) | O_NONBLOCK);
	fcntl(ch->comp->fd, F_SETFD, FD_CLOEXEC);
	/* unsignalled work flushes with completions too: room for all */
	ch->recv_cq = fabric->create_cq(ch->id->verbs, (int)ch->nr_rx + 1, ch,
		ch->comp, channel_pick_vector(ch));
	ch->send_cq = fabric->create_cq(
		ch->id->verbs, (int)sq_size + 1, ch, NULL, 0);
	if (!ch->recv_cq || !ch->send_cq)
		return session_call_failed(
			ch->session, "creating completion queues", errno, reason, n);
	channel_moderate(ch);
	return 0;
}

/* The inline size can't be queried: ask for less until it is granted. */
static int
channel_create_qp(struct channel *ch, uint32_t sq_size, char *reason, size_t n)
{
	static const uint32_t inline_bytes[] = { 256, 128, 64, 0 };
	struct ibv_qp_init_attr attr;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(inline_bytes); i++) {
		attr = (struct ibv_qp_init_attr){
			.send_cq = ch->send_cq,
			.recv_cq = ch->recv_cq,
			.qp_type = IBV_QPT_RC,
			.cap = {
				.max_send_wr = sq_size,
				.max_recv_wr = ch->nr_rx,
				.max_send_sge =
					ch->wants_imm ? IO_MAX_SGES : 1,
				.max_recv_sge = 1,
				.max_inline_data = inline_bytes[i],
			},
		};
		if (!channel_fabric(ch)->create_qp(
			    ch->id, ch->session->pd, &attr)) {
			ch->qp = ch->id->qp;
			ch->max_inline = attr.cap.max_inline_data;
			return 0;
		}
	}
	return session_call_failed(
		ch->session, "creating a queue pair", errno, reason, n);
}

static int
channel_create_queues(struct channel *ch, char *reason, size_t n)
{
	uint32_t want = 2 * ch->window + 2 * CHANNEL_NR_CTL;
	uint32_t sq_size = min(want, ch->session->max_qp_wr);
	uint32_t every = ch->session->attr.signal_every;
	int ret;

	if (sq_size < ch->window / 2 + CHANNEL_NR_CTL + 2 ||
		ch->nr_rx > ch->session->max_qp_wr) {
		snprintf(reason, n,
			"depth %u needs longer work queues than the %u entries of this RDMA device; ask for less (depth=)",
			ch->window, ch->session->max_qp_wr);
		return -EINVAL;
	}
	/* at most half of what commands may use: see channel_room() */
	if (!every || every > (sq_size - CHANNEL_NR_CTL) / 2)
		every = max_t(uint32_t, 1,
			min_t(uint32_t, (sq_size - CHANNEL_NR_CTL) / 4,
				CHANNEL_MAX_SIGNAL_EVERY));
	ch->signal_every = every;
	ch->sq_free = sq_size;
	ret = channel_create_cqs(ch, sq_size, reason, n);
	return ret ? ret : channel_create_qp(ch, sq_size, reason, n);
}

/* ---- memory ---- */

static void
channel_init_rx(struct channel *ch)
{
	uint32_t i;

	for (i = 0; i < ch->nr_rx; i++) {
		ch->rx_sges[i] = (struct ibv_sge){
			.addr = (uintptr_t)ch->rx_area +
				(uint64_t)i * ch->rx_bytes,
			.length = ch->rx_bytes,
			.lkey = ch->mr->lkey,
		};
		ch->rx_wrs[i] = (struct ibv_recv_wr){
			.wr_id = i,
			.sg_list = &ch->rx_sges[i],
			.num_sge = 1,
			.next = &ch->rx_wrs[(i + 1) % ch->nr_rx],
		};
	}
}

static int
channel_alloc(struct channel *ch)
{
	size_t ctl_bytes = CHANNEL_NR_CTL * CHANNEL_CTL_BYTES;
	size_t rx_bytes = (size_t)ch->nr_rx * ch->rx_bytes;
	int ret = mem_alloc(&ch->area, ctl_bytes + rx_bytes, 0);

	if (ret)
		return ret;
	ch->ctl_area = ch->area.addr;
	ch->rx_area = ch->ctl_area + ctl_bytes;
	ch->rx_wrs = calloc(ch->nr_rx, sizeof(*ch->rx_wrs));
	ch->rx_sges = calloc(ch->nr_rx, sizeof(*ch->rx_sges));
	if (!ch->rx_wrs || !ch->rx_sges)
		return -ENOMEM;
	ch->memory_bytes = sizeof(*ch) + ch->area.map_bytes +
		ch->nr_rx * (sizeof(*ch->rx_wrs) + sizeof(*ch->rx_sges));
	return 0;
}

static int
channel_create_memory(struct channel *ch, char *reason, size_t n)
{
	int ret = channel_alloc(ch);

	if (ret) {
		snprintf(reason, n, "memory for %u receives: %s", ch->nr_rx,
			strerror(-ret));
		return ret;
	}
	ch->mr = channel_fabric(ch)->reg_mr(ch->session->pd, ch->area.addr,
		ch->area.bytes, IBV_ACCESS_LOCAL_WRITE);
	if (!ch->mr)
		return session_call_failed(ch->session,
			"registering receive memory", errno, reason, n);
	channel_init_rx(ch);
	return 0;
}

/* ---- create, destroy ---- */

static int
channel_connect(struct channel *ch, bool multi, char *reason, size_t n)
{
	int ret = login_resolve(ch, reason, n);

	if (!ret)
		ret = channel_check_device(ch, reason, n);
	if (!ret)
		ret = channel_create_queues(ch, reason, n);
	if (!ret)
		ret = channel_create_memory(ch, reason, n);
	if (ret)
		return ret;
	/* before connect: a fast target's first IU finds a receive */
	ch->state = CHANNEL_UP;
	ch->rx_free = ch->nr_rx;
	channel_post_rx(ch);
	if (ch->state != CHANNEL_UP) {
		snprintf(reason, n, "%s", ch->reason);
		return ch->error;
	}
	return login_connect(ch, multi, reason, n);
}

/* What the target granted bounds one command. */
static int
channel_apply_grant(struct channel *ch, char *reason, size_t n)
{
	const uint32_t fixed = (uint32_t)srp_iu_cmd_bytes(
		SRP_DESC_INDIRECT, 0, 0);
	uint32_t fit = ch->max_it_iu_bytes < fixed ? 0
		: (ch->max_it_iu_bytes - fixed) /
			(uint32_t)sizeof(struct srp_direct_buf);
	int ret;

	ch->max_descs = max_t(uint32_t, 1, min(ch->max_descs, fit));
	ret = keeper_add(ch);
	if (ret)
		snprintf(reason, n, "starting the keeper thread: %s",
			strerror(-ret));
	return ret;
}

int
channel_create(const struct channel_attr *attr, struct channel **out,
	char *reason, size_t n)
{
	struct channel *ch = mem_aligned_zalloc(64, sizeof(*ch));
	int ret;

	if (!ch) {
		snprintf(reason, n, "out of memory");
		return -ENOMEM;
	}
	ch->session = attr->session;
	ch->scan_at_ns = UINT64_MAX;
	io_list_init(&ch->ready);
	io_list_init(&ch->delayed);
	bias_init(&ch->bias);
	ch->kick_fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	channel_size(ch, attr);
	if (ch->kick_fd < 0)
		ret = session_call_failed(ch->session,
			"creating an eventfd", errno, reason, n);
	else
		ret = channel_connect(ch, attr->multi, reason, n);
	if (!ret)
		ret = channel_apply_grant(ch, reason, n);
	if (ret)
		channel_destroy(ch);
	else
		*out = ch;
	return ret;
}

/* ---- the queues ---- */

int
channel_attach(struct channel *ch, struct srpi_queue *queue)
{
	uint32_t i;
	int ret = 0;

	channel_enter(ch);
	for (i = 0; i < ch->nr_queues && ch->queues[i]; i++)
		;
	if (i == CHANNEL_MAX_QUEUES) {
		ret = -ENOSPC;
	} else {
		queue->index = i;
		slots_set_place(&queue->slots, i);
		ch->queues[i] = queue;
		ch->nr_queues = max(ch->nr_queues, i + 1);
		ch->wants_stages |= queue->wants_stages;
	}
	channel_leave(ch);
	return ret;
}

void
channel_detach(struct channel *ch, struct srpi_queue *queue)
{
	channel_enter(ch);
	/* a queue whose making failed may never have been attached */
	if (ch->queues[queue->index] == queue)
		ch->queues[queue->index] = NULL;
	channel_leave(ch);
}

static void
channel_destroy_verbs(struct channel *ch)
{
	const struct fabric *fabric = channel_fabric(ch);

	if (ch->qp)
		fabric->destroy_qp(ch->id);
	if (ch->mr)
		fabric->dereg_mr(ch->mr);
	if (ch->recv_cq) {
		channel_ack_events(ch);
		fabric->destroy_cq(ch->recv_cq);
	}
	if (ch->send_cq)
		fabric->destroy_cq(ch->send_cq);
	if (ch->comp)
		fabric->destroy_comp_channel(ch->comp);
	if (ch->id)
		fabric->destroy_id(ch->id);
	if (ch->events)
		fabric->destroy_event_channel(ch->events);
}

void
channel_destroy(struct channel *ch)
{
	if (!ch)
		return;
	keeper_remove(ch);
	if (ch->qp)
		channel_fabric(ch)->disconnect(ch->id);
	channel_destroy_verbs(ch);
	mem_free(&ch->area);
	free(ch->rx_wrs);
	free(ch->rx_sges);
	bias_fini(&ch->bias);
	if (ch->kick_fd >= 0)
		close(ch->kick_fd);
	free(ch);
}
