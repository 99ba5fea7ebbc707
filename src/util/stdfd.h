/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Standard input, output and error of a program, whatever it was started
 * with.
 */
#ifndef UTIL_STDFD_H
#define UTIL_STDFD_H

/*
 * Descriptors 0 to 2 that are closed become /dev/null, so that no file opened
 * later gets their number and what is printed written into it; standard output
 * one that cannot be written, so that stdfd_finish() tells. The first call of
 * main().
 */
void stdfd_guard(void);

/*
 * Flushes standard output at the end of a program: 0, or -errno when what was
 * printed did not all arrive (a full disk, a closed pipe).
 */
int stdfd_finish(void);

/* The same, and says why in one sentence. */
int stdfd_finish_or_say(const char *program);

#endif /* UTIL_STDFD_H */
