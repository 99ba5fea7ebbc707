/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A target that answers logins with whatever it is told to and then sends
 * arbitrary bytes, on struct fabric and the software device alone.
 *
 *	control   the session's own connection, the first: a handler answers
 *	          each command with GOOD at once, after writing what
 *	          fill_data() gives to the data-in buffer
 *	link      the last of the others: the test's own thread drives it
 *
 * Work is carried out inside the post, so what the link sends is in the
 * initiator's completion queue when hostile_send() returns. The links are
 * the test thread's; a thread of the target's answers CM events only.
 */
#ifndef TESTS_HOSTILE_H
#define TESTS_HOSTILE_H

#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>

#include "core/session.h"
#include "fabric/fabric.h"
#include "softrdma/soft_dev.h"
#include "util/mem.h"
#include "wire/srp_iu.h"

#define HOSTILE_RECVS 128u
#define HOSTILE_RECV_BYTES 4352u
#define HOSTILE_SENDS 64u
#define HOSTILE_SEND_BYTES 1024u
#define HOSTILE_DATA_BYTES 65536u

struct hostile;

struct hostile_link {
	struct hostile *hostile;
	struct rdma_cm_id *id;
	struct ibv_cq *cq;
	struct ibv_mr *mr;
	struct mem pages; /* what is not used takes no memory */
	uint8_t *mem;	  /* receives, sends, data */
	uint8_t *data; /* HOSTILE_DATA_BYTES, for RDMA */
	bool is_control;
	bool withholds_receives; /* those consumed are not posted again */
	uint32_t nr_sent, nr_send_done, nr_failed;
	enum ibv_wc_status last_status; /* of a failed one */
	/* received, not yet taken */
	uint32_t got[HOSTILE_RECVS], got_bytes[HOSTILE_RECVS];
	uint32_t nr_got, nr_taken;
};

struct hostile {
	const struct fabric *fabric;
	struct soft_dev *dev;
	struct sockaddr_in addr;
	struct rdma_event_channel *events;
	struct rdma_cm_id *listener;
	struct ibv_pd *pd;
	pthread_t thread;
	_Atomic bool is_over;
	pthread_mutex_t lock; /* the links, while logins come */
	struct hostile_link *control, *link;
	unsigned int nr_logins;

	/* set by the test, before it makes the initiator log in */
	uint8_t login_rsp[256];
	uint8_t login_rsp_bytes;
	/* control: data-in of up to @n bytes; how many; NULL: none */
	uint32_t (*fill_data)(const uint8_t *cdb, uint8_t *data, uint32_t n);
};

void hostile_start(struct hostile *h);
void hostile_stop(struct hostile *h);

/* A sound login response with these values. */
void hostile_set_login(struct hostile *h, int32_t req_lim_delta,
	uint32_t max_it_iu_bytes);

/* Closes the link, if there is one; the initiator may be gone already. */
void hostile_drop_link(struct hostile *h);

/* Sends @n bytes on the link. False: it is broken, or has no room. */
bool hostile_send(struct hostile *h, const void *iu, uint32_t n);
/* RDMA WRITE of @n bytes of link->data. */
void hostile_write(struct hostile *h, uint64_t va, uint32_t rkey, uint32_t n);
/* The next IU received on the link, or NULL; it stays until the next call. */
const uint8_t *hostile_take(struct hostile *h, uint32_t *bytes);
/* Polls until all sends have completed; false: some are stuck. */
bool hostile_settle(struct hostile *h);

/* A good response for @tag. */
void hostile_send_good(struct hostile *h, uint64_t tag);

/* Deterministic; hostile_seed() prints what it takes. */
void hostile_seed(void);
uint32_t hostile_random(uint32_t below);
void hostile_random_bytes(void *to, uint32_t n);

#endif /* TESTS_HOSTILE_H */
