/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The embedded target: SRP over a fabric, with null, RAM and file backends.
 *
 *	target ── 1 loop thread: CM events, and completions where the fabric
 *	   │      has no cq_set_handler() or the device wants channels
 *	   ├── lun[]   number, backend, block size, flags
 *	   └── conn[]  one RC connection each: an I_T nexus's channel
 *
 * Threads: every function below may be called from any thread, but not two
 * at once on one target. With cq_set_handler() commands run in the context
 * of whoever drives the device (reports say "includes target").
 */
#ifndef TARGET_TARGET_H
#define TARGET_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fabric;
struct sockaddr;
struct target;

#define TARGET_MAX_LUNS 256

/* LUN flags */
#define TARGET_LUN_RO	  0x01u /* write protected: MODE SENSE says so */
#define TARGET_LUN_NODATA 0x02u /* null only: the data phase is left out */
#define TARGET_LUN_RO_HID 0x04u /* refuses writes, MODE SENSE hides it */

struct target_lun_attr {
	uint16_t number;       /* 0..16383, unique */
	const char *backend;   /* "null", "ram", or a path (file, block device) */
	uint64_t size_bytes;   /* a multiple of block_bytes; file: 0 = its size */
	uint32_t block_bytes;  /* 512, 520, 528, 4096, 4104 or 4160; 0 = 512 */
	uint32_t flags;	       /* TARGET_LUN_* */
	uint32_t max_transfer_blocks; /* VPD B0 limit; 0 = none stated */
};

struct target_attr {
	const struct fabric *fabric;
	const struct sockaddr *addr; /* port 0: one is chosen */
	uint64_t id_ext, ioc_guid;   /* the port id initiators must name */
	const struct target_lun_attr *luns;
	unsigned int nr_luns;	   /* 0..TARGET_MAX_LUNS; none is valid */
	uint16_t req_lim;	   /* credits at login, 1..1024; 0 = 128 */
	uint32_t max_it_iu_bytes;  /* 64..16384; 0 = 8260 */
	uint16_t max_channels;	   /* connections at once; 0 = 1024 */
	uint32_t spin_usec; /* loop thread polls this long before it blocks */
	const int *cpu;	    /* pin the loop thread; NULL = not */
	/* LUNs of any kind may be added later: each connection gets the
	 * buffers that files need, and the loop thread serves all I/O. */
	bool may_add;
	/* AER_REQ to initiators that are idle when a LUN changes */
	bool wants_aer;
};

/*
 * Creates the target, listens and serves. 0 or -errno with one sentence in
 * @reason. target_destroy() disconnects every initiator, waits until the
 * device has let go of all memory, and frees it. NULL is allowed.
 */
int target_create(const struct target_attr *attr, struct target **target,
	char *reason, size_t n);
void target_destroy(struct target *target);

/* The port it listens on, host byte order. */
uint16_t target_port(const struct target *target);

/* Does the loop thread serve I/O (true), or the initiator's own (false)? */
bool target_has_own_thread(const struct target *target);

struct target_stats {
	uint64_t commands, reads, writes, bytes_read, bytes_written;
	uint64_t check_conditions, task_management, logins, rejects;
	uint64_t malformed_ius;
	uint64_t cpu_ns; /* the loop thread's CPU time so far */
	unsigned int nr_channels;
};
void target_stats(const struct target *target, struct target_stats *stats);

/*
 * LUNs that change while initiators are logged in. Each call waits until the
 * change is made, and with it until commands on that LUN are over; commands on
 * others go on. 0 or -errno with one sentence in @reason.
 *
 * Every nexus gets unit attention 06/3F/0E on all LUNs when one is added or
 * removed, 06/2A/09 on one that is resized, 06/2A/01 on one whose protection
 * changes. Commands under way on a LUN that is removed end with 05/25/00.
 * Not while the target is frozen: -EBUSY.
 */
/* Without may_add: ram, and what the target has had from the beginning. */
int target_lun_add(struct target *target, const struct target_lun_attr *attr,
	char *reason, size_t n);
int target_lun_remove(struct target *target, uint16_t lun, char *reason,
	size_t n);
/* ram: both sizes of memory are needed for a moment, what is new reads as
 * zeros. A file has to be that long; 0 = as long as it is, now and after
 * every target_lun_restat(). */
int target_lun_resize(struct target *target, uint16_t lun, uint64_t size_bytes,
	char *reason, size_t n);
int target_lun_protect(struct target *target, uint16_t lun, bool is_protected,
	char *reason, size_t n);
/* Looks how long the files are whose size was left open: how many LUNs have
 * changed, or -errno and the last sentence. */
int target_lun_restat(struct target *target, char *reason, size_t n);

struct target_lun_info {
	uint16_t number;
	const char *backend; /* "null", "ram" or the path; until a change */
	uint64_t size_bytes;
	uint32_t block_bytes;
	uint32_t flags; /* TARGET_LUN_* */
};
/* By number; how many there are. */
unsigned int target_lun_list(const struct target *target,
	struct target_lun_info infos[TARGET_MAX_LUNS]);

/*
 * Unit attentions and readiness, for tests and for LUNs that change.
 * target_unit_attention() queues sense 06/@asc/@ascq on LUN @lun for every
 * I_T nexus now logged in, and, with @at_login, for every new one (up to 4
 * are kept). target_not_ready() answers 02/@asc/@ascq from then on; asc 0
 * makes the LUN ready again. 0, -ENODEV for an unknown LUN.
 */
int target_unit_attention(struct target *target, uint16_t lun, uint8_t asc,
	uint8_t ascq, bool at_login);
int target_not_ready(struct target *target, uint16_t lun, uint8_t asc,
	uint8_t ascq);

/*
 * Scripted faults: misbehaviour on request, so that an initiator can be
 * tested. One script a target; it applies to what happens after the call.
 */
struct target_faults {
	uint32_t login_rej_reason; /* SRP reason code for every login; 0 = off */
	uint32_t login_rej_count;  /* only the first so many; 0 = all */
	/* The first so many are rejected without SRP's reason, as a CM does
	 * that takes the connection for stale; the status is the CM's own. */
	uint32_t cm_reject_stale;
	uint32_t silent_every;	   /* no response to every nth command */
	uint32_t bad_length_every; /* a response cut to 20 bytes */
	uint32_t bad_tag_every;	   /* a response with a tag never issued */
	uint32_t bad_opcode_every; /* an IU with opcode 0xee */
	uint32_t long_iu_every;	   /* a response of 600 bytes */
	int32_t rsp_delta;	   /* added to every response's credit delta */
	bool cred_by_req;	   /* deltas 0 in responses, CRED_REQ instead */
	bool aer_by_req;	   /* deltas 0 in responses, AER_REQ instead */
	uint8_t status;		   /* SCSI status for every nth command ... */
	uint32_t status_every;	   /* ... 0 = off */
	int32_t residual_bytes;	   /* > 0 underrun, < 0 overrun, on each read */
	/* Every task management function is refused with this response code
	 * (SRP r16a table 31) and does nothing; 0 = off. */
	uint8_t tmf_rsp_code;
};
void target_set_faults(struct target *target,
	const struct target_faults *faults);
/* Stop answering anything at all (as kill -STOP would), and go on. */
void target_freeze(struct target *target, bool frozen);
/* Drop every connection (DREQ), as a target taken down would. */
void target_disconnect_all(struct target *target);

#endif /* TARGET_TARGET_H */
