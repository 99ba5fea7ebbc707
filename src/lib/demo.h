/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * demo:// targets: an embedded target on a software device of its own, in
 * this process.
 *
 *	demos ── demo "a" ── 2 sessions      name=a: shared, counted
 *	     └── demo ""  ── 1 session       no name: private to its session
 *	           ├── soft_dev   an address 127.x.y.z
 *	           └── target     listens there
 */
#ifndef LIB_DEMO_H
#define LIB_DEMO_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "softrdma/soft_dev.h"

struct session_attr;

#define DEMO_NAME_MAX 63

/* The port id of every demo target: each has an address of its own. */
#define DEMO_ID_EXT UINT64_C(0x7372706964656d6f) /* "srpidemo" */
#define DEMO_IOC_GUID UINT64_C(0x0200000000000001) /* locally administered */

enum demo_data {
	DEMO_DATA_FULL, /* null moves its buffer, as a real one would */
	DEMO_DATA_NONE, /* and here it leaves the data phase out */
};

/* What the keys of a demo:// URL come to; each within its key's range. */
struct demo_attr {
	char name[DEMO_NAME_MAX + 1]; /* "": private */
	char backend[PATH_MAX];	      /* "null", "ram", or an absolute path */
	uint64_t size_bytes;	      /* a multiple of the block; file: 0 = its own */
	unsigned int block_bytes;
	enum soft_irqmode irqmode;
	unsigned int completion_ns; /* irqmode=timer */
	unsigned int spin_usec;	    /* irqmode=thread */
	enum demo_data data;
	unsigned int nr_luns; /* all alike */
	bool is_read_only;
};

/*
 * Finds or creates the target and fills in where it is: fabric, address,
 * port id, flags, owner. The reference it takes is given back by
 * @session->on_close(@session->owner). -EINVAL: another target has the name.
 */
int demo_get(const struct demo_attr *attr, struct session_attr *session,
	char *reason, size_t n);

#endif /* LIB_DEMO_H */
