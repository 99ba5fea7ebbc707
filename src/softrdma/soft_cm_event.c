/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Event channels of the connection manager, and what reading an event does. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "softrdma/soft_cm.h"
#include "softrdma/soft_device.h"
#include "softrdma/soft_fd.h"
#include "softrdma/soft_loop.h"
#include "softrdma/soft_qp.h"

pthread_cond_t soft_cm_acked = PTHREAD_COND_INITIALIZER;

static struct soft_cm_channel *
channel_of(struct rdma_event_channel *channel)
{
	return container_of(channel, struct soft_cm_channel, channel);
}

struct rdma_event_channel *
soft_cm_create_channel(void)
{
	struct soft_cm_channel *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->channel.fd = soft_fd_open();
	if (c->channel.fd < 0) {
		free(c);
		return NULL;
	}
	list_init(&c->events);
	return &c->channel;
}

void
soft_cm_destroy_channel(struct rdma_event_channel *channel)
{
	close(channel->fd);
	free(channel_of(channel));
}

struct soft_cm_event *
soft_cm_event_create(struct soft_id *id, enum rdma_cm_event_type type,
	int status)
{
	struct soft_cm_event *e;

	if (!id)
		return NULL;
	e = calloc(1, sizeof(*e));
	if (!e)
		return NULL;
	e->event.id = &id->id;
	e->event.event = type;
	e->event.status = status;
	e->counted = id;
	return e;
}

/* The field is always shown whole, zeros behind what was sent. */
void
soft_cm_event_set(struct soft_cm_event *e, const struct rdma_conn_param *param,
	uint8_t field_bytes)
{
	e->event.param.conn = *param;
	if (param->private_data_len)
		memcpy(e->private_data, param->private_data,
			param->private_data_len);
	e->event.param.conn.private_data = e->private_data;
	e->event.param.conn.private_data_len = field_bytes;
}

void
soft_cm_event_queue(struct soft_cm_event *e)
{
	struct soft_cm_channel *c;

	if (!e)
		return;
	c = channel_of(e->counted->id.channel);
	if (list_is_empty(&c->events))
		soft_fd_set(c->channel.fd);
	list_add_tail(&c->events, &e->node);
}

void
soft_cm_event_tell(struct soft_id *id, enum rdma_cm_event_type type, int status)
{
	soft_cm_event_queue(soft_cm_event_create(id, type, status));
}

/* Take @e off its channel. Called with the lock held. */
static void
unqueue(struct soft_cm_channel *c, struct soft_cm_event *e)
{
	list_del(&e->node);
	if (list_is_empty(&c->events))
		soft_fd_clear(c->channel.fd);
}

void
soft_cm_event_drop(struct soft_id *id)
{
	struct soft_cm_channel *c = channel_of(id->id.channel);
	struct soft_cm_event *e, *tmp;

	list_for_each_entry_safe(e, tmp, &c->events, node) {
		if (e->counted != id && e->event.id != &id->id)
			continue;
		unqueue(c, e);
		/* A request nobody will read: its new id is nobody's. */
		if (e->event.event == RDMA_CM_EVENT_CONNECT_REQUEST)
			soft_cm_free_child(soft_id_of(e->event.id));
		free(e);
	}
}

/* What is to be done about QPs once the lock is released. */
struct follow_up {
	struct soft_dev *dev;
	uint32_t fail_num; /* 0 = none */
	uint32_t kick_num;
};

/* The answer came: what librdmacm does before it reports ESTABLISHED. */
static void
establish(struct soft_cm_event *e, struct follow_up *f)
{
	const struct rdma_conn_param *p = &e->event.param.conn;
	struct soft_id *active = soft_id_of(e->event.id);
	struct soft_id *passive = active->peer;
	const struct soft_qp_link link = {
		.rnr_retry = p->rnr_retry_count,
		.max_rd_atomic = min(active->initiator_depth,
			p->initiator_depth),
		.max_dest_rd_atomic = min(active->responder_resources,
			p->responder_resources),
	};
	struct ibv_qp *to = passive ? passive->id.qp : NULL;

	e->event.event = RDMA_CM_EVENT_ESTABLISHED;
	active->state = SOFT_CM_ESTABLISHED;
	if (active->id.qp)
		soft_qp_connect(soft_qp_of(active->id.qp),
			to ? soft_qp_of(to) : NULL, &link);
	if (to)
		f->kick_num = to->qp_num;
	if (passive && passive->state == SOFT_CM_ACCEPTED) {
		passive->state = SOFT_CM_ESTABLISHED;
		soft_cm_event_tell(passive, RDMA_CM_EVENT_ESTABLISHED, 0);
	}
}

/* Called with the lock held. */
static void
on_read(struct soft_cm_event *e, struct follow_up *f)
{
	struct soft_id *id = soft_id_of(e->event.id);

	e->counted->nr_unacked++;
	f->dev = id->dev;
	switch (e->event.event) {
	case RDMA_CM_EVENT_CONNECT_REQUEST:
		e->counted->nr_requests--;
		break;
	case RDMA_CM_EVENT_CONNECT_RESPONSE:
		establish(e, f);
		break;
	case RDMA_CM_EVENT_REJECTED:
		/* As librdmacm: what was posted for the reply flushes. */
		if (!id->is_passive && id->id.qp)
			f->fail_num = id->id.qp->qp_num;
		break;
	default:
		break;
	}
	if (f->dev)
		soft_dev_hold(f->dev);
}

int
soft_cm_get_event(struct rdma_event_channel *channel,
	struct rdma_cm_event **event)
{
	struct soft_cm_channel *c = channel_of(channel);
	struct soft_cm_event *e = NULL;
	struct follow_up f = { 0 };

	for (;;) {
		pthread_mutex_lock(&soft_cm_lock);
		if (!list_is_empty(&c->events))
			break;
		pthread_mutex_unlock(&soft_cm_lock);
		if (soft_fd_wait(channel->fd))
			return -1;
	}
	e = list_entry(c->events.next, struct soft_cm_event, node);
	unqueue(c, e);
	on_read(e, &f);
	pthread_mutex_unlock(&soft_cm_lock);

	if (f.fail_num)
		soft_qp_fail(f.dev, f.fail_num);
	if (f.kick_num)
		soft_loop_kick(f.dev, f.kick_num);
	if (f.dev)
		soft_dev_release(f.dev);
	*event = &e->event;
	return 0;
}

int
soft_cm_ack_event(struct rdma_cm_event *event)
{
	struct soft_cm_event *e = container_of(event, struct soft_cm_event,
		event);

	pthread_mutex_lock(&soft_cm_lock);
	e->counted->nr_unacked--;
	pthread_cond_broadcast(&soft_cm_acked);
	pthread_mutex_unlock(&soft_cm_lock);
	free(e);
	return 0;
}
