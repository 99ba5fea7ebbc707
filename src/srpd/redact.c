/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "srpd/redact.h"

#include <stdio.h>
#include <string.h>

#define STARS "***"

/*
 * The password is between the first '%' (libiscsi's form) or ':' behind the
 * user's name and the last '@' of the authority. A '/' in a password that
 * was not escaped must not show the rest of it: all up to the last '@' is
 * taken. Its length; 0: none.
 */
static size_t
find_password(const char *url, const char **password)
{
	const char *user = strstr(url, "://");
	const char *end;

	user = user ? user + 3 : url;
	end = strrchr(user, '@');
	if (!end)
		return 0;
	*password = user + strcspn(user, "%:");
	if (*password >= end)
		return 0;
	(*password)++;
	return (size_t)(end - *password);
}

void
redact_url(const char *url, char *out, size_t n)
{
	const char *password;
	size_t len = find_password(url, &password);

	if (len)
		snprintf(out, n, "%.*s" STARS "%s", (int)(password - url), url,
			password + len);
	else
		snprintf(out, n, "%s", url);
}

void
redact_text(char *text, const char *url)
{
	const char *password;
	size_t len = find_password(url, &password);

	if (!len)
		return;
	for (text = memmem(text, strlen(text), password, len); text;
		text = memmem(text, strlen(text), password, len)) {
		memset(text, '*', len);
		text += len;
	}
}
