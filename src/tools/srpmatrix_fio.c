/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/srpmatrix_fio.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/machine.h"
#include "tools/srpmatrix_argv.h"
#include "tools/srpmatrix_child.h"
#include "tools/srpmatrix_parse.h"
#include "util/clock.h"
#include "util/compiler.h"

/* Beyond the time it is to run: many logins, and an I/O that times out. */
#define GRACE_NS (120 * CLOCK_NS_PER_SEC)
#define STATS_BYTES ((size_t)4 << 20)
#define COMPLAINT_BYTES 400

#define INSTALLED_ENGINE SRPD_LIBDIR "/libfio-srpi.so"

/* ---- what there is --------------------------------------------------- */

/* A path that holds in any folder. */
static int
resolve(const char *what, const char *path, char *out, char *reason, size_t n)
{
	char real[PATH_MAX];

	if (!realpath(path, real) || access(real, R_OK)) {
		snprintf(reason, n, "%s %s: %s", what, path, strerror(errno));
		return SRPMATRIX_EXIT_UNREACHABLE;
	}
	snprintf(out, PATH_MAX, "%s", real);
	return 0;
}

/* A folder can be read, too, and would be refused by every run. */
static int
resolve_file(
	const char *what, const char *path, char *out, char *reason, size_t n)
{
	struct stat st;
	int rc = resolve(what, path, out, reason, n);

	if (rc || stat(out, &st) || S_ISREG(st.st_mode))
		return rc;
	snprintf(reason, n, "%s %s: it is not a file", what, path);
	return SRPMATRIX_EXIT_UNREACHABLE;
}

static int
find_engine(struct srpmatrix_fio *fio, char *reason, size_t n)
{
	const char *path = fio->opts->engine;
	bool is_needed = false;
	unsigned int i;

	for (i = 0; i < fio->opts->nr_modes; i++)
		is_needed |= !fio->opts->modes[i].is_kernel;
	if (!is_needed)
		return 0;
	if (!path)
		path = getenv("SRPI_FIO_ENGINE");
	if (path && *path)
		return resolve_file(
			"the engine", path, fio->engine, reason, n);
	if (!resolve("", INSTALLED_ENGINE, fio->engine, reason, n))
		return 0;
	snprintf(reason, n,
		"there is no engine for fio at %s: build with "
		"'configure --with-fio=DIR' (scripts/fio-source prints DIR), "
		"or say where it is with --engine",
		INSTALLED_ENGINE);
	return SRPMATRIX_EXIT_UNREACHABLE;
}

static int
find_fio(struct srpmatrix_fio *fio, char *reason, size_t n)
{
	const char *given = fio->opts->fio;

	/* A path is one from here; a plain name is looked for in PATH. */
	if (given && strchr(given, '/'))
		return resolve_file("fio at", given, fio->fio, reason, n);
	snprintf(fio->fio, sizeof(fio->fio), "%s", given ? given : "fio");
	return 0;
}

static int
ask_version(struct srpmatrix_fio *fio, char *reason, size_t n)
{
	char *args[] = { fio->fio, (char *)"--version", NULL };
	struct srpmatrix_child child;
	int rc = srpmatrix_child_run(&child, args, "/",
		20 * CLOCK_NS_PER_SEC, fio->stop);

	if (rc)
		snprintf(reason, n,
			"%s can not be run: %s; install the package fio, or "
			"say where it is with --fio",
			fio->fio, strerror(-rc));
	else if (!child.out.text ||
		srpmatrix_parse_version(child.out.text, fio->version,
			sizeof(fio->version))) {
		snprintf(reason, n, "%s --version does not answer as fio does",
			fio->fio);
		rc = -EINVAL;
	}
	srpmatrix_child_fini(&child);
	return rc ? SRPMATRIX_EXIT_UNREACHABLE : 0;
}

/* Where the user wants such folders; by a name that holds in any of them. */
static int
find_parent(char *parent, char *reason, size_t n)
{
	const char *given = getenv("TMPDIR");

	if (given && *given)
		return resolve("TMPDIR", given, parent, reason, n)
			? SRPMATRIX_EXIT_BAD_VALUE
			: 0;
	snprintf(parent, PATH_MAX, "/tmp");
	return 0;
}

static int
make_dir(struct srpmatrix_fio *fio, char *reason, size_t n)
{
	char parent[PATH_MAX];
	int rc = find_parent(parent, reason, n);

	if (rc)
		return rc;
	snprintf(fio->dir, sizeof(fio->dir), "%s/srpmatrix-XXXXXX", parent);
	if (!mkdtemp(fio->dir)) {
		snprintf(reason, n,
			"a folder in %s for fio to run in: %s; name another "
			"place with TMPDIR",
			parent, strerror(errno));
		fio->dir[0] = '\0';
		return SRPMATRIX_EXIT_BAD_VALUE;
	}
	snprintf(fio->stats, sizeof(fio->stats), "%s/counters", fio->dir);
	return 0;
}

int
srpmatrix_fio_open(struct srpmatrix_fio *fio,
	const struct srpmatrix_opts *opts, const volatile sig_atomic_t *stop,
	char *reason, size_t n)
{
	int rc;

	memset(fio, 0, sizeof(*fio));
	fio->opts = opts;
	fio->stop = stop;
	rc = find_fio(fio, reason, n);
	if (!rc)
		rc = ask_version(fio, reason, n);
	if (!rc)
		rc = find_engine(fio, reason, n);
	if (!rc && opts->compare)
		rc = resolve("--compare", opts->compare, fio->compare, reason,
			n);
	return rc ? rc : make_dir(fio, reason, n);
}

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

void
srpmatrix_fio_close(struct srpmatrix_fio *fio)
{
	if (fio->dir[0])
		nftw(fio->dir, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	fio->dir[0] = '\0';
}

/* ---- one run --------------------------------------------------------- */

/* Why it has no result; a sentence that is there already is kept. */
static void
explain(const struct srpmatrix_child *child, const char *known, char *reason,
	size_t n)
{
	char said[COMPLAINT_BYTES] = "", how[64];
	int status = child->status;

	srpmatrix_parse_complaint(
		child->err.text ? child->err.text : "", said, sizeof(said));
	if (!said[0])
		srpmatrix_parse_complaint(child->out.text ? child->out.text : "",
			said, sizeof(said));
	if (child->is_late)
		snprintf(how, sizeof(how), "fio did not end in its time");
	else if (WIFSIGNALED(status))
		snprintf(how, sizeof(how), "fio was ended by signal %d (%s)",
			WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		snprintf(how, sizeof(how), "fio ended with status %d",
			WEXITSTATUS(status));
	snprintf(reason, n, "%s%s%s", *known && !child->is_late ? known : how,
		said[0] ? ": " : "", said);
}

/* All of a file, up to @max; NULL where there is none. */
static char *
read_file(const char *path, size_t max_bytes, size_t *nr)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	char *text = fd < 0 ? NULL : malloc(max_bytes + 1);
	ssize_t got = 1;

	for (*nr = 0; text && got > 0 && *nr < max_bytes;) {
		got = read(fd, text + *nr, max_bytes - *nr);
		if (got > 0)
			*nr += (size_t)got;
	}
	if (fd >= 0)
		close(fd);
	return text;
}

/* What the engine knows better: it counts the library's threads, too. */
static int
add_stats(const struct srpmatrix_fio *fio, struct srpmatrix_sample *sample,
	char *reason, size_t n)
{
	struct srpmatrix_counts counts;
	double nr_ios;
	size_t nr;
	char *text = read_file(fio->stats, STATS_BYTES, &nr);
	int rc = text ? srpmatrix_parse_stats(text, nr, &counts, reason, n)
		      : -ENODATA;

	free(text);
	if (rc == -ENODATA)
		snprintf(reason, n, "the engine has left no counters: is it of "
			"this version?");
	if (rc)
		return rc;
	nr_ios = (double)counts.nr_ios;
	sample->values[SRPMATRIX_DOORBELLS] = (double)counts.doorbells / nr_ios;
	sample->values[SRPMATRIX_EVENTS] = (double)counts.events / nr_ios;
	/* As fio's own, but in the same I/Os as the library's part. */
	sample->values[SRPMATRIX_SWITCHES] = (double)counts.switches / nr_ios;
	sample->values[SRPMATRIX_CPU_NS] =
		(double)(counts.job_cpu_ns + counts.library_cpu_ns) / nr_ios;
	return 0;
}

static int
take_results(const struct srpmatrix_fio *fio,
	const struct srpmatrix_mode *mode, const struct srpmatrix_child *child,
	struct srpmatrix_sample *sample, struct hist *hist, char *reason,
	size_t n)
{
	char known[256] = "";
	int rc;

	if (child->is_stopped)
		return -EINTR;
	if (child->is_late || !WIFEXITED(child->status)) {
		explain(child, known, reason, n);
		return -EIO;
	}
	rc = srpmatrix_parse_fio(child->out.text ? child->out.text : "",
		child->out.nr_bytes, sample, hist, known, sizeof(known));
	if (!rc && !mode->is_kernel)
		rc = add_stats(fio, sample, known, sizeof(known));
	if (!rc && !WEXITSTATUS(child->status))
		return 0;
	sample->is_done = false;
	if (rc == -EINVAL && WEXITSTATUS(child->status))
		known[0] = '\0'; /* it failed before it wrote any */
	explain(child, known, reason, n);
	return rc ? rc : -EIO;
}

int
srpmatrix_fio_run(const struct srpmatrix_fio *fio,
	const struct srpmatrix_cell *cell, const struct srpmatrix_mode *mode,
	struct srpmatrix_sample *sample, struct hist *hist, char *reason,
	size_t n)
{
	const struct srpmatrix_paths paths = { fio->fio, fio->engine,
		fio->compare, fio->stats };
	uint64_t busy_ns = machine_busy_ns();
	struct srpmatrix_argv argv;
	struct srpmatrix_child child;
	int rc;

	memset(sample, 0, sizeof(*sample));
	rc = srpmatrix_argv_init(&argv, fio->opts, &paths, cell, mode);
	if (rc) {
		snprintf(reason, n, "fio's command line would be too long");
		return rc;
	}
	unlink(fio->stats);
	rc = srpmatrix_child_run(&child, argv.args, fio->dir,
		fio->opts->runtime_ns + fio->opts->warmup_ns + GRACE_NS,
		fio->stop);
	if (rc)
		snprintf(reason, n, "%s can not be run: %s", fio->fio,
			strerror(-rc));
	else
		rc = take_results(fio, mode, &child, sample, hist, reason, n);
	srpmatrix_child_fini(&child);
	if (!rc && busy_ns)
		sample->values[SRPMATRIX_MACHINE_CPU_NS] =
			(double)(machine_busy_ns() - busy_ns) /
			(double)sample->nr_ios;
	return rc;
}
