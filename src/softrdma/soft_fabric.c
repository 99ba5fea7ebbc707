/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "softrdma/soft_fabric.h"

#include <errno.h>
#include <stdio.h>

#include "softrdma/soft_cm.h"
#include "softrdma/soft_cq.h"
#include "softrdma/soft_device.h"
#include "softrdma/soft_mem.h"
#include "softrdma/soft_qp.h"

static int
diagnose(int error, char *reason, size_t n)
{
	if (error < 0)
		error = -error;
	switch (error) {
	case ENODEV:
	case EADDRNOTAVAIL:
		return snprintf(reason, n,
			"no software device of this process has that address "
			"(%s %d): a demo:// URL makes a device and a target; "
			"for an RDMA network use fabric=verbs",
			error == ENODEV ? "ENODEV" : "EADDRNOTAVAIL", error);
	case ENOMEM:
		return snprintf(reason, n,
			"the software device is at a limit or out of memory "
			"(ENOMEM %d): ask for fewer or smaller queues and "
			"buffers",
			error);
	default:
		return 0;
	}
}

struct fabric soft_fabric = {
	.name = "soft",
	.create_event_channel = soft_cm_create_channel,
	.destroy_event_channel = soft_cm_destroy_channel,
	.get_cm_event = soft_cm_get_event,
	.ack_cm_event = soft_cm_ack_event,
	.create_id = soft_cm_create_id,
	.destroy_id = soft_cm_destroy_id,
	.bind_addr = soft_cm_bind_addr,
	.resolve_addr = soft_cm_resolve_addr,
	.resolve_route = soft_cm_resolve_route,
	.create_qp = soft_cm_create_qp,
	.destroy_qp = soft_cm_destroy_qp,
	.connect = soft_cm_connect,
	.listen = soft_cm_listen,
	.accept = soft_cm_accept,
	.reject = soft_cm_reject,
	.disconnect = soft_cm_disconnect,
	.get_src_port = soft_cm_get_src_port,
	.query_device = soft_dev_query,
	.query_port = soft_dev_query_port,
	.query_gid = soft_dev_query_gid,
	.alloc_pd = soft_mem_alloc_pd,
	.dealloc_pd = soft_mem_dealloc_pd,
	.reg_mr = soft_mem_reg,
	.dereg_mr = soft_mem_dereg,
	.create_comp_channel = soft_cq_create_channel,
	.destroy_comp_channel = soft_cq_destroy_channel,
	.create_cq = soft_cq_create,
	.modify_cq = soft_cq_modify,
	.destroy_cq = soft_cq_destroy,
	.get_cq_event = soft_cq_get_event,
	.ack_cq_events = soft_cq_ack_events,
	.modify_qp = soft_qp_modify,
	.query_qp = soft_qp_query,
	.get_async_event = soft_async_get,
	.ack_async_event = soft_async_ack,
	.cq_set_handler = soft_cq_set_handler,
	.diagnose = diagnose,
};
