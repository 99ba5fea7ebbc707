/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* Reads the first blocks of a logical unit, eight at a time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <srpi/srpi.h>

enum { DEPTH = 8, NR_READS = 64 };

static void
must(int rc, const char *what, const char *reason)
{
	if (rc >= 0)
		return;
	fprintf(stderr, "%s: %s\n", what, *reason ? reason : strerror(-rc));
	exit(1);
}

/* What has ended gives its tag back; the time of all is added up. */
static uint64_t
finish(struct srpi_io **ios, int nr)
{
	const struct srpi_result *result;
	uint64_t sum_ns = 0;
	char text[256];
	int i;

	for (i = 0; i < nr; i++) {
		result = srpi_result(ios[i]);
		if (result->error) {
			srpi_explain(ios[i], text, sizeof(text));
			must(result->error, "read", text);
		}
		sum_ns += result->complete_ns - result->submit_ns;
		srpi_put(ios[i]);
	}
	return sum_ns;
}

/* What device and target have granted. */
static void
show(const struct srpi_session_info *session, const struct srpi_queue *queue)
{
	struct srpi_queue_info info;

	srpi_queue_info(queue, &info);
	printf("%s to %s: %u commands at once, mode %s, %u bytes inline, "
	       "%u of immediate data\n",
		session->device, session->portal, info.window,
		srpi_completion_name(info.completion), info.max_inline_bytes,
		session->imm_data_bytes);
}

/* Takes a tag, and with it the part of the buffer that is the tag's. */
static int
queue_read(struct srpi_queue *queue, struct srpi_lun *lun,
	struct srpi_mem *mem, uint64_t lba)
{
	struct srpi_io *io = srpi_get(queue);
	size_t bytes = srpi_mem_bytes(mem) / DEPTH;
	struct iovec iov = { .iov_len = bytes };

	if (!io)
		return 0;
	iov.iov_base = (char *)srpi_mem_addr(mem) + srpi_io_index(io) * bytes;
	must(srpi_prep_read(io, lun, lba, 1, &iov, 1), "read", "");
	srpi_queue_io(io);
	return 1;
}

static uint64_t
read_all(struct srpi_queue *queue, struct srpi_lun *lun,
	struct srpi_mem *mem)
{
	struct srpi_io *ios[DEPTH];
	int nr, nr_begun = 0, nr_done = 0;
	uint64_t sum_ns = 0;

	while (nr_done < NR_READS) {
		while (nr_begun < NR_READS &&
			queue_read(queue, lun, mem, (uint64_t)nr_begun))
			nr_begun++;
		must(srpi_submit(queue), "submit", "");
		nr = srpi_wait(queue, ios, 1, DEPTH, -1);
		must(nr, "wait", "");
		sum_ns += finish(ios, nr);
		nr_done += nr;
	}
	return sum_ns;
}

int
main(int argc, char **argv)
{
	struct srpi_queue_opts opts = SRPI_QUEUE_OPTS_INIT;
	struct srpi_session_info session_info;
	struct srpi_lun_info lun_info;
	struct srpi_session *session;
	struct srpi_queue *queue;
	struct srpi_lun *lun;
	struct srpi_mem *mem;
	char why[256] = "";
	uint8_t address[8];

	must(argc == 2 ? 0 : -1, "usage", "srpi_read URL");
	must(srpi_open(argv[1], NULL, &session, why, sizeof(why)), "open", why);
	srpi_session_info(session, &session_info);
	must(srpi_lun_from_number(session_info.default_lun, address),
		"LUN", "");
	must(srpi_lun_open(session, address, &lun, why, sizeof(why)),
		"LUN", why);
	srpi_lun_info(lun, &lun_info);
	must(lun_info.blocks < NR_READS ? -1 : 0, "LUN", "it is too small");

	opts.depth = DEPTH;
	opts.flags = SRPI_QUEUE_TIMES;
	must(srpi_queue_create(session, &opts, &queue, why, sizeof(why)),
		"queue", why);
	show(&session_info, queue);
	must(srpi_buf_alloc(session, (size_t)DEPTH * lun_info.block_bytes, &mem,
		     why, sizeof(why)),
		"memory", why);

	printf("%s %s: %d reads of %u bytes, %.1f us each\n", lun_info.vendor,
		lun_info.product, NR_READS, lun_info.block_bytes,
		(double)read_all(queue, lun, mem) / NR_READS / 1e3);
	srpi_close(session);
	return 0;
}
