/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A terminal as a screen that is drawn anew, with the sequences that every
 * terminal of the last forty years takes (ECMA-48, and xterm's second
 * screen). What it was before comes back, also around ^Z.
 */
#ifndef SRPCTL_SCREEN_H
#define SRPCTL_SCREEN_H

#include <stdbool.h>
#include <stdint.h>
#include <termios.h>

enum srpctl_screen_event {
	SRPCTL_SCREEN_TIME,   /* the deadline */
	SRPCTL_SCREEN_REDRAW, /* another size, or back from ^Z */
	SRPCTL_SCREEN_QUIT,   /* the key q, or a signal that ends */
};

struct srpctl_screen {
	int signal_fd;
	struct termios saved;
	bool has_saved;	 /* standard input is a terminal as well */
	bool reads_keys; /* and has not hung up */
};

/* Is standard output such a terminal? Not with TERM=dumb or none. */
bool srpctl_screen_is_here(void);
/* Its columns; what COLUMNS says, or 80, where it has none. */
int srpctl_screen_width(void);
/* Its lines; 24 where it has none. */
int srpctl_screen_height(void);

/* 0 or -errno. */
int srpctl_screen_open(struct srpctl_screen *screen);
void srpctl_screen_close(struct srpctl_screen *screen);
/* Lines are cut at the width; the @marked-th, from 0, is in reverse. */
void srpctl_screen_draw(const char *text, int marked);
enum srpctl_screen_event srpctl_screen_wait(
	struct srpctl_screen *screen, uint64_t deadline_ns);

#endif /* SRPCTL_SCREEN_H */
