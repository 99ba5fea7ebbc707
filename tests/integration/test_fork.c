/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Sessions do not survive fork(); a child may open its own. And srpi_fd()
 * while the queue's thread is away.
 */
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <srpi/srpi.h>

#include "../unit/unit.h"

static char reason[512];

struct one {
	struct srpi_session *session;
	struct srpi_lun *lun;
	struct srpi_queue *queue;
	struct srpi_mem *mem;
};

static int
one_open(struct one *one, const char *url)
{
	uint8_t lun[8];

	return srpi_open(url, NULL, &one->session, reason, sizeof(reason)) ||
		srpi_lun_from_number(0, lun) ||
		srpi_lun_open(one->session, lun, &one->lun, reason,
			sizeof(reason)) ||
		srpi_queue_create(one->session, NULL, &one->queue, reason,
			sizeof(reason)) ||
		srpi_buf_alloc(one->session, 4096, &one->mem, reason,
			sizeof(reason));
}

static int
one_submit(struct one *one)
{
	struct iovec iov = { srpi_mem_addr(one->mem), 4096 };
	struct srpi_io *io = srpi_get(one->queue);

	if (!io || srpi_prep_read(io, one->lun, 0, 8, &iov, 1))
		return -1;
	srpi_queue_io(io);
	return srpi_submit(one->queue) == 1 ? 0 : -1;
}

static int
one_read(struct one *one)
{
	struct srpi_io *io;
	int error;

	if (one_submit(one) || srpi_wait(one->queue, &io, 1, 1, -1) != 1)
		return -1;
	error = srpi_result(io)->error;
	srpi_put(io);
	return error;
}

static const char *const urls[] = {
	"demo://ram?irqmode=thread&completion=inline&name=a",
	"demo://ram?completion=thread&name=a",
	"demo://null?completion=adaptive",
};

START_TEST(a_child_opens_its_own_session_beside_its_parents)
{
	struct one parent, child;
	int status;
	pid_t pid;

	ck_assert_msg(!one_open(&parent, urls[_i]), "%s", reason);
	ck_assert_int_eq(one_read(&parent), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		alarm(30);
		status = one_open(&child, urls[_i]) || one_read(&child);
		if (!status)
			srpi_close(child.session);
		_exit(status ? 1 : 0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	ck_assert_int_eq(one_read(&parent), 0);
	srpi_close(parent.session);
}
END_TEST

/* Long enough for the keeper to find the owner away and to do its part. */
#define AWAY_SECONDS 3

START_TEST(the_descriptor_tells_of_what_ended_while_its_owner_was_away)
{
	struct pollfd pfd = { .events = POLLIN };
	struct srpi_io *io;
	struct one one;

	ck_assert_msg(!one_open(&one,
			      "demo://ram?irqmode=thread&completion=inline"),
		"%s", reason);
	pfd.fd = srpi_fd(one.queue);
	ck_assert_int_ge(pfd.fd, 0);
	ck_assert_int_eq(srpi_poll(one.queue, &io, 1), 0);
	ck_assert_int_eq(one_submit(&one), 0);
	sleep(AWAY_SECONDS);
	ck_assert_int_eq(poll(&pfd, 1, 5000), 1);
	ck_assert_int_eq(srpi_poll(one.queue, &io, 1), 1);
	ck_assert_int_eq(srpi_result(io)->error, 0);
	srpi_put(io);
	srpi_close(one.session);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("fork");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase,
		a_child_opens_its_own_session_beside_its_parents, 0,
		(int)(sizeof(urls) / sizeof(urls[0])));
	tcase_add_test(tcase,
		the_descriptor_tells_of_what_ended_while_its_owner_was_away);
	return unit_run(tcase, "fork");
}
