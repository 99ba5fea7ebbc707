/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A hand-made SRP initiator on the software device: it sends the bytes it is
 * told to, sound or not. One channel, everything in one registered region:
 *
 *	| data, PEER_DATA_BYTES | receives, PEER_RECVS | one IU to send |
 *
 * Used by one thread. A wait fails the test after PEER_TIMEOUT_NS.
 */
#ifndef TESTS_PEER_H
#define TESTS_PEER_H

#include <check.h>
#include <netinet/in.h>

#include "fabric/fabric.h"
#include "softrdma/soft_dev.h"
#include "target/target.h"
#include "wire/scsi_cdb.h"
#include "wire/srp_iu.h"

#define PEER_DATA_BYTES (1u << 20)
#define PEER_RECVS 256
#define PEER_RECV_BYTES 1024
#define PEER_IU_BYTES 16384
#define PEER_TIMEOUT_NS UINT64_C(10000000000)
#define PEER_ID_EXT UINT64_C(0x0002c90300a0b0c0)
#define PEER_IOC_GUID UINT64_C(0x0002c90300a0b0c1)

/* The target under test and its device. */
struct bed {
	struct soft_dev *dev;
	struct target *target;
	struct sockaddr_in addr;
};

/* attr->fabric NULL: the fabric "soft"; else one made from it. */
void bed_create(struct bed *bed, enum soft_irqmode mode,
	const struct target_attr *attr);
void bed_destroy(struct bed *bed);
/* Where a program finds it; @keys begin with '&', or are "". */
void bed_url(const struct bed *bed, const char *keys, char *url, size_t n);
struct target_stats bed_stats(const struct bed *bed);
/* Waits until so many channels are left. */
void bed_wait_channels(const struct bed *bed, unsigned int nr);

struct peer {
	const struct fabric *fabric;
	struct rdma_event_channel *channel;
	struct rdma_cm_id *id;
	struct ibv_pd *pd;
	struct ibv_cq *cq;
	struct ibv_mr *mr;
	uint8_t *mem;
	uint8_t *data; /* mem */
	uint8_t *iu;   /* what the next send takes */
	bool is_disconnected;

	/* the outcome of the login */
	struct srp_iu_login_rsp login;
	int reject_status;	/* of the CM event */
	uint32_t reject_reason; /* 0 = the reject had no SRP data */
	uint64_t reject_tag;

	/* received, not yet taken */
	uint32_t got[PEER_RECVS], got_bytes[PEER_RECVS];
	uint32_t nr_got, nr_taken;
	uint32_t nr_sent_done;
	bool has_failed; /* a completion with an error came */
	int32_t credits;
	uint64_t next_tag;
};

/* A login request that the target of bed_create() grants; MULTI. */
struct srp_iu_login_req peer_login_req(uint8_t initiator);

/* 0, or -ECONNREFUSED with what the reject said. */
int peer_connect(struct peer *peer, const struct bed *bed,
	const struct srp_iu_login_req *req);
/* The same with bytes of the caller's. */
int peer_connect_raw(struct peer *peer, const struct bed *bed,
	const void *data, size_t n, uint8_t responder_resources);
/* Disconnects if need be, and frees. */
void peer_close(struct peer *peer);

/* Posts the receive of that index again; calls no check function. */
int peer_post_recv(struct peer *peer, uint32_t index);
/* Sends the first @n bytes of peer->iu. */
void peer_send(struct peer *peer, size_t n);
/* The next IU received, or NULL when the channel has died. */
const uint8_t *peer_recv(struct peer *peer, uint32_t *bytes);
/* The next one must be a response; applies its credit. */
void peer_recv_rsp(struct peer *peer, struct srp_iu_rsp *rsp);
/* Nothing comes for 50 ms. */
void peer_expect_silence(struct peer *peer);
/* Waits until the target has closed the channel. */
void peer_wait_closed(struct peer *peer);

struct peer_cmd {
	uint64_t lun; /* number, flat or peripheral as wire/ chooses */
	uint8_t cdb[16];
	enum scsi_dir dir;
	uint32_t off, len; /* in peer->data */
	unsigned int nr_descs; /* 0, 1 = direct, more = indirect */
	bool immediate;
};

/* Builds in peer->iu; returns the length. */
uint32_t peer_build(struct peer *peer, const struct peer_cmd *cmd);
/* Builds, sends, waits for the response. */
void peer_do(struct peer *peer, const struct peer_cmd *cmd,
	struct srp_iu_rsp *rsp);
/*
 * Sends a task management function behind what is under way, and takes
 * everything up to its response, which must be COMPLETE, and what comes after
 * it, until all credits are back. Returns how many commands were answered.
 */
unsigned int peer_reset(
	struct peer *peer, uint8_t function, uint64_t lun, uint64_t task_tag);
/* READ or WRITE of whole blocks, one direct descriptor. */
struct peer_cmd peer_rw(uint64_t lun, bool write, uint64_t lba,
	uint32_t blocks, uint32_t block_bytes);
/* CHECK CONDITION with key << 16 | asc << 8 | ascq; 0 otherwise. */
uint32_t peer_sense(const struct srp_iu_rsp *rsp);

#endif /* TESTS_PEER_H */
