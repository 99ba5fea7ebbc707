/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What the software device itself costs: the messages of an SRP read without
 * SRP. It is the ceiling of what `srpbench loopback` can reach.
 *
 *	initiator                     target (a handler, or a thread)
 *	 SEND 64 bytes, inline ------> receive
 *	 <--------------- RDMA WRITE of bs bytes, SEND 36 bytes
 *	 receive
 *
 * Each side polls a batch, and posts what follows from it as one list. SENDs
 * are signalled one in SIGNAL_EVERY, receives are posted again in batches: a
 * chain of work requests made once.
 */
#include "bench/srpbench.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "bench/bench_link.h"
#include "bench/srpbench_opts.h"
#include "util/clock.h"
#include "util/compiler.h"
#include "util/thread.h"

#define COMMAND_BYTES 64
#define RESPONSE_BYTES 36
#define RX_BYTES 512
#define RX_BATCH 32
#define POLL_BATCH 32
#define SIGNAL_EVERY 32
#define SQ_MARGIN (4 * SIGNAL_EVERY)

struct command {
	uint64_t tag;
	uint64_t addr;
	uint32_t rkey;
	uint32_t bytes;
	uint8_t pad[COMMAND_BYTES - 24];
};
ASSERT_SIZE(struct command, COMMAND_BYTES);

struct response {
	uint64_t tag;
	uint8_t pad[RESPONSE_BYTES - 8];
} __attribute__((packed));
ASSERT_SIZE(struct response, RESPONSE_BYTES);

/* Receive buffers, posted RX_BATCH at a time in the order they are used. */
struct rx {
	struct ibv_qp *qp;
	uint8_t *buf;
	struct ibv_recv_wr *wr;
	struct ibv_sge *sge;
	uint32_t nr;	 /* a multiple of RX_BATCH */
	uint32_t nr_used; /* since the last batch was posted */
	uint32_t next;	 /* first of the batch to post next */
};

struct side {
	struct bench_end *end;
	struct rx rx;
	uint32_t nr_sent; /* since the last signalled one */
};

struct slot {
	struct command command;
	struct ibv_send_wr wr;
	struct ibv_sge sge;
};

/* Data and response of one command. */
struct answer {
	struct ibv_send_wr wr[2];
	struct ibv_sge sge[2];
	struct response response;
};

struct pingpong {
	const struct srpbench_opts *opts;
	struct bench_link link;
	struct side initiator;
	struct side target;
	struct slot *slots;
	struct answer answers[POLL_BATCH]; /* linked in this order */
	struct thread thread;
	int stop_fd;
	_Atomic(bool) is_stopping;
	_Atomic(int) error; /* -errno of either side; 0 = none */
	uint64_t nr_done;
};

static int
rx_init(struct rx *rx, struct bench_end *end, uint8_t *buf, uint32_t nr)
{
	uint32_t i;

	rx->qp = end->qp;
	rx->buf = buf;
	rx->nr = nr;
	rx->wr = calloc(nr, sizeof(rx->wr[0]));
	rx->sge = calloc(nr, sizeof(rx->sge[0]));
	if (!rx->wr || !rx->sge)
		return -ENOMEM;
	for (i = 0; i < nr; i++) {
		rx->sge[i].addr = (uintptr_t)(buf + (size_t)i * RX_BYTES);
		rx->sge[i].length = RX_BYTES;
		rx->sge[i].lkey = end->mr->lkey;
		rx->wr[i].wr_id = i;
		rx->wr[i].sg_list = &rx->sge[i];
		rx->wr[i].num_sge = 1;
		if (i % RX_BATCH != RX_BATCH - 1)
			rx->wr[i].next = &rx->wr[i + 1];
	}
	return 0;
}

static void
rx_fini(struct rx *rx)
{
	free(rx->wr);
	free(rx->sge);
}

static int
rx_post_batch(struct rx *rx)
{
	struct ibv_recv_wr *bad;
	int ret = ibv_post_recv(rx->qp, &rx->wr[rx->next], &bad);

	rx->next += RX_BATCH;
	if (rx->next == rx->nr)
		rx->next = 0;
	return -ret;
}

/* One buffer was read; they are used in the order they were posted. */
static inline int
rx_done(struct rx *rx)
{
	if (likely(++rx->nr_used < RX_BATCH))
		return 0;
	rx->nr_used = 0;
	return rx_post_batch(rx);
}

/* Signal one in SIGNAL_EVERY, and take the completion of the one before. */
static inline int
next_flags(struct side *side, int *error)
{
	struct ibv_wc wc[4];
	int i, nr;

	if (likely(++side->nr_sent < SIGNAL_EVERY))
		return IBV_SEND_INLINE;
	side->nr_sent = 0;
	nr = ibv_poll_cq(side->end->send_cq, 4, wc);
	for (i = 0; i < nr; i++) {
		if (wc[i].status != IBV_WC_SUCCESS)
			*error = -EIO;
	}
	return IBV_SEND_INLINE | IBV_SEND_SIGNALED;
}

/* Fill in one answer; what the peer says is checked as a target must. */
static inline int
answer_command(struct pingpong *p, const struct ibv_wc *wc,
	struct answer *answer)
{
	const struct command *command;
	int error = 0, ret;

	if (unlikely(wc->status != IBV_WC_SUCCESS ||
		    wc->byte_len != COMMAND_BYTES))
		return -EIO;
	command = (const void *)(p->target.rx.buf + wc->wr_id * RX_BYTES);
	if (unlikely(command->bytes > p->opts->bs_bytes))
		return -EPROTO;
	answer->sge[0].length = command->bytes;
	answer->wr[0].wr.rdma.remote_addr = command->addr;
	answer->wr[0].wr.rdma.rkey = command->rkey;
	answer->response.tag = command->tag;
	answer->wr[1].send_flags = (unsigned int)next_flags(&p->target, &error);
	ret = rx_done(&p->target.rx);
	return ret ? ret : error;
}

/* One poll's worth is answered by one post: queue, then flush. */
static int
answer_all(struct pingpong *p, const struct ibv_wc *wc, int nr)
{
	struct ibv_send_wr *bad, *last = &p->answers[nr - 1].wr[1];
	int i, ret;

	for (i = 0; i < nr; i++) {
		ret = answer_command(p, &wc[i], &p->answers[i]);
		if (unlikely(ret))
			return ret;
	}
	last->next = NULL;
	ret = ibv_post_send(p->target.end->qp, &p->answers[0].wr[0], &bad);
	if (nr < POLL_BATCH)
		last->next = &p->answers[nr].wr[0];
	return -ret;
}

/* Everything that has come; the number, or -errno. */
static int
serve(struct pingpong *p)
{
	struct ibv_wc wc[POLL_BATCH];
	int nr, sum = 0, ret;

	do {
		nr = ibv_poll_cq(p->target.end->recv_cq, POLL_BATCH, wc);
		if (nr <= 0)
			return nr < 0 ? nr : sum;
		ret = answer_all(p, wc, nr);
		if (unlikely(ret))
			return ret;
		sum += nr;
	} while (nr == POLL_BATCH);
	return sum;
}

static void
on_command(struct ibv_cq *cq __maybe_unused, void *arg)
{
	struct pingpong *p = arg;
	int ret = serve(p);

	if (unlikely(ret < 0))
		atomic_store(&p->error, ret);
}

/* Wait for the armed CQ's event, or to be stopped. */
static void
wait_for_event(struct pingpong *p)
{
	struct bench_end *e = p->target.end;
	struct pollfd pfd[] = {
		{ .fd = e->channel->fd, .events = POLLIN },
		{ .fd = p->stop_fd, .events = POLLIN },
	};
	struct ibv_cq *cq;
	void *context;

	poll(pfd, 2, -1);
	if (!(pfd[0].revents & POLLIN))
		return;
	if (p->link.fabric->get_cq_event(e->channel, &cq, &context) == 0)
		p->link.fabric->ack_cq_events(cq, 1);
}

static void
serve_thread(void *arg)
{
	struct pingpong *p = arg;
	int ret = 0;

	while (!atomic_load(&p->is_stopping) && ret >= 0) {
		ret = serve(p);
		if (ret != 0)
			continue;
		ibv_req_notify_cq(p->target.end->recv_cq, 0);
		ret = serve(p);
		if (ret == 0)
			wait_for_event(p);
	}
	if (ret < 0)
		atomic_store(&p->error, ret);
}

/* Put the command of slot @index at the end of the list that ends at @tail. */
static inline struct ibv_send_wr **
queue_command(struct pingpong *p, uint64_t index, struct ibv_send_wr **tail,
	int *error)
{
	struct slot *slot = &p->slots[index];

	slot->wr.send_flags = (unsigned int)next_flags(&p->initiator, error);
	*tail = &slot->wr;
	return &slot->wr.next;
}

static int
post_commands(struct pingpong *p, struct ibv_send_wr *list)
{
	struct ibv_send_wr *bad;

	return list ? -ibv_post_send(p->initiator.end->qp, list, &bad) : 0;
}

/* Take what was answered and send as many again, as one list. */
static int
turn_around(struct pingpong *p)
{
	struct ibv_send_wr *list, **tail = &list;
	struct ibv_wc wc[POLL_BATCH];
	int i, nr, ret = 0;

	nr = ibv_poll_cq(p->initiator.end->recv_cq, POLL_BATCH, wc);
	if (nr <= 0)
		return nr;
	for (i = 0; i < nr; i++) {
		const struct response *response = (const void *)(
			p->initiator.rx.buf + wc[i].wr_id * RX_BYTES);

		if (unlikely(wc[i].status != IBV_WC_SUCCESS ||
			    wc[i].byte_len != RESPONSE_BYTES ||
			    response->tag >= p->opts->depth))
			return -EPROTO;
		tail = queue_command(p, response->tag, tail, &ret);
		if (likely(!ret))
			ret = rx_done(&p->initiator.rx);
		if (unlikely(ret))
			return ret;
	}
	*tail = NULL;
	ret = post_commands(p, list);
	return ret ? ret : nr;
}

static int
start_all(struct pingpong *p)
{
	struct ibv_send_wr *list, **tail = &list;
	uint64_t i;
	int error = 0;

	for (i = 0; i < p->opts->depth; i++)
		tail = queue_command(p, i, tail, &error);
	*tail = NULL;
	return error ? error : post_commands(p, list);
}

static bool
is_over(const struct pingpong *p, uint64_t begin_ns)
{
	if (p->opts->exchanges)
		return p->nr_done >= p->opts->exchanges;
	return clock_ns() - begin_ns >= p->opts->runtime_ns;
}

/* The seconds it took are left in @ns. */
static int
run(struct pingpong *p, uint64_t *ns)
{
	uint64_t begin = clock_ns();
	int i, ret = start_all(p);

	while (!ret && !is_over(p, begin)) {
		for (i = 0; i < 64 && ret >= 0; i++) {
			ret = turn_around(p);
			if (ret > 0)
				p->nr_done += (uint64_t)ret;
			else if (p->thread.is_running)
				sched_yield();
		}
		ret = ret < 0 ? ret : atomic_load(&p->error);
	}
	*ns = clock_ns() - begin;
	return ret;
}

static void
init_answers(struct pingpong *p)
{
	uint8_t *data = p->link.end[1].mem.addr;
	int i;

	data += (size_t)p->target.rx.nr * RX_BYTES;
	for (i = 0; i < POLL_BATCH; i++) {
		struct answer *a = &p->answers[i];

		a->sge[0].addr = (uintptr_t)data;
		a->sge[0].lkey = p->link.end[1].mr->lkey;
		a->sge[1].addr = (uintptr_t)&a->response;
		a->sge[1].length = RESPONSE_BYTES;
		a->wr[0].sg_list = &a->sge[0];
		a->wr[0].num_sge = 1;
		a->wr[0].opcode = IBV_WR_RDMA_WRITE;
		a->wr[0].next = &a->wr[1];
		a->wr[1].sg_list = &a->sge[1];
		a->wr[1].num_sge = 1;
		a->wr[1].opcode = IBV_WR_SEND;
		if (i + 1 < POLL_BATCH)
			a->wr[1].next = &p->answers[i + 1].wr[0];
	}
}

static int
init_slots(struct pingpong *p, uint8_t *data)
{
	uint64_t i;

	p->slots = calloc(p->opts->depth, sizeof(p->slots[0]));
	if (!p->slots)
		return -ENOMEM;
	for (i = 0; i < p->opts->depth; i++) {
		struct slot *slot = &p->slots[i];

		slot->command.tag = i;
		slot->command.addr = (uintptr_t)(data + i * p->opts->bs_bytes);
		slot->command.rkey = p->link.end[0].mr->rkey;
		slot->command.bytes = (uint32_t)p->opts->bs_bytes;
		slot->sge.addr = (uintptr_t)&slot->command;
		slot->sge.length = COMMAND_BYTES;
		slot->wr.sg_list = &slot->sge;
		slot->wr.num_sge = 1;
		slot->wr.opcode = IBV_WR_SEND;
	}
	return 0;
}

static int
start_target(struct pingpong *p)
{
	int ret = p->link.fabric->cq_set_handler(p->target.end->recv_cq,
		on_command, p);

	if (ret != EOPNOTSUPP)
		return -ret;
	p->stop_fd = eventfd(0, EFD_CLOEXEC);
	if (p->stop_fd < 0)
		return -errno;
	return thread_start(&p->thread, "pong", THREAD_ANY_CPU, serve_thread,
		p);
}

static void
stop_target(struct pingpong *p)
{
	if (p->stop_fd < 0) {
		p->link.fabric->cq_set_handler(p->target.end->recv_cq, NULL,
			NULL);
		return;
	}
	atomic_store(&p->is_stopping, true);
	eventfd_write(p->stop_fd, 1);
	thread_join(&p->thread);
	close(p->stop_fd);
}

static int
init_sides(struct pingpong *p, uint32_t nr_rx)
{
	uint8_t *rx_buf[2] = { p->link.end[0].mem.addr,
		p->link.end[1].mem.addr };
	int ret = 0;
	uint32_t i;

	p->initiator.end = &p->link.end[0];
	p->target.end = &p->link.end[1];
	ret = rx_init(&p->initiator.rx, p->initiator.end, rx_buf[0], nr_rx);
	if (!ret)
		ret = rx_init(&p->target.rx, p->target.end, rx_buf[1], nr_rx);
	if (!ret)
		ret = init_slots(p, rx_buf[0] + (size_t)nr_rx * RX_BYTES);
	if (!ret)
		init_answers(p);
	for (i = 0; i < nr_rx && !ret; i += RX_BATCH) {
		ret = rx_post_batch(&p->initiator.rx);
		if (!ret)
			ret = rx_post_batch(&p->target.rx);
	}
	return ret;
}

static void
print_result(const struct pingpong *p, uint64_t ns)
{
	const struct srpbench_opts *o = p->opts;
	double seconds = (double)ns / 1e9;
	double iops = (double)p->nr_done / seconds;

	if (o->is_json) {
		printf("{\"benchmark\":\"pingpong\",\"irqmode\":\"%s\","
		       "\"depth\":%llu,\"bs\":%llu,\"exchanges\":%llu,"
		       "\"seconds\":%.6f,\"iops\":%.1f,"
		       "\"ns_per_exchange\":%.2f}\n",
			srpbench_irqmodes[o->irqmode],
			(unsigned long long)o->depth,
			(unsigned long long)o->bs_bytes,
			(unsigned long long)p->nr_done, seconds, iops,
			1e9 / iops);
		return;
	}
	printf("pingpong, software device, irqmode %s, depth %llu, %llu bytes\n"
	       "%llu exchanges in %.3f s: %.0f a second, %.1f ns each "
	       "(includes target)\n",
		srpbench_irqmodes[o->irqmode], (unsigned long long)o->depth,
		(unsigned long long)o->bs_bytes,
		(unsigned long long)p->nr_done, seconds, iops, 1e9 / iops);
}

static int
measure(struct pingpong *p, uint32_t nr_rx)
{
	uint64_t ns = 0;
	int ret = init_sides(p, nr_rx);

	if (!ret)
		ret = start_target(p);
	if (!ret) {
		ret = run(p, &ns);
		stop_target(p);
	}
	if (!ret)
		print_result(p, ns);
	rx_fini(&p->initiator.rx);
	rx_fini(&p->target.rx);
	free(p->slots);
	return ret;
}

int
bench_pingpong(const struct srpbench_opts *opts)
{
	uint32_t nr_rx = ALIGN_UP((uint32_t)opts->depth, RX_BATCH) + RX_BATCH;
	struct pingpong p = { .opts = opts, .stop_fd = -1 };
	const struct bench_link_attr attr = {
		.dev = { .irqmode = (enum soft_irqmode)opts->irqmode,
			.completion_nsec = opts->completion_ns },
		.cap = { .max_send_wr = 2 * (uint32_t)opts->depth + SQ_MARGIN,
			.max_recv_wr = nr_rx,
			.max_send_sge = 1,
			.max_recv_sge = 1,
			.max_inline_data = COMMAND_BYTES },
		.mem_bytes = { (size_t)nr_rx * RX_BYTES +
				opts->depth * (opts->bs_bytes + 1),
			(size_t)nr_rx * RX_BYTES + opts->bs_bytes + 1 },
	};
	char reason[256];
	int ret;

	if (bench_link_open(&p.link, &attr, reason, sizeof(reason))) {
		fprintf(stderr, "srpbench: %s\n", reason);
		return SRPBENCH_UNREACHABLE;
	}
	ret = measure(&p, nr_rx);
	bench_link_close(&p.link);
	if (!ret)
		return SRPBENCH_DONE;
	fprintf(stderr, "srpbench: pingpong failed after %llu exchanges: %s\n",
		(unsigned long long)p.nr_done, strerror(-ret));
	return SRPBENCH_IO_ERROR;
}
