/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A channel: one RC connection of a session, with the queues that use it.
 *
 *	queues[0 .. nr_queues)   each with its slots; normally one
 *	area:  [ control IUs | rx | rx | rx ... ]  one MR
 *
 *	receive ring; receives complete in the order they were posted:
 *	        rx_wrs: [p][p][p][p][ ][ ][p]     p = posted
 *	                             ^rx_next, rx_free = 2
 *
 *	send queue: sq_free counts slots; a signalled SEND's completion gives
 *	back its own slot and those of the unsignalled ones before it.
 *
 * Owner: whoever is inside `bias`: the queue's thread, the keeper while that
 * thread is away. `down` is written by the keeper and read by all.
 */
#ifndef CORE_CHANNEL_H
#define CORE_CHANNEL_H

#include <rdma/rdma_cma.h>

#include "core/bias.h"
#include "core/io.h"
#include "util/counter.h"
#include "util/list.h"
#include "util/mem.h"

/* Immediate data of one command: as much as the Linux initiator asks for. */
#define CHANNEL_MAX_IMM_BYTES 8192u

/* Queues that may share one connection. */
#define CHANNEL_MAX_QUEUES 64

struct channel_attr {
	struct srpi_session *session;
	unsigned int window;	/* commands on the wire at once, at most */
	unsigned int max_descs; /* per command */
	bool imm_data;		/* ask for it */
	uint64_t deadline_ns;	/* of the login, on clock_ns() */
	bool multi;		/* SRP_MULTICHAN_MULTI */
};

/* What CRED_RSP, AER_RSP and TSK_MGMT are sent from. */
#define CHANNEL_NR_CTL	  8
#define CHANNEL_CTL_BYTES 64

/* No queue has this index: the tag of task management. */
#define CHANNEL_TMF_PLACE 0xffffffffu

/* The one task management request at a time. */
struct channel_tmf {
	bool is_pending, is_done;
	uint8_t rsp_code;
	uint32_t life;
};

enum channel_state {
	CHANNEL_CONNECTING,
	CHANNEL_UP,
	CHANNEL_FAILED, /* the QP is in error, every I/O has been ended */
};

struct channel {
	/* transmit */
	struct ibv_qp *qp;
	int32_t credits; /* SRP request limit; may go below 0 for a while */
	int32_t kept_credits; /* commands leave so many: task management */
	uint32_t sq_free, sq_unsignalled, signal_every;
	uint32_t max_inline, imm_bytes; /* immediate data; 0: not granted */
	struct io_list ready;
	uint32_t nr_answered; /* I/Os whose SEND is still to complete */

	/* receive */
	struct ibv_cq *recv_cq, *send_cq;
	struct srpi_queue *queues[CHANNEL_MAX_QUEUES];
	uint32_t nr_queues;
	uint8_t *rx_area;
	struct ibv_recv_wr *rx_wrs;
	uint32_t nr_rx, rx_bytes;
	uint32_t rx_next, rx_free, rx_batch;
	uint32_t nr_posted, window; /* commands on the wire; at most */
	uint32_t other_window; /* 0; the window while that is held at 0 */
	struct srpi_stats stats; /* of the connection, not of commands */
	bool wants_stages;
	uint64_t stage_ns; /* of the batch being posted or handled */

	/* several threads: see core/share.h */
	_Atomic bool is_shared; /* once true, for good */
	/* shared, by a session that has more queues than there are CPUs */
	_Atomic bool is_crowded;
	bool has_news;
	_Atomic uint32_t has_leader;
	_Atomic(struct service *) service; /* polls it; NULL: a leader does */
	struct service_watch *service_watch;

	/* completion events */
	bool armed; /* an event will come, or is there to be read */
	bool is_blocked; /* a waiter sleeps on comp and kick_fd, outside */
	bool is_owner_blocked; /* and it is the owner */
	int kick_fd;	 /* eventfd: a visitor has ended I/Os */
	uint32_t nr_unacked;

	/* now and then */
	struct bias bias;
	uint64_t scan_at_ns; /* coarse: no deadline passes before */
	uint64_t io_timeout_ns;
	struct io_list delayed; /* BUSY: back off */
	_Atomic uint32_t nr_entries; /* owner's calls, for the keeper */
	enum channel_state state;
	int error; /* why it FAILED: -errno for its I/Os */
	_Atomic bool down; /* the CM said so */
	struct channel_tmf tmf;
	char reason[256];

	/* set up and torn down */
	struct srpi_session *session;
	struct list node; /* in the session; under its channels_lock */
	unsigned int nr_users, nr_pins, number;
	uint32_t round; /* the last that came by: session_pin_channel() */
	bool is_control, has_fd_user, wants_imm;
	enum srpi_completion completion;
	struct rdma_event_channel *events;
	struct rdma_cm_id *id;
	struct ibv_comp_channel *comp;
	struct ibv_mr *mr;
	struct mem area;
	uint8_t *ctl_area;
	struct ibv_sge *rx_sges;
	uint32_t ctl_next, max_descs, want_it_iu_bytes;
	uint64_t login_deadline_ns;
	uint32_t req_lim, max_it_iu_bytes; /* as granted at login */
	size_t memory_bytes;
	struct list keeper_node;
	struct keeper_watch *watch;
};

/* ---- set up: channel.c, login.c ---- */

/*
 * Connects, logs in, posts receives. Errors and sentence as srpi_open().
 * With -EMSGSIZE the target wants shorter IUs: try fewer descriptors.
 */
int channel_create(const struct channel_attr *attr, struct channel **channel,
	char *reason, size_t n);
/* No thread is inside. Accepts every partly built state. */
void channel_destroy(struct channel *channel);

/* Lets @queue's commands travel on @ch, or ends that. */
int channel_attach(struct channel *ch, struct srpi_queue *queue);
void channel_detach(struct channel *ch, struct srpi_queue *queue);

/* The steps of channel_create() that talk to the target (login.c). */
int login_resolve(struct channel *ch, char *reason, size_t n);
int login_connect(struct channel *ch, bool multi, char *reason, size_t n);

/* ---- per I/O: channel_io.c; the caller is inside ---- */

/* Handles what has arrived; returns the number of completions seen. */
int channel_poll(struct channel *ch);
/* Posts READY commands as far as credits and send queue allow. */
void channel_send(struct channel *ch);
/* A command's response has been judged; its result is filled. */
void channel_take_answer(struct channel *ch, struct srpi_io *io);
/* Ends one command; its result is filled. */
void channel_finish(struct channel *ch, struct srpi_io *io);
/* Posts receives for the free part of the ring. */
void channel_post_rx(struct channel *ch);
/* The slot whose command is on the wire under @tag; NULL: a late response. */
struct srpi_io *channel_lookup(struct channel *ch, uint64_t tag);
/* Books one SEND that is no command; false: the send queue is full. */
bool channel_take_slot(struct channel *ch, struct ibv_send_wr *wr);
/* Takes back send-queue space from signalled completions. */
void channel_reclaim(struct channel *ch);

/* ---- now and then; the caller is inside ---- */

/* An IU that is not a plain good response to a live tag (channel_iu.c). */
void channel_on_iu(struct channel *ch, const uint8_t *iu, uint32_t len);
/* Sends a short IU that needs no slot; 0 or -errno, the channel has failed. */
int channel_send_ctl(struct channel *ch, const void *iu, uint32_t bytes);

static inline uint64_t
channel_tmf_tag(const struct channel *ch)
{
	return (uint64_t)ch->tmf.life << 32 | CHANNEL_TMF_PLACE;
}

/* channel_event.c */
void channel_on_bad_wc(struct channel *ch, const struct ibv_wc *wc);
/* Takes the connection down and ends every I/O with @error. */
void channel_fail(struct channel *ch, int error, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Ends one command, or all of a LUN's, with -ECANCELED. */
void channel_cancel(struct channel *ch, struct srpi_io *io);
void channel_cancel_lun(struct channel *ch, const struct srpi_lun *lun);
/* Are commands of the LUN's on the wire? */
bool channel_has_posted(struct channel *ch, const struct srpi_lun *lun);
/*
 * Ends the connection of a channel about to be destroyed, for those still
 * about. Not inside.
 */
void channel_shut(struct channel *ch);
/* Between the two it sends no commands (tmf.c). Not inside. */
void channel_hold(struct channel *ch);
void channel_release(struct channel *ch);
/* Ends every I/O: the channel has FAILED. */
void channel_end_all(struct channel *ch, int error);
/* Ends I/Os past io_timeout; revives delayed ones. @now: coarse clock. */
void channel_check_deadlines(struct channel *ch, uint64_t now);
/* ns until channel_check_deadlines() has something to do; -1: nothing. */
int64_t channel_next_check(struct channel *ch, uint64_t now);
/*
 * Asks for one event, unless one is due already. What came before raises none:
 * it is polled, all of it, which is no more than there were receives. What
 * comes later raises one.
 */
int channel_arm(struct channel *ch);
/*
 * In and out for a thread that is not the owner; false: somebody is inside.
 * Going out wakes whoever waits for an I/O that has ended meanwhile.
 */
bool channel_visit(struct channel *ch);
/* The same, but waits for whoever is inside to leave. */
void channel_visit_wait(struct channel *ch);
void channel_unvisit(struct channel *ch, bool park);
void channel_read_kick(struct channel *ch);
/* Reads the event that is there. */
void channel_read_events(struct channel *ch);
void channel_ack_events(struct channel *ch);

static inline bool
channel_is_shared(struct channel *ch)
{
	return atomic_load_explicit(&ch->is_shared, memory_order_relaxed);
}

static inline bool
channel_is_served(struct channel *ch)
{
	return atomic_load_explicit(&ch->service, memory_order_relaxed);
}

/* ---- owner's way in and out ---- */

void channel_enter_slow(struct channel *ch);
/* Out and in again, for those who want in. */
void channel_give_way(struct channel *ch);
/*
 * Several threads use it from now on: core/share.h. Not inside. Returns when
 * its owner does not sleep as such any more.
 */
void channel_share(struct channel *ch);
/* Wakes the queues whose I/Os have ended; inside (core/share.h). */
void share_wake(struct channel *ch);

static inline void
channel_enter(struct channel *ch)
{
	uint32_t n =
		atomic_load_explicit(&ch->nr_entries, memory_order_relaxed);

	atomic_store_explicit(&ch->nr_entries, n + 1, memory_order_relaxed);
	if (unlikely(!bias_try_enter(&ch->bias)))
		channel_enter_slow(ch);
}

static inline void
channel_leave(struct channel *ch)
{
	if (unlikely(ch->has_news))
		share_wake(ch);
	bias_leave(&ch->bias);
}

#endif /* CORE_CHANNEL_H */
