/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Intrusive doubly linked list. The head is a node like any other, so that
 * adding and removing need no special case and no knowledge of the head.
 *
 *     head <-> a.node <-> b.node <-> head
 *
 * Not thread safe: whoever owns the head serialises.
 */
#ifndef UTIL_LIST_H
#define UTIL_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct list {
	struct list *next;
	struct list *prev;
};

#define LIST_INIT(name)                                                        \
	{                                                                      \
		&(name), &(name)                                               \
	}

/* The structure of @type whose field @member is the node @ptr. */
#define list_entry(ptr, type, member)                                          \
	((type *)(void *)((char *)(ptr)-offsetof(type, member)))

#define list_for_each(pos, head)                                               \
	for ((pos) = (head)->next; (pos) != (head); (pos) = (pos)->next)

/* As list_for_each, but @pos may be removed (and freed) in the body. */
#define list_for_each_safe(pos, tmp, head)                                     \
	for ((pos) = (head)->next, (tmp) = (pos)->next; (pos) != (head);       \
		(pos) = (tmp), (tmp) = (pos)->next)

/*
 * The node of @pos. Not &(pos)->member: at the end of a walk @pos is made from
 * the head, which may lie where no such structure could be aligned.
 */
#define list_node(pos, member)                                                 \
	((struct list *)(void *)((char *)(pos) +                               \
		offsetof(__typeof__(*(pos)), member)))

#define list_for_each_entry(pos, head, member)                                 \
	for ((pos) = list_entry((head)->next, __typeof__(*(pos)), member);     \
		list_node(pos, member) != (head);                              \
		(pos) = list_entry(list_node(pos, member)->next,               \
			__typeof__(*(pos)), member))

#define list_for_each_entry_safe(pos, tmp, head, member)                       \
	for ((pos) = list_entry((head)->next, __typeof__(*(pos)), member),     \
		(tmp) = list_entry(list_node(pos, member)->next,               \
			__typeof__(*(pos)), member);                           \
		list_node(pos, member) != (head); (pos) = (tmp),               \
		(tmp) = list_entry(list_node(tmp, member)->next,               \
			__typeof__(*(tmp)), member))

static inline void
list_init(struct list *node)
{
	node->next = node;
	node->prev = node;
}

static inline bool
list_is_empty(const struct list *head)
{
	return head->next == head;
}

/* True while @node is on a list; needs list_init() before its first use. */
static inline bool
list_is_linked(const struct list *node)
{
	return node->next != node;
}

static inline void
list_insert_between(struct list *node, struct list *prev, struct list *next)
{
	node->prev = prev;
	node->next = next;
	prev->next = node;
	next->prev = node;
}

static inline void
list_add_head(struct list *head, struct list *node)
{
	list_insert_between(node, head, head->next);
}

static inline void
list_add_tail(struct list *head, struct list *node)
{
	list_insert_between(node, head->prev, head);
}

/* Put @node in front of @pos, which is on a list (or is its head). */
static inline void
list_add_before(struct list *pos, struct list *node)
{
	list_insert_between(node, pos->prev, pos);
}

/* Leaves @node initialised: a second removal does no harm. */
static inline void
list_del(struct list *node)
{
	node->prev->next = node->next;
	node->next->prev = node->prev;
	list_init(node);
}

/* The first node or NULL. */
static inline struct list *
list_first(const struct list *head)
{
	return list_is_empty(head) ? NULL : head->next;
}

/* Take the first node off; NULL when there is none. */
static inline struct list *
list_pop_head(struct list *head)
{
	struct list *node = list_first(head);

	if (node)
		list_del(node);
	return node;
}

/* Move all of @from to the end of @to; @from is empty afterwards. */
static inline void
list_splice_tail(struct list *to, struct list *from)
{
	if (list_is_empty(from))
		return;
	from->next->prev = to->prev;
	to->prev->next = from->next;
	from->prev->next = to;
	to->prev = from->prev;
	list_init(from);
}

static inline size_t
list_count(const struct list *head)
{
	const struct list *pos;
	size_t nr = 0;

	list_for_each(pos, head)
		nr++;
	return nr;
}

#endif /* UTIL_LIST_H */
