/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/srplat_interrupt.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/srplat_json.h"
#include "util/compiler.h"

volatile sig_atomic_t srplat_interrupt;
static volatile sig_atomic_t has_begun;

/* What a signal handler may not make: one of each signal. */
static struct last_words {
	int signo;
	char err[128];
	char out[256]; /* empty unless JSON is wanted */
} last_words[] = {
	{ .signo = SIGINT },
	{ .signo = SIGTERM },
};

static void
say(int fd, const char *text)
{
	/* There is nobody left to tell of a failure. */
	if (write(fd, text, strlen(text)) < 0)
		return;
}

static void
on_signal(int signo)
{
	size_t i;

	srplat_interrupt = signo;
	if (has_begun)
		return;
	for (i = 0; i < ARRAY_SIZE(last_words); i++) {
		if (last_words[i].signo != signo)
			continue;
		say(STDERR_FILENO, last_words[i].err);
		say(STDOUT_FILENO, last_words[i].out);
	}
	/* Its action is the default again: it ends us when we return. */
	raise(signo);
}

static int
prepare(struct last_words *words, const struct srplat_opts *opts)
{
	char reason[sizeof(words->err) - 16];
	FILE *f;
	int rc;

	snprintf(reason, sizeof(reason),
		"interrupted by signal %d (%s) before the first I/O: nothing "
		"was measured",
		words->signo, strsignal(words->signo));
	snprintf(words->err, sizeof(words->err), "srplat: %s\n", reason);
	if (opts->output != SRPLAT_OUTPUT_JSON)
		return 0;
	f = fmemopen(words->out, sizeof(words->out), "w");
	if (!f)
		return -errno;
	rc = srplat_json_print(f, NULL, NULL, reason, 128 + words->signo);
	return fclose(f) && !rc ? -errno : rc;
}

int
srplat_interrupt_init(const struct srplat_opts *opts)
{
	struct sigaction action = { .sa_handler = on_signal,
		.sa_flags = (int)SA_RESETHAND };
	size_t i;
	int rc;

	sigemptyset(&action.sa_mask);
	for (i = 0; i < ARRAY_SIZE(last_words); i++) {
		rc = prepare(&last_words[i], opts);
		if (rc)
			return rc;
		if (sigaction(last_words[i].signo, &action, NULL))
			return -errno;
	}
	return 0;
}

void
srplat_interrupt_begin(void)
{
	has_begun = 1;
}

void
srplat_interrupt_end(void)
{
	signal((int)srplat_interrupt, SIG_DFL);
	raise((int)srplat_interrupt);
}
