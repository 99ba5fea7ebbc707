/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* URLs and sentences without the passwords in them. */
#ifndef SRPD_REDACT_H
#define SRPD_REDACT_H

#include <stddef.h>

/* As snprintf(): "iser://user%***@host/..." for one with a password. */
void redact_url(const char *url, char *out, size_t n);
/* Writes asterisks over every occurrence of @url's password in @text. */
void redact_text(char *text, const char *url);

#endif /* SRPD_REDACT_H */
