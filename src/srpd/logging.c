/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "config.h"

#include "srpd/logging.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <syslog.h>
#include <unistd.h>
#ifdef HAVE_LIBSYSTEMD
#include <systemd/sd-journal.h>
#endif

#include <srpi/srpi.h>

const char *const logging_names[] = {"stderr", "syslog", "journal", NULL};

static enum logging_target target_now;
static bool is_journal_stderr;

bool
logging_has(enum logging_target target)
{
#ifdef HAVE_LIBSYSTEMD
	return target <= LOGGING_JOURNAL;
#else
	return target < LOGGING_JOURNAL;
#endif
}

static int
priority(enum log_level level)
{
	static const int priorities[] = {
		[LOG_LEVEL_ERROR] = LOG_ERR,
		[LOG_LEVEL_WARN] = LOG_WARNING,
		[LOG_LEVEL_INFO] = LOG_INFO,
		[LOG_LEVEL_DEBUG] = LOG_DEBUG,
	};

	return priorities[level];
}

static void
to_stderr(enum log_level level, const char *component, const char *line)
{
	if (is_journal_stderr)
		fprintf(stderr, "<%d>%s: %s\n", priority(level), component,
			line);
	else if (level <= LOG_LEVEL_WARN)
		fprintf(stderr, "%s: %s: %s\n", component,
			log_level_name(level), line);
	else
		fprintf(stderr, "%s: %s\n", component, line);
}

static void
to_journal(enum log_level level, const char *component, const char *line)
{
#ifdef HAVE_LIBSYSTEMD
	sd_journal_send("MESSAGE=%s: %s", component, line, "PRIORITY=%i",
		priority(level), "SYSLOG_IDENTIFIER=srpd", NULL);
#else
	to_stderr(level, component, line);
#endif
}

static void
write_line(enum log_level level, const char *component, const char *line)
{
	switch (target_now) {
	case LOGGING_SYSLOG:
		syslog(priority(level), "%s: %s", component, line);
		break;
	case LOGGING_JOURNAL:
		to_journal(level, component, line);
		break;
	default:
		to_stderr(level, component, line);
	}
}

static void
own_line(void *arg, enum log_level level, const char *component,
	const char *line)
{
	(void)arg;
	write_line(level, component, line);
}

static void
library_line(void *arg, int level, const char *component, const char *line)
{
	(void)arg;
	write_line((enum log_level)level, component, line);
}

/* systemd.exec(5), JOURNAL_STREAM: the journal reads our stderr itself. */
static bool
is_stderr_the_journal(void)
{
	const char *stream = getenv("JOURNAL_STREAM");
	uintmax_t device, inode;
	struct stat st;

	return stream &&
	       sscanf(stream, "%" SCNuMAX ":%" SCNuMAX, &device, &inode) == 2 &&
	       fstat(STDERR_FILENO, &st) == 0 && st.st_dev == device &&
	       st.st_ino == inode;
}

void
logging_set(enum logging_target target, enum log_level level)
{
	/* No line is on its way while the sinks are gone. */
	log_set_sink(NULL, NULL);
	srpi_log_set(NULL, NULL, 0);
	is_journal_stderr = is_stderr_the_journal();
	target_now = target;
	if (target == LOGGING_SYSLOG)
		openlog("srpd", LOG_PID | LOG_NDELAY, LOG_DAEMON);
	else
		closelog();
	log_set_sink(own_line, NULL);
	logging_set_level(level);
}

void
logging_set_level(enum log_level level)
{
	log_set_level(level);
	srpi_log_set(library_line, NULL, (int)level);
}
