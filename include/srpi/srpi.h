/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * libsrpi: an SRP storage initiator in user space.
 *
 *	session   one I_T nexus: this process, one target, one initiator port
 *	  lun     a logical unit of that target
 *	  mem     memory registered with the session's RDMA device
 *	  queue   what one client thread owns: tagged I/Os and a completion mode
 *	    io    one tagged command
 *
 * A read, from beginning to end:
 *
 *	io = srpi_get(queue);
 *	srpi_prep_read(io, lun, lba, blocks, &iov, 1);
 *	srpi_queue_io(io);                  on the queue's plug
 *	srpi_submit(queue);                 one doorbell for all that is there
 *	n = srpi_wait(queue, ios, 1, 64, -1);
 *	result = srpi_result(ios[0]);
 *	srpi_put(ios[0]);
 *
 * Errors: functions that return int return 0 or a count, or -errno. A
 * function with (reason, n) also writes one sentence there when it fails:
 * what was asked, what came back, what to do next. The outcome of a SCSI
 * command is a struct srpi_result, not an errno.
 *
 * Threads: a session, its LUNs and its memory may be used by any thread. A
 * queue and its I/Os are used by one thread at a time; handing a queue over
 * needs the caller's own synchronisation. From srpi_get() downwards nothing
 * allocates, takes a lock or calls the kernel, except to block.
 *
 * fork: sessions do not survive it; the child opens its own. Over a real RDMA
 * device it can only while no ancestor has had one there: -EOPNOTSUPP.
 */
#ifndef SRPI_SRPI_H
#define SRPI_SRPI_H

#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

struct srpi_io;
struct srpi_lun;
struct srpi_mem;
struct srpi_opts;
struct srpi_queue;
struct srpi_session;

/* ---- keys and options ------------------------------------------------ */

/*
 * Every key that a URL, an ini section or a fio job may set. One table
 * serves them all, so that help, range and default are the same everywhere.
 */
struct srpi_key {
	const char *name;
	const char *value;   /* what may be given: "inline|self", "1-1024" */
	const char *initial; /* the default, as text */
	const char *help;    /* one line */
};

/* The table, @nr entries; never NULL, valid for ever. */
const struct srpi_key *srpi_keys(unsigned int *nr);

/*
 * A set of keys with their values. srpi_opts_set() checks name and value:
 * -EINVAL with a sentence that names the key and what is allowed. What the
 * URL says wins over the options.
 */
int srpi_opts_create(struct srpi_opts **opts);
void srpi_opts_destroy(struct srpi_opts *opts);
int srpi_opts_set(struct srpi_opts *opts, const char *key, const char *value,
	char *reason, size_t n);

/* ---- diagnostics ----------------------------------------------------- */

/*
 * What the library has to say besides results, a line each: @level 0 error,
 * 1 warning, 2 info, 3 debug; the part of the library; the sentence. Any
 * thread calls it, one at a time; it must not call the library.
 */
typedef void (*srpi_log_fn)(void *arg, int level, const char *component,
	const char *line);
/* Lines up to @level go to @fn; NULL: to stderr, as at first, with level 2. */
void srpi_log_set(srpi_log_fn fn, void *arg, int level);

/* ---- session --------------------------------------------------------- */

/*
 * Logs in to the target that @url names (srpi_url(7) has the forms:
 * srp://HOST[:PORT]/?id_ext=...&ioc_guid=..., demo://null, demo://ram) and
 * lists its LUNs. @opts may be NULL. Blocks up to the key login_timeout for
 * the login (for each address that a host name has), and as any I/O for the
 * list: io_timeout, and ready_timeout for a target that is busy.
 *
 *	-EINVAL          malformed URL or key
 *	-ENODEV -EACCES -ENOMEM   no RDMA device, no permission, memlock
 *	-EHOSTUNREACH -ETIMEDOUT  the target can't be reached
 *	-ECONNREFUSED    the target refused the login (SRP_LOGIN_REJ)
 *	-EPROTO          the target broke the protocol
 */
int srpi_open(const char *url, const struct srpi_opts *opts,
	struct srpi_session **session, char *reason, size_t n);

/*
 * What srpi_open() would say of the text alone: 0, or -EINVAL with the
 * sentence. Opens, resolves and reaches nothing.
 */
int srpi_url_check(const char *url, const struct srpi_opts *opts,
	char *reason, size_t n);

/*
 * Closes the session: I/Os still outstanding end with -ECANCELED, queues,
 * LUNs and memory of the session are freed with it. No other thread may be
 * inside a call on any of them. NULL is allowed.
 */
void srpi_close(struct srpi_session *session);

/* Session flags */
#define SRPI_SESSION_SOFTWARE	0x01u /* the software device */
#define SRPI_SESSION_IN_PROCESS 0x02u /* the target is in this process */
#define SRPI_SESSION_SHARED_CPU 0x04u /* and runs on the caller's CPU time */

struct srpi_session_info {
	uint8_t initiator_port_id[16];
	uint8_t target_port_id[16];
	uint32_t flags;		  /* SRPI_SESSION_* */
	uint32_t nr_channels;	  /* connections now up */
	uint32_t req_lim;	  /* credits granted at login, per channel */
	uint32_t max_it_iu_bytes; /* longest IU we may send */
	uint32_t imm_data_bytes;  /* immediate data per command; 0: none */
	uint32_t max_transfer_bytes; /* one command's limit by descriptors */
	uint64_t default_lun;	  /* the URL's lun=, else the lowest */
	uint64_t target_cpu_ns;	  /* in-process target's own thread so far */
	int32_t credits;	  /* left now, of all connections up */
	uint32_t tags, tags_used; /* of all queues; of those, not put yet */
	char device[64];	  /* RDMA device name */
	char portal[64];	  /* address:port */
};
void srpi_session_info(struct srpi_session *session,
	struct srpi_session_info *info);

/* ---- events ---------------------------------------------------------- */

/*
 * What happens to a session by itself. Whoever's command a target's unit
 * attention comes with, the session learns of it.
 *
 *	LUNS_CHANGED      unit attention 3F/0E, or an asynchronous event that
 *	                  says so or does not say what: srpi_rescan() tells
 *	CAPACITY_CHANGED  unit attention 2A/09, or such an event: the same
 *	DISCONNECTED      the session's own connection is gone, for good:
 *	                  srpi_rescan() and srpi_lun_open() fail from now on.
 *	                  Queues whose connections are still up go on; of
 *	                  those that are not, each I/O's result says so.
 */
#define SRPI_EVENT_LUNS_CHANGED	    0x01u
#define SRPI_EVENT_CAPACITY_CHANGED 0x02u
#define SRPI_EVENT_DISCONNECTED	    0x04u

/*
 * A descriptor, the session's own till it is closed, that is readable while
 * srpi_session_events() may have something. Only poll it: reading is
 * srpi_session_events()'s.
 */
int srpi_session_fd(const struct srpi_session *session);
/*
 * Takes what has happened since the last call, SRPI_EVENT_*; 0: nothing.
 * Never blocks. The descriptor is unreadable until something more happens.
 */
uint32_t srpi_session_events(struct srpi_session *session);
/*
 * Asks the target again what LUNs there are, and what each LUN opened is
 * like; srpi_luns() and srpi_lun_info() tell the new state from then on. I/O
 * may go on meanwhile. A LUN that is not there any more, or does not say what
 * it is like, stays open as it was known: the target answers its I/Os, with
 * sense. Its own commands may bring unit attentions, thus events. Any thread;
 * blocks as srpi_open() does for the list. Errors as srpi_lun_open(), of the
 * connection or the list alone.
 */
int srpi_rescan(struct srpi_session *session, char *reason, size_t n);

/* ---- LUNs ------------------------------------------------------------ */

/*
 * The LUNs the target reported when last asked, as 8-byte SAM LUNs (SAM-5
 * 4.7). Returns how many there are, which may be more than @max; 0 is a valid
 * answer.
 */
int srpi_luns(struct srpi_session *session, uint8_t (*luns)[8],
	unsigned int max);

/* SAM LUN <-> number. -EINVAL: more than one level, or no number. */
int srpi_lun_number(const uint8_t lun[8], uint64_t *number);
int srpi_lun_from_number(uint64_t number, uint8_t lun[8]);

/*
 * Opens a LUN: INQUIRY, READ CAPACITY, limits and mode pages. Waits for a
 * LUN that is becoming ready up to the key ready_timeout. -ENODEV: no such
 * LUN; -EMEDIUMTYPE: not a disk; -EAGAIN: not ready (the sense is in the
 * sentence). LUNs are owned by the session and end with it.
 */
int srpi_lun_open(struct srpi_session *session, const uint8_t lun[8],
	struct srpi_lun **out, char *reason, size_t n);

/* LUN flags */
#define SRPI_LUN_READ_ONLY   0x01u
#define SRPI_LUN_WRITE_CACHE 0x02u /* volatile cache on: flush means work */
#define SRPI_LUN_FUA	     0x04u
#define SRPI_LUN_UNMAP	     0x08u
#define SRPI_LUN_WRITE_SAME  0x10u
#define SRPI_LUN_ROTATIONAL  0x20u

struct srpi_lun_info {
	uint8_t lun[8];
	uint64_t number;
	uint64_t blocks;		/* capacity */
	uint32_t block_bytes;		/* logical block, any size from 1 */
	uint32_t physical_block_bytes;
	uint32_t flags;			/* SRPI_LUN_* */
	uint32_t max_transfer_blocks;	/* SBC block limits; 0: none stated */
	uint32_t max_unmap_blocks;	/* 0: none stated */
	uint32_t max_unmap_ranges;
	uint64_t max_write_same_blocks;
	char vendor[9], product[17], revision[5];
	char serial[65];		/* VPD 80h, "" when absent */
	char id[65];			/* VPD 83h as text: naa.…, eui.…, t10.… */
};
void srpi_lun_info(const struct srpi_lun *lun, struct srpi_lun_info *info);

/* ---- memory ---------------------------------------------------------- */

/*
 * Registered memory. Data of an I/O must lie in memory registered with its
 * session; one iovec element must not span two registrations.
 * srpi_buf_alloc() takes hugepages where there are any and is page aligned.
 * srpi_mem_register() registers memory of the caller's, which must stay
 * until srpi_mem_free(). -ENOMEM: RLIMIT_MEMLOCK is too small, usually; the
 * sentence says so. srpi_mem_free() needs all I/O on it finished and put.
 */
int srpi_buf_alloc(struct srpi_session *session, size_t bytes,
	struct srpi_mem **mem, char *reason, size_t n);
int srpi_mem_register(struct srpi_session *session, void *addr, size_t bytes,
	struct srpi_mem **mem, char *reason, size_t n);
void *srpi_mem_addr(const struct srpi_mem *mem);
size_t srpi_mem_bytes(const struct srpi_mem *mem);
void srpi_mem_free(struct srpi_mem *mem);

/* ---- queues ---------------------------------------------------------- */

/* Who handles completions; 0 takes the session's key completion=. */
enum srpi_completion {
	SRPI_COMPLETION_DEFAULT,
	SRPI_COMPLETION_INLINE,	  /* whoever waits, from an event channel */
	SRPI_COMPLETION_THREAD,	  /* a thread blocked on event channels */
	SRPI_COMPLETION_POLL,	  /* a thread that spins */
	SRPI_COMPLETION_SELF,	  /* the waiter spins on its own queue */
	SRPI_COMPLETION_ADAPTIVE, /* spin while that pays, then block */
	SRPI_NR_COMPLETIONS
};
/* "inline", ... "adaptive"; NULL for a value out of range. */
const char *srpi_completion_name(enum srpi_completion completion);
/* May this build and machine run the mode? 0 or -EOPNOTSUPP. */
int srpi_completion_available(enum srpi_completion completion);

/* Queue flags */
#define SRPI_QUEUE_TIMES  0x01u /* fill submit_ns, complete_ns: clock reads */
#define SRPI_QUEUE_STAGES 0x02u /* and the stages in between */

struct srpi_queue_opts {
	unsigned int depth; /* I/Os outstanding, 1..1024; 0: the key depth */
	enum srpi_completion completion;
	int cpu;	    /* pins the mode's thread, if it has one; -1 not */
	uint32_t flags;	    /* SRPI_QUEUE_* */
};
#define SRPI_QUEUE_OPTS_INIT { 0, SRPI_COMPLETION_DEFAULT, -1, 0 }

struct srpi_queue_info {
	unsigned int depth;  /* tags; srpi_get() never gives more */
	unsigned int window; /* commands the target's credits allow at once */
	enum srpi_completion completion;
	unsigned int channel; /* its connection's number, from 0: the session's own */
	unsigned int max_inline_bytes; /* what the device granted */
	size_t memory_bytes; /* what queue and channel hold, data excluded */
};

/*
 * Creates a queue, with a connection of its own while the target grants
 * them. @opts NULL: all from the session's keys. -EINVAL, -ENOMEM,
 * -EOPNOTSUPP (mode), and what srpi_open() may return.
 */
int srpi_queue_create(struct srpi_session *session,
	const struct srpi_queue_opts *opts, struct srpi_queue **queue,
	char *reason, size_t n);
/*
 * I/Os still outstanding are given up; a queue that shares its connection has
 * its own aborted first, and waits for those that the target refuses to abort,
 * io_timeout at most. NULL is allowed.
 */
void srpi_queue_destroy(struct srpi_queue *queue);
void srpi_queue_info(const struct srpi_queue *queue,
	struct srpi_queue_info *info);

/* ---- I/O ------------------------------------------------------------- */

/* Takes a tag. NULL: none free; poll or wait, then try again. */
struct srpi_io *srpi_get(struct srpi_queue *queue);
/* Gives the tag back: an I/O just got, or one that poll or wait returned. */
void srpi_put(struct srpi_io *io);

/* The caller's own word, kept from srpi_get() to srpi_put(). */
void srpi_set_data(struct srpi_io *io, void *data);
void *srpi_data(const struct srpi_io *io);
/* The I/O's index in its queue, 0..depth-1: to address the caller's arrays. */
unsigned int srpi_io_index(const struct srpi_io *io);

/* Prep flags */
#define SRPI_FUA 0x01u /* through volatile cache to the medium */
#define SRPI_DPO 0x02u

/*
 * Describe one command. The data is @iov's @nr elements, 1..255, together
 * @blocks logical blocks. 0, or
 *	-EINVAL  lengths don't match, too many elements
 *	-ERANGE  past the end of the LUN
 *	-EFAULT  memory that is not registered with the session
 *	-EROFS   the LUN is write protected
 *	-EMSGSIZE more than 2^32 - 1 bytes
 *
 * What one command can't carry (srpi_lun_info's max_transfer_blocks, the
 * key max_descs) goes in several, one after the other, unseen by the caller:
 * then, and only with @nr > 1, the array @iov must stay until the I/O has
 * finished.
 */
int srpi_prep_read(struct srpi_io *io, struct srpi_lun *lun, uint64_t lba,
	uint32_t blocks, const struct iovec *iov, unsigned int nr);
int srpi_prep_write(struct srpi_io *io, struct srpi_lun *lun, uint64_t lba,
	uint32_t blocks, const struct iovec *iov, unsigned int nr);
/* Adds SRPI_FUA, SRPI_DPO to a read or write just prepared. */
int srpi_prep_flags(struct srpi_io *io, uint32_t flags);
/* SYNCHRONIZE CACHE (10) of the whole LUN. */
int srpi_prep_flush(struct srpi_io *io, struct srpi_lun *lun);
/* A range of logical blocks. */
struct srpi_range {
	uint64_t lba;
	uint32_t blocks;
};
/*
 * UNMAP of @nr ranges, and WRITE SAME of one block's data over a range, with
 * the flag SRPI_UNMAP as a hint that the blocks need no storage. 0, -EINVAL,
 * -ERANGE, -EROFS, -EFAULT as above; -EOPNOTSUPP: the LUN has no UNMAP;
 * -EMSGSIZE: beyond the LUN's limits (srpi_lun_info), or more ranges than a
 * slot has room for (11, or 16 less than max_descs).
 */
#define SRPI_UNMAP 0x04u
int srpi_prep_unmap(struct srpi_io *io, struct srpi_lun *lun,
	const struct srpi_range *ranges, unsigned int nr);
int srpi_prep_write_same(struct srpi_io *io, struct srpi_lun *lun,
	uint64_t lba, uint32_t blocks, const struct iovec *block,
	uint32_t flags);
/*
 * Any CDB of 6..16 bytes. @iov is data-in with @write 0, data-out with
 * @write 1, none with @nr 0.
 */
int srpi_prep_cdb(struct srpi_io *io, struct srpi_lun *lun,
	const uint8_t *cdb, unsigned int cdb_bytes, int write,
	const struct iovec *iov, unsigned int nr);

/*
 * Puts an I/O on the queue's plug that srpi_prep_*() has just accepted. One
 * that none has accepted ends with -EINVAL, unsent. An I/O that is queued
 * already must not be queued or put: that aborts the program.
 */
void srpi_queue_io(struct srpi_io *io);
/*
 * Sends what is on the plug, as far as credits and the send queue allow;
 * the rest follows by itself as responses come in. Returns how many I/Os
 * were taken from the plug. A dead connection is no error here: its I/Os
 * come back through srpi_poll() with their result.
 */
int srpi_submit(struct srpi_queue *queue);

/* Finished I/Os, up to @max; never blocks. */
int srpi_poll(struct srpi_queue *queue, struct srpi_io **ios,
	unsigned int max);
/*
 * As srpi_poll(), but waits as the completion mode says until @min I/Os are
 * there, or @timeout_ns has passed (< 0: no limit; every I/O ends by the
 * key io_timeout anyway). Never waits for more I/Os than are outstanding.
 */
int srpi_wait(struct srpi_queue *queue, struct srpi_io **ios,
	unsigned int min, unsigned int max, int64_t timeout_ns);
/*
 * A descriptor that becomes readable when srpi_poll() may find something
 * after a srpi_poll() that found nothing. -EOPNOTSUPP in self.
 */
int srpi_fd(struct srpi_queue *queue);

struct srpi_result {
	int error;	  /* 0; or -errno: -EIO see status, -ETIMEDOUT, ... */
	uint8_t status;	  /* SAM status */
	uint8_t response; /* SRP response code when one came, else 0 */
	uint8_t sense_bytes;
	const uint8_t *sense; /* valid until srpi_put() */
	uint32_t bytes;	   /* transferred */
	int32_t residual;  /* bytes: > 0 underflow, < 0 overflow */
	/* CLOCK_MONOTONIC; with SRPI_QUEUE_TIMES, else 0 */
	uint64_t submit_ns;   /* srpi_submit() took it */
	uint64_t complete_ns; /* handed to the caller */
	/* with SRPI_QUEUE_STAGES, else 0 */
	uint64_t posted_ns; /* just before its doorbell (the last, if retried) */
	uint64_t seen_ns;   /* its response was polled */
	uint64_t woken_ns;  /* the waiter woke for it; 0: it did not sleep */
};
const struct srpi_result *srpi_result(const struct srpi_io *io);
/*
 * One sentence about a finished I/O: command, LUN, offset, length, outcome
 * with the sense in words. Returns as snprintf().
 */
int srpi_explain(const struct srpi_io *io, char *text, size_t n);

/* ---- task management ------------------------------------------------- */

enum srpi_tmf {
	SRPI_TMF_ABORT_TASK = 0x01,
	SRPI_TMF_LUN_RESET = 0x08,
};

/*
 * ABORT TASK of one I/O (@lun may be NULL), or LUN RESET (@io NULL), which
 * ends the commands of every queue of the session on that LUN, through
 * whichever srpi_lun it is open. Blocks until the target has answered, 5 s
 * for an abort, 15 s for a reset; the I/Os it ends come back through
 * srpi_poll() with -ECANCELED. The queue's thread calls it for an abort, any
 * thread for a reset; meanwhile no commands are sent, and other threads'
 * queues may come and go.
 *
 *	0           done, or the I/O had already finished
 *	-EREMOTEIO  the target refused (the sentence has its response code);
 *	            nothing has changed
 *	-ETIMEDOUT  no answer: the connection was given up, its I/Os have ended
 *	-ENOTCONN   there is no connection
 */
int srpi_tmf(struct srpi_session *session, struct srpi_lun *lun,
	enum srpi_tmf function, struct srpi_io *io, char *reason, size_t n);

/* ---- counters -------------------------------------------------------- */

struct srpi_stats {
	uint64_t commands, reads, writes;	/* finished */
	uint64_t read_bytes, write_bytes;
	uint64_t errors;	   /* I/Os that ended with an error */
	uint64_t doorbells;	   /* post calls that sent something */
	uint64_t send_wrs, recv_wrs, recv_doorbells;
	uint64_t arms, events, wakeups; /* notify requests; CQ events; blocks */
	uint64_t polls, empty_polls;
	uint64_t credit_waits;	   /* submits that had to leave some behind */
	uint64_t cred_reqs, aer_reqs;
	uint64_t unit_attentions;  /* consumed and retried */
	uint64_t retries;	   /* BUSY, NOT READY, UNIT ATTENTION */
	uint64_t late_responses;   /* for a tag no longer in use: dropped */
	uint64_t malformed_ius;
	uint64_t timeouts, aborts, disconnects;
	uint64_t thread_cpu_ns;	   /* the library's threads, of all sessions */
};
/*
 * A session's have all its queues' and the session's own commands (INQUIRY,
 * REPORT LUNS, ...). @bytes = sizeof(*stats), so that the structure can grow.
 */
void srpi_session_stats(struct srpi_session *session,
	struct srpi_stats *stats, size_t bytes);
void srpi_queue_stats(struct srpi_queue *queue, struct srpi_stats *stats,
	size_t bytes);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif /* SRPI_SRPI_H */
