/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * stall_thread PID NAME: stops the threads called NAME of a process and of its
 * children, says "stopped", and holds them until it is itself ended or they
 * are. This makes a target silent that is inside its initiator's process: a
 * signal would stop both. A thread is stopped while it sleeps in a system
 * call, where it holds no lock of the process.
 */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static int nr_stopped;

static bool
read_line(const char *path, char *line, size_t n)
{
	FILE *file = fopen(path, "re");
	bool is_read = file && fgets(line, (int)n, file);

	if (file)
		fclose(file);
	if (is_read)
		line[strcspn(line, "\n")] = '\0';
	return is_read;
}

/* Is the thread, now stopped, inside a system call? */
static bool
is_in_syscall(long pid, long tid)
{
	char path[64], line[256];

	snprintf(path, sizeof(path), "/proc/%ld/task/%ld/syscall", pid, tid);
	return read_line(path, line, sizeof(line)) &&
		strncmp(line, "running", 7) != 0 && line[0] != '-';
}

static bool
is_asleep(long pid, long tid)
{
	char path[64], line[512], *state;

	snprintf(path, sizeof(path), "/proc/%ld/task/%ld/stat", pid, tid);
	if (!read_line(path, line, sizeof(line)))
		return false;
	state = strrchr(line, ')');
	return state && strncmp(state, ") S", 3) == 0;
}

static void
seize(long tid)
{
	int status;

	if (ptrace(PTRACE_SEIZE, (pid_t)tid, NULL, NULL) == 0 &&
		ptrace(PTRACE_INTERRUPT, (pid_t)tid, NULL, NULL) == 0 &&
		waitpid((pid_t)tid, &status, __WALL) == (pid_t)tid)
		return;
	fprintf(stderr, "cannot stop thread %ld: %s\n", tid, strerror(errno));
	/* 77: not allowed on this machine */
	exit(errno == EPERM ? 77 : 1);
}

static void
stop_thread(long pid, long tid, const char *name)
{
	char path[64], line[64];

	snprintf(path, sizeof(path), "/proc/%ld/task/%ld/comm", pid, tid);
	if (!read_line(path, line, sizeof(line)) || strcmp(line, name) != 0)
		return;
	for (;;) {
		while (!is_asleep(pid, tid) && kill((pid_t)pid, 0) == 0)
			usleep(200);
		seize(tid);
		if (is_in_syscall(pid, tid))
			break;
		ptrace(PTRACE_DETACH, (pid_t)tid, NULL, NULL);
	}
	nr_stopped++;
}

static void
stop_threads(long pid, const char *name)
{
	char path[64];
	struct dirent *entry;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%ld/task", pid);
	dir = opendir(path);
	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			stop_thread(pid, strtol(entry->d_name, NULL, 10), name);
	if (dir)
		closedir(dir);
}

/* fio's jobs are children of its main process. */
static void
stop_children(long pid, const char *name)
{
	char path[64], line[4096], *next = line;
	long child;

	snprintf(path, sizeof(path), "/proc/%ld/task/%ld/children", pid, pid);
	if (!read_line(path, line, sizeof(line)))
		return;
	while ((child = strtol(next, &next, 10)) > 0)
		stop_threads(child, name);
}

int
main(int argc, char **argv)
{
	long pid = argc == 3 ? strtol(argv[1], NULL, 10) : 0;

	if (pid <= 0) {
		fprintf(stderr, "usage: stall_thread PID NAME\n");
		return 1;
	}
	stop_threads(pid, argv[2]);
	stop_children(pid, argv[2]);
	if (!nr_stopped) {
		fprintf(stderr, "process %ld has no thread %s\n", pid, argv[2]);
		return 1;
	}
	puts("stopped");
	fflush(stdout);
	while (waitpid(-1, NULL, __WALL) > 0 || errno == EINTR)
		;
	return 0;
}
