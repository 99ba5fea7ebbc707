/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/srpctl_screen.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "tools/srpctl_text.h"
#include "util/clock.h"
#include "util/compiler.h"

#define ENTER "\033[?1049h\033[?25l" /* second screen, no cursor */
#define LEAVE "\033[?25h\033[?1049l"
#define HOME "\033[H"
#define REVERSE "\033[7m"
#define PLAIN "\033[0m"
#define CLEAR_LINE "\033[K"
#define CLEAR_BELOW "\033[J"

bool
srpctl_screen_is_here(void)
{
	const char *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && term && *term && strcmp(term, "dumb");
}

static bool
get_size(struct winsize *size)
{
	return ioctl(STDOUT_FILENO, TIOCGWINSZ, size) == 0 && size->ws_col &&
		size->ws_row;
}

int
srpctl_screen_width(void)
{
	const char *columns = getenv("COLUMNS");
	struct winsize size;
	long width;

	if (get_size(&size))
		return size.ws_col;
	width = columns ? strtol(columns, NULL, 10) : 0;
	return width >= 20 && width <= 10000 ? (int)width : 80;
}

int
srpctl_screen_height(void)
{
	struct winsize size;

	return get_size(&size) ? size.ws_row : 24;
}

static void
send(const char *text)
{
	fputs(text, stdout);
	fflush(stdout);
}

static void
enter(struct srpctl_screen *screen)
{
	struct termios raw = screen->saved;

	if (screen->has_saved) {
		/* keys at once and unseen; ^C and ^Z still make signals */
		raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
		raw.c_cc[VMIN] = 0;
		raw.c_cc[VTIME] = 0;
		tcsetattr(STDIN_FILENO, TCSADRAIN, &raw);
	}
	send(ENTER);
}

static void
leave(const struct srpctl_screen *screen)
{
	send(LEAVE);
	if (screen->has_saved)
		tcsetattr(STDIN_FILENO, TCSADRAIN, &screen->saved);
}

int
srpctl_screen_open(struct srpctl_screen *screen)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT,
		SIGWINCH, SIGTSTP, SIGCONT };
	sigset_t set;
	size_t i;

	sigemptyset(&set);
	for (i = 0; i < ARRAY_SIZE(signals); i++)
		sigaddset(&set, signals[i]);
	sigprocmask(SIG_BLOCK, &set, NULL);
	screen->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (screen->signal_fd < 0)
		return -errno;
	screen->has_saved = tcgetattr(STDIN_FILENO, &screen->saved) == 0;
	screen->reads_keys = screen->has_saved;
	enter(screen);
	return 0;
}

void
srpctl_screen_close(struct srpctl_screen *screen)
{
	leave(screen);
	close(screen->signal_fd);
}

void
srpctl_screen_draw(const char *text, int marked)
{
	int width = srpctl_screen_width(), height = srpctl_screen_height();
	int line;
	size_t len;
	char cut[1024];

	fputs(HOME, stdout);
	for (line = 0; *text && line < height; line++) {
		len = strcspn(text, "\n");
		snprintf(cut, sizeof(cut), "%.*s", (int)len, text);
		fputs(line ? "\r\n" : "", stdout);
		fputs(line == marked ? REVERSE : "", stdout);
		srpctl_text_print(stdout, cut,
			line == marked ||
					srpctl_text_columns(cut) > (size_t)width ?
				width :
				0);
		fputs(line == marked ? PLAIN : "", stdout);
		/* behind a full line this would take its last character */
		if (line != marked && srpctl_text_columns(cut) < (size_t)width)
			fputs(CLEAR_LINE, stdout);
		text += len + (text[len] == '\n');
	}
	if (line < height)
		fputs("\r\n" CLEAR_BELOW, stdout);
	fflush(stdout);
}

/* Hands the terminal back, sleeps, and takes it again. */
static void
suspend(struct srpctl_screen *screen)
{
	leave(screen);
	raise(SIGSTOP);
	enter(screen);
}

static enum srpctl_screen_event
take_signal(struct srpctl_screen *screen)
{
	struct signalfd_siginfo info;

	if (read(screen->signal_fd, &info, sizeof(info)) != sizeof(info))
		return SRPCTL_SCREEN_TIME;
	switch (info.ssi_signo) {
	case SIGTSTP:
		suspend(screen);
		return SRPCTL_SCREEN_REDRAW;
	case SIGWINCH:
	case SIGCONT:
		return SRPCTL_SCREEN_REDRAW;
	default:
		return SRPCTL_SCREEN_QUIT;
	}
}

/* A key; one that is no command redraws, which shows that it was seen. */
static enum srpctl_screen_event
take_key(struct srpctl_screen *screen)
{
	char key;

	if (read(STDIN_FILENO, &key, 1) != 1) {
		/* the other end hung up: signals are left */
		screen->reads_keys = false;
		return SRPCTL_SCREEN_REDRAW;
	}
	return key == 'q' || key == 'Q' ? SRPCTL_SCREEN_QUIT :
					  SRPCTL_SCREEN_REDRAW;
}

enum srpctl_screen_event
srpctl_screen_wait(struct srpctl_screen *screen, uint64_t deadline_ns)
{
	struct pollfd fds[] = {
		{ .fd = screen->signal_fd, .events = POLLIN },
		{ .fd = screen->reads_keys ? STDIN_FILENO : -1,
			.events = POLLIN },
	};
	uint64_t now_ns = clock_ns(), left_ns;
	int rc;

	left_ns = deadline_ns > now_ns ? deadline_ns - now_ns : 0;
	rc = poll(fds, ARRAY_SIZE(fds),
		(int)DIV_ROUND_UP(left_ns, CLOCK_NS_PER_MSEC));
	if (rc <= 0)
		return SRPCTL_SCREEN_TIME;
	if (fds[0].revents)
		return take_signal(screen);
	return take_key(screen);
}
