/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include <infiniband/verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/mem.h"
#include "core/session.h"
#include "fabric/fabric.h"
#include "fabric/mrpool.h"

/* The target writes our reads and reads our writes. */
#define MEM_ACCESS                                                             \
	(IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ |                     \
		IBV_ACCESS_REMOTE_WRITE)

static void
mem_release(struct srpi_mem *mem)
{
	if (mem->mr)
		mrpool_unregister(mem->session->pool, mem->mr);
	mem_free(&mem->own);
	free(mem);
}

static int
mem_register(struct srpi_mem *mem, char *reason, size_t n)
{
	struct srpi_session *session = mem->session;
	int ret = mrpool_register(
		session->pool, mem->addr, mem->bytes, MEM_ACCESS, &mem->mr);

	if (ret) {
		if (ret == -ENOMEM || ret == -EPERM || ret == -EAGAIN)
			mem_lock_reason(mem->bytes, -ret, reason, n);
		else
			snprintf(reason, n, "registering %zu bytes: %s",
				mem->bytes, strerror(-ret));
		return ret;
	}
	pthread_mutex_lock(&session->lock);
	list_add_tail(&session->mems, &mem->node);
	pthread_mutex_unlock(&session->lock);
	return 0;
}

static int
mem_create(struct srpi_session *session, void *addr, size_t bytes,
	struct srpi_mem **out, char *reason, size_t n)
{
	struct srpi_mem *mem = calloc(1, sizeof(*mem));
	int ret = mem ? 0 : -ENOMEM;

	if (!bytes) {
		free(mem);
		snprintf(reason, n, "a buffer has at least one byte");
		return -EINVAL;
	}
	if (!ret && !addr)
		ret = mem_alloc(&mem->own, bytes, MEM_HUGE);
	if (ret) {
		free(mem);
		snprintf(reason, n, "no memory for a buffer of %zu bytes: %s",
			bytes, strerror(-ret));
		return ret;
	}
	mem->session = session;
	mem->addr = addr ? addr : mem->own.addr;
	mem->bytes = bytes;
	ret = mem_register(mem, reason, n);
	if (ret)
		mem_release(mem);
	else
		*out = mem;
	return ret;
}

int
srpi_buf_alloc(struct srpi_session *session, size_t bytes,
	struct srpi_mem **mem, char *reason, size_t n)
{
	return mem_create(session, NULL, bytes, mem, reason, n);
}

int
srpi_mem_register(struct srpi_session *session, void *addr, size_t bytes,
	struct srpi_mem **mem, char *reason, size_t n)
{
	if (!addr) {
		snprintf(reason, n, "no address to register");
		return -EINVAL;
	}
	return mem_create(session, addr, bytes, mem, reason, n);
}

void *
srpi_mem_addr(const struct srpi_mem *mem)
{
	return mem->addr;
}

size_t
srpi_mem_bytes(const struct srpi_mem *mem)
{
	return mem->bytes;
}

void
srpi_mem_free(struct srpi_mem *mem)
{
	if (!mem)
		return;
	pthread_mutex_lock(&mem->session->lock);
	list_del(&mem->node);
	pthread_mutex_unlock(&mem->session->lock);
	mem_release(mem);
}

void
mem_destroy_all(struct srpi_session *session)
{
	struct srpi_mem *mem, *next;

	list_for_each_entry_safe(mem, next, &session->mems, node)
		srpi_mem_free(mem);
}
