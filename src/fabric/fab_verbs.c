/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The fabric "verbs": the members are the libraries' own functions. Only what
 * is a macro or an inline there has a wrapper here, and what opens a file
 * descriptor, which must not leak into programs that we start.
 *
 * diagnose() is the other half: the libraries answer an errno, and the user
 * wants to know what to type.
 */
#include "fabric/fab_verbs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "util/compiler.h"
#include "util/mem.h"

#define RDMA_CM_NODE "/dev/infiniband/rdma_cm"
#define UVERBS_DIR "/dev/infiniband"

static void
set_cloexec(int fd)
{
	int flags = fcntl(fd, F_GETFD);

	if (flags >= 0)
		fcntl(fd, F_SETFD, flags | FD_CLOEXEC);
}

/*
 * The process that has opened a device; 0: none yet. librdmacm keeps devices
 * open, and the kernel binds an open one to the memory and the credentials of
 * who opened it: a forked child that found them would fail at its first post.
 */
static _Atomic pid_t user;

static bool
is_inherited(void)
{
	pid_t pid = atomic_load(&user);

	return pid && pid != getpid();
}

static struct rdma_event_channel *
verbs_create_event_channel(void)
{
	struct rdma_event_channel *channel;

	if (is_inherited()) {
		errno = EOPNOTSUPP;
		return NULL;
	}
	channel = rdma_create_event_channel();
	if (channel)
		set_cloexec(channel->fd);
	return channel;
}

static struct ibv_pd *
verbs_alloc_pd(struct ibv_context *context)
{
	struct ibv_pd *pd = ibv_alloc_pd(context);

	if (pd)
		atomic_store(&user, getpid());
	return pd;
}

static struct ibv_comp_channel *
verbs_create_comp_channel(struct ibv_context *context)
{
	struct ibv_comp_channel *channel = ibv_create_comp_channel(context);

	if (channel)
		set_cloexec(channel->fd);
	return channel;
}

static int
verbs_query_port(struct ibv_context *context, uint8_t port_num,
	struct ibv_port_attr *attr)
{
	return ibv_query_port(context, port_num, attr);
}

/*
 * @access is not a constant here, so the macro would always take the newer
 * entry point; that one refuses nothing we use, but old providers know only
 * the plain call, which is the same for flags outside the optional range.
 */
static struct ibv_mr *
verbs_reg_mr(struct ibv_pd *pd, void *addr, size_t length, int access)
{
	if (((unsigned int)access & IBV_ACCESS_OPTIONAL_RANGE) == 0)
		return (ibv_reg_mr)(pd, addr, length, access);
	return ibv_reg_mr_iova2(pd, addr, length, (uintptr_t)addr,
		(unsigned int)access);
}

static int
verbs_modify_cq(struct ibv_cq *cq, struct ibv_modify_cq_attr *attr)
{
	return ibv_modify_cq(cq, attr);
}

/* Exists, and this user may not open it. */
static bool
is_closed(const char *path)
{
	return faccessat(AT_FDCWD, path, R_OK | W_OK, AT_EACCESS) != 0 &&
		errno == EACCES;
}

static int
count_devices(void)
{
	int nr = 0;
	struct ibv_device **list = ibv_get_device_list(&nr);

	if (!list)
		return 0;
	ibv_free_device_list(list);
	return nr;
}

/* The first uverbs node that this user cannot open, in @path. */
static bool
find_closed_node(const char *dir_name, char *path, size_t n)
{
	struct dirent *entry;
	bool is_found = false;
	DIR *dir = opendir(dir_name);

	if (!dir)
		return false;
	while (!is_found && (entry = readdir(dir))) {
		if (strncmp(entry->d_name, "uverbs", 6) != 0)
			continue;
		snprintf(path, n, "%s/%s", dir_name, entry->d_name);
		is_found = is_closed(path);
	}
	closedir(dir);
	return is_found;
}

static int
explain_access(const struct fab_verbs_host *host, char *reason, size_t n)
{
	char path[300];

	if (is_closed(host->rdma_cm))
		snprintf(path, sizeof(path), "%s", host->rdma_cm);
	else if (!find_closed_node(host->uverbs, path, sizeof(path)))
		return 0;
	return snprintf(reason, n,
		"%s may not be opened by user %u (EACCES %d): run as root, or "
		"give this user the node by a udev rule or its group",
		path, (unsigned int)geteuid(), EACCES);
}

static int
explain_memlock(int error, char *reason, size_t n)
{
	uint64_t limit = mem_lock_limit();

	if (limit == UINT64_MAX)
		return snprintf(reason, n,
			"the device or the kernel is out of memory (%s %d); "
			"RLIMIT_MEMLOCK is unlimited, so ask for fewer or "
			"smaller queues and buffers",
			strerrorname_np(error), error);
	return snprintf(reason, n,
		"RDMA memory must be locked and RLIMIT_MEMLOCK is %" PRIu64
		" bytes (%s %d): raise it with `ulimit -l unlimited`, a line "
		"\"* - memlock unlimited\" in /etc/security/limits.conf, or "
		"LimitMEMLOCK=infinity in the service",
		limit, strerrorname_np(error), error);
}

static int
explain_missing(const struct fab_verbs_host *host, int error, char *reason,
	size_t n)
{
	if (access(host->rdma_cm, F_OK) != 0)
		return snprintf(reason, n,
			"%s does not exist: load the connection manager with "
			"`modprobe rdma_ucm`, or try the software device with "
			"a demo:// URL",
			host->rdma_cm);
	if (host->nr_devices == 0)
		return snprintf(reason, n,
			"this machine has no RDMA device: load its driver, "
			"make one with `modprobe rdma_rxe` and `rdma link add "
			"rxe0 type rxe netdev INTERFACE`, or try the software "
			"device with a demo:// URL");
	if (error != ENODEV && error != EADDRNOTAVAIL)
		return 0;
	return snprintf(reason, n,
		"no RDMA device owns or reaches that address (%s %d): compare "
		"it with `rdma link show` and `ip address`",
		error == ENODEV ? "ENODEV" : "EADDRNOTAVAIL", error);
}

static int
explain_fork(char *reason, size_t n)
{
	return snprintf(reason, n,
		"this process was forked from one that had opened RDMA "
		"devices, and cannot use them (EOPNOTSUPP %d): fork before "
		"the first session, or start the program anew with exec",
		EOPNOTSUPP);
}

/*
 * The order is that of a user's way: is there a device at all, may it be
 * opened, does it give what was asked.
 */
int
fab_verbs_explain(const struct fab_verbs_host *host, int error, char *reason,
	size_t n)
{
	int len = 0;

	if (error < 0)
		error = -error;
	switch (error) {
	case ENODEV:
	case ENOENT: /* librdmacm's word for EACCES too */
	case ENOSYS:
	case EADDRNOTAVAIL:
	case EACCES:
		len = explain_access(host, reason, n);
		return len ? len : explain_missing(host, error, reason, n);
	case EPERM: /* the kernel's word for a memlock limit of 0 too */
		len = explain_access(host, reason, n);
		if (!len && access(host->rdma_cm, F_OK) == 0 &&
			mem_lock_limit() != UINT64_MAX)
			len = explain_memlock(error, reason, n);
		return len ? len : explain_missing(host, error, reason, n);
	case ENOMEM:
	case EAGAIN:
		return explain_memlock(error, reason, n);
	case EOPNOTSUPP:
		return host->is_inherited ? explain_fork(reason, n) : 0;
	default:
		return 0;
	}
}

static int
verbs_diagnose(int error, char *reason, size_t n)
{
	const struct fab_verbs_host host = {
		.rdma_cm = RDMA_CM_NODE,
		.uverbs = UVERBS_DIR,
		.nr_devices = count_devices(),
		.is_inherited = is_inherited(),
	};

	return fab_verbs_explain(&host, error, reason, n);
}

struct fabric fab_verbs = {
	.name = "verbs",
	.create_event_channel = verbs_create_event_channel,
	.destroy_event_channel = rdma_destroy_event_channel,
	.get_cm_event = rdma_get_cm_event,
	.ack_cm_event = rdma_ack_cm_event,
	.create_id = rdma_create_id,
	.destroy_id = rdma_destroy_id,
	.bind_addr = rdma_bind_addr,
	.resolve_addr = rdma_resolve_addr,
	.resolve_route = rdma_resolve_route,
	.create_qp = rdma_create_qp,
	.destroy_qp = rdma_destroy_qp,
	.connect = rdma_connect,
	.listen = rdma_listen,
	.accept = rdma_accept,
	.reject = rdma_reject,
	.disconnect = rdma_disconnect,
	.get_src_port = rdma_get_src_port,
	.query_device = ibv_query_device,
	.query_port = verbs_query_port,
	.query_gid = ibv_query_gid,
	.alloc_pd = verbs_alloc_pd,
	.dealloc_pd = ibv_dealloc_pd,
	.reg_mr = verbs_reg_mr,
	.dereg_mr = ibv_dereg_mr,
	.create_comp_channel = verbs_create_comp_channel,
	.destroy_comp_channel = ibv_destroy_comp_channel,
	.create_cq = ibv_create_cq,
	.modify_cq = verbs_modify_cq,
	.destroy_cq = ibv_destroy_cq,
	.get_cq_event = ibv_get_cq_event,
	.ack_cq_events = ibv_ack_cq_events,
	.modify_qp = ibv_modify_qp,
	.query_qp = ibv_query_qp,
	.get_async_event = ibv_get_async_event,
	.ack_async_event = ibv_ack_async_event,
	.diagnose = verbs_diagnose,
};
