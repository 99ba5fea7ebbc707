/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Data memory registered with a session: srpi_mem. */
#ifndef CORE_MEM_H
#define CORE_MEM_H

#include "util/list.h"
#include "util/mem.h"

#include <srpi/srpi.h>

struct srpi_mem {
	struct srpi_session *session;
	struct list node;
	void *addr;
	size_t bytes;
	struct mem own; /* of srpi_buf_alloc(); addr NULL: the caller's */
	struct ibv_mr *mr;
};

/* At the session's end, after the last queue. */
void mem_destroy_all(struct srpi_session *session);

#endif /* CORE_MEM_H */
