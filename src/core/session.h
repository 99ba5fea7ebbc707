/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A session: one I_T nexus, from the initiator's side.
 *
 *	session
 *	  ├── control     a queue of the session's own: inventory, geometry
 *	  ├── queue[]     the callers' queues, a channel each
 *	  ├── lun[]       opened LUNs
 *	  └── pool        registered memory (mrpool), one protection domain
 *
 * Locks: admin_lock guards the control queue, lock the lists; nothing per
 * I/O takes either.
 */
#ifndef CORE_SESSION_H
#define CORE_SESSION_H

#include <pthread.h>
#include <rdma/rdma_cma.h>
#include <stdbool.h>
#include <sys/socket.h>

#include "core/events.h"
#include "util/list.h"
#include "wire/srp.h"

#include <srpi/srpi.h>

struct channel;
struct channel_attr;
struct fabric;
struct mrpool;

/*
 * What a URL and its keys come to; every field is within its key's range
 * (src/lib checks, the core asserts).
 */
struct session_attr {
	const struct fabric *fabric;
	struct sockaddr_storage addr;	  /* where the target listens */
	struct sockaddr_storage src_addr; /* family AF_UNSPEC: any */
	char portal[64];		  /* addr as text, for messages */
	uint64_t id_ext, ioc_guid;
	uint8_t initiator_id[16];
	bool has_initiator_id; /* else ext 0 + half of GID index 0 */
	bool single;	       /* first login SINGLE: closes all others */
	bool has_default_lun;
	uint64_t default_lun;

	enum srpi_completion completion; /* never DEFAULT */
	unsigned int depth;		 /* 1..1024 */
	unsigned int channels;		 /* 0: one a queue, up to the CPUs */
	unsigned int max_descs;		 /* 1..255 */
	bool imm_data;
	unsigned int signal_every; /* 0: chosen */
	unsigned int rx_iu_bytes;  /* 64..8192 */
	unsigned int cq_count, cq_usec; /* CQ moderation; 0: the device's */
	unsigned int comp_vector;	/* of the first channel; then round */
	unsigned int wait_spin_usec;	/* poll: the client spins, then sleeps */
	int cpu; /* where completion threads run; -1: anywhere */
	unsigned int io_timeout_ms, login_timeout_ms, ready_timeout_ms;
	unsigned int retry_count; /* RC transport retries, 0..7 */

	uint32_t flags; /* SRPI_SESSION_* that the fabric can't tell */
	/*
	 * Whoever keeps the target in this process: on_close(owner) runs last
	 * in session_destroy(), and in session_create() that fails.
	 * cpu_ns(owner) is the target's thread's CPU time.
	 */
	void (*on_close)(void *owner);
	uint64_t (*cpu_ns)(void *owner);
	void *owner;
};

/* The number of the session's own queue; the callers' start at 0. */
#define QUEUE_CONTROL UINT32_MAX

struct srpi_session {
	struct session_attr attr;
	pthread_mutex_t lock;
	pthread_mutex_t admin_lock; /* before `lock`; held across commands */
	struct srpi_queue *control; /* one command at a time, under it */
	struct srpi_mem *scratch;   /* its data buffer */
	struct list queues, luns, mems;
	/* all; changes under channels_lock, never held across a wait */
	struct list channels;
	pthread_mutex_t channels_lock, connect_lock; /* connect first */
	pthread_cond_t channels_unpinned;
	bool is_held;	/* no channel sends commands: core/tmf.c */
	uint32_t round; /* of session_pin_channel() */
	unsigned int nr_channels; /* without the control queue's */
	unsigned int max_channels;
	unsigned int nr_cpus; /* constant */
	unsigned int next_queue, next_vector, next_channel;
	struct events events;
	struct srpi_stats gone; /* of queues that were destroyed; under lock */

	/* set by the first channel, constant then */
	uint8_t initiator_port_id[SRP_PORT_ID_BYTES];
	uint8_t target_port_id[SRP_PORT_ID_BYTES];
	struct ibv_context *verbs;
	struct ibv_pd *pd;
	struct mrpool *pool;
	uint32_t max_qp_wr;
	uint8_t max_rd_atom;

	/* the inventory, as REPORT LUNS gave it; under lock */
	uint8_t (*lun_list)[8];
	unsigned int nr_luns;
};

/* srpi_open() without the URL: same errors, same sentence. */
int session_create(const struct session_attr *attr,
	struct srpi_session **session, char *reason, size_t n);
void session_destroy(struct srpi_session *session);

/* Adds to a sentence what can be done about @ret, where that is not plain. */
void session_add_remedy(int ret, char *reason, size_t n);
/* "@what: why", with the fabric's own diagnosis; returns -@error. */
int session_call_failed(struct srpi_session *session, const char *what,
	int error, char *reason, size_t n);
/* The device that @id's route leads to; the first call makes it ours. */
int session_set_device(struct srpi_session *session, struct rdma_cm_id *id,
	char *reason, size_t n);
/*
 * Gives @queue its channel, a new one or one it shares (channels.c), and
 * takes it back; then the last user's channel is closed.
 */
int session_get_channel(struct srpi_session *session, struct srpi_queue *queue,
	char *reason, size_t n);
void session_put_channel(struct srpi_session *session,
	struct srpi_queue *queue);
/*
 * For a walk that waits on the way: the next channel that this round, which
 * session->round numbers, has not come to, kept from being destroyed until
 * session_unpin_channel(). A queue that is destroyed meanwhile ends its
 * connection and waits for that. NULL: there is none left. One round at a
 * time.
 */
struct channel *session_pin_channel(struct srpi_session *session);
void session_unpin_channel(struct channel *ch);
/* *sum += *stats */
void session_add_stats(struct srpi_stats *sum, const struct srpi_stats *stats);
void session_keep_stats(struct srpi_session *session,
	const struct srpi_stats *stats);

#endif /* CORE_SESSION_H */
