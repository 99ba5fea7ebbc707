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
 * Lock: `lock` guards the lists and the control queue; nothing per I/O
 * takes it.
 */
#ifndef CORE_SESSION_H
#define CORE_SESSION_H

#include <pthread.h>
#include <stdbool.h>
#include <sys/socket.h>

#include "util/list.h"
#include "wire/srp.h"

#include <srpi/srpi.h>

struct fabric;
struct ibv_context;
struct ibv_pd;
struct mrpool;
struct srpi_queue;

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

/* srpi_open() without the URL: same errors, same sentence. */
int session_create(const struct session_attr *attr,
	struct srpi_session **session, char *reason, size_t n);
void session_destroy(struct srpi_session *session);

#endif /* CORE_SESSION_H */
