/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/srpctl_top.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ctl/ctl_client.h"
#include "tools/srpctl_frame.h"
#include "tools/srpctl_screen.h"
#include "util/clock.h"

#define TITLE_LINE 2 /* of a frame, counted from 0 */

struct top {
	const struct srpctl_opts *opts;
	struct ctl_client *client; /* NULL: to be opened */
	json_t *then, *now;	   /* results of stats */
	uint64_t next_ns;	   /* the next look */
	uint64_t nr_looks;
	char *reason;
	size_t n;
};

/* One look: what was now is then. On failure nothing moves. */
static enum ctl_code
look(struct top *top)
{
	const struct srpctl_opts *opts = top->opts;
	struct ctl_reply reply;
	enum ctl_code code;
	int rc = 0;

	if (!top->client)
		rc = ctl_client_open(opts->socket, opts->timeout_ns,
			&top->client, top->reason, top->n);
	if (rc)
		return ctl_code_of_errno(rc == -ECONNREFUSED ? -ENOTCONN :
			rc == -ENOENT ? -ENOTCONN : rc);
	rc = ctl_client_call(top->client, "stats", opts->args, &reply,
		top->reason, top->n);
	code = rc ? ctl_code_of_errno(rc) : reply.code;
	if (rc) {
		ctl_client_close(top->client);
		top->client = NULL;
	} else if (code) {
		snprintf(top->reason, top->n, "%s", reply.text);
	} else {
		json_decref(top->then);
		top->then = top->now;
		top->now = json_incref(reply.result);
		top->nr_looks++;
	}
	ctl_reply_fini(&reply);
	return code;
}

/* Looks are @interval apart, counted from the first, as far as there is time. */
static void
set_next(struct top *top)
{
	uint64_t now_ns = clock_ns();

	top->next_ns += top->opts->interval_ns;
	if (top->next_ns < now_ns)
		top->next_ns = now_ns;
}

static bool
is_enough(const struct top *top)
{
	/* the first look only begins the first interval */
	return top->opts->count && top->nr_looks > top->opts->count;
}

/* ---- blocks ---------------------------------------------------------- */

static int
print_block(const struct top *top)
{
	json_t *frame;

	if (!top->opts->wants_json) {
		srpctl_frame_print(top->then, top->now, srpctl_screen_width(),
			0, stdout);
		fputc('\n', stdout);
	} else {
		frame = srpctl_frame_json(top->then, top->now);
		if (!frame)
			return -ENOMEM;
		json_dumpf(frame, stdout, JSON_COMPACT);
		fputc('\n', stdout);
		json_decref(frame);
	}
	return fflush(stdout) ? -errno : 0;
}

static void
sleep_until(uint64_t deadline_ns)
{
	struct timespec at = {
		.tv_sec = (time_t)(deadline_ns / CLOCK_NS_PER_SEC),
		.tv_nsec = (long)(deadline_ns % CLOCK_NS_PER_SEC),
	};

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) ==
		EINTR)
		;
}

static enum ctl_code
run_blocks(struct top *top)
{
	enum ctl_code code;

	while (!is_enough(top)) {
		set_next(top);
		sleep_until(top->next_ns);
		code = look(top);
		if (code)
			return code;
		if (print_block(top)) {
			snprintf(top->reason, top->n,
				"writing to standard output: %s",
				strerror(errno));
			return CTL_IO_ERROR;
		}
	}
	return CTL_DONE;
}

/* ---- screen ---------------------------------------------------------- */

static void
draw(const struct top *top, const char *trouble)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		return;
	srpctl_frame_print(top->then, top->now, srpctl_screen_width(),
		srpctl_screen_height() - (trouble[0] != '\0'), out);
	fputs(trouble, out);
	fclose(out);
	srpctl_screen_draw(text, TITLE_LINE);
	free(text);
}

static enum ctl_code
run_screen(struct top *top)
{
	enum srpctl_screen_event event = SRPCTL_SCREEN_REDRAW;
	enum ctl_code code = CTL_DONE;
	struct srpctl_screen screen;
	char trouble[512] = "";

	if (srpctl_screen_open(&screen)) {
		snprintf(top->reason, top->n, "signals: %s", strerror(errno));
		return CTL_IO_ERROR;
	}
	while (event != SRPCTL_SCREEN_QUIT && !is_enough(top)) {
		draw(top, trouble);
		event = srpctl_screen_wait(&screen, top->next_ns);
		if (event != SRPCTL_SCREEN_TIME || clock_ns() < top->next_ns)
			continue;
		set_next(top);
		trouble[0] = '\0';
		code = look(top);
		if (code == CTL_BAD_VALUE)
			break; /* the target is gone from the ini file */
		if (code)
			snprintf(trouble, sizeof(trouble), "%s", top->reason);
	}
	srpctl_screen_close(&screen);
	return code == CTL_BAD_VALUE ? code : CTL_DONE;
}

enum ctl_code
srpctl_top(const struct srpctl_opts *opts, char *reason, size_t n)
{
	struct top top = { .opts = opts, .reason = reason, .n = n };
	enum ctl_code code;

	top.next_ns = clock_ns();
	code = look(&top);
	if (!code)
		code = srpctl_screen_is_here() && !opts->wants_json ?
			run_screen(&top) :
			run_blocks(&top);
	ctl_client_close(top.client);
	json_decref(top.then);
	json_decref(top.now);
	return code;
}
