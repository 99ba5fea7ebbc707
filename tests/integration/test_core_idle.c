/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What sessions cost while nothing happens, what memory they take, and that
 * they leave nothing behind.
 */
#include "core_rig.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/unit.h"
#include "hostile.h"
#include "util/log.h"

#define NR_SESSIONS 8
#define IDLE_MS 1500u
/* queue pairs and completion queues of two connections, 4 ends */
#define SOFT_DEVICE_BYTES (256u << 10)

static struct rig rig;

static unsigned int
count_entries(const char *path)
{
	DIR *dir = opendir(path);
	unsigned int nr = 0;

	must(dir);
	while (readdir(dir))
		nr++;
	closedir(dir);
	return nr;
}

/* The number behind @key in a file of "key: number" lines; 0: not there. */
static uint64_t
read_key(const char *path, const char *key)
{
	FILE *file = fopen(path, "re");
	unsigned long long value = 0;
	char line[256];

	while (file && fgets(line, sizeof(line), file))
		if (!strncmp(line, key, strlen(key)))
			value = strtoull(line + strlen(key), NULL, 10);
	if (file)
		fclose(file);
	return value;
}

/* How often any thread of this process has blocked and been woken. */
static uint64_t
nr_wakeups(void)
{
	DIR *dir = opendir("/proc/self/task");
	struct dirent *entry;
	uint64_t sum = 0;
	char path[300];

	must(dir);
	while ((entry = readdir(dir)) != NULL) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), "/proc/self/task/%s/status",
			entry->d_name);
		sum += read_key(path, "voluntary_ctxt_switches:");
	}
	closedir(dir);
	return sum;
}

/* ---- idle ---- */

static const struct {
	enum srpi_completion mode;
	enum soft_irqmode irq;
} idle_rows[] = {
	{ SRPI_COMPLETION_INLINE, SOFT_IRQ_SOFTIRQ },
	{ SRPI_COMPLETION_THREAD, SOFT_IRQ_SOFTIRQ },
	{ SRPI_COMPLETION_ADAPTIVE, SOFT_IRQ_SOFTIRQ },
	{ SRPI_COMPLETION_INLINE, SOFT_IRQ_THREAD },
	{ SRPI_COMPLETION_THREAD, SOFT_IRQ_THREAD },
	{ SRPI_COMPLETION_ADAPTIVE, SOFT_IRQ_THREAD },
};

static void
expect_quiet(void)
{
	uint64_t cpu = clock_read(CLOCK_PROCESS_CPUTIME_ID);
	uint64_t wakeups = nr_wakeups(), begin = clock_ns(), took;

	rig_sleep_ms(IDLE_MS);
	took = clock_ns() - begin;
	wakeups = nr_wakeups() - wakeups;
	cpu = clock_read(CLOCK_PROCESS_CPUTIME_ID) - cpu;
	ck_assert_msg(cpu < took / 100, "%llu us of CPU in %llu ms",
		(unsigned long long)(cpu / CLOCK_NS_PER_USEC),
		(unsigned long long)(took / CLOCK_NS_PER_MSEC));
	ck_assert_msg(wakeups * CLOCK_NS_PER_SEC < 50 * took,
		"%llu wake-ups in %llu ms", (unsigned long long)wakeups,
		(unsigned long long)(took / CLOCK_NS_PER_MSEC));
}

START_TEST(idle_sessions_cost_nothing)
{
	struct srpi_session *sessions[NR_SESSIONS];
	unsigned int i;

	rig_up_ram(&rig, idle_rows[_i].irq);
	rig.attr.completion = idle_rows[_i].mode;
	rig.attr.io_timeout_ms = 30000;
	for (i = 0; i < NR_SESSIONS; i++) {
		rig_open_all(&rig, NULL);
		rig_verify(&rig, 8, i);
		sessions[i] = rig.session;
	}
	expect_quiet();
	/* and they are still there */
	rig_verify(&rig, 8, 99);
	for (i = 0; i < NR_SESSIONS; i++)
		session_destroy(sessions[i]);
	rig_down(&rig);
}
END_TEST

/* ---- memory ---- */

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define HAS_SHADOW 1 /* what is resident then says nothing */
#else
#define HAS_SHADOW 0
#endif

static uint64_t
resident_bytes(void)
{
	return (read_key("/proc/self/status", "VmRSS:") +
		       read_key("/proc/self/status", "VmLck:")) << 10;
}

/* A target that only answers logins: its own memory stays small. */
START_TEST(a_queue_of_128_takes_less_than_a_mebibyte)
{
	struct srpi_queue_opts opts = { .depth = 128, .cpu = -1 };
	struct srpi_queue_info info;
	struct hostile hostile;
	uint64_t before, after;
	int i;

	/* code and the allocator's arenas are there after the first */
	for (i = 0; i < 2; i++) {
		hostile_start(&hostile);
		rig.addr = hostile.addr;
		rig_set_attr(&rig);
		rig.attr.depth = 128;
		before = resident_bytes();
		ck_assert_msg(!rig_open(&rig), "%s", rig.reason);
		rig.queue = rig_queue(&rig, &opts);
		after = resident_bytes();
		if (i)
			break;
		rig_close(&rig);
		hostile_stop(&hostile);
	}
	srpi_queue_info(rig.queue, &info);
	printf("%zu bytes for the queue, %llu resident for all\n",
		info.memory_bytes, (unsigned long long)(after - before));
	ck_assert_uint_gt(info.memory_bytes, 128 * 512);
	ck_assert_msg(info.memory_bytes <= 1u << 20, "%zu bytes",
		info.memory_bytes);
	/* both ends' part of the software device is in this process, too */
	ck_assert_msg(HAS_SHADOW ||
			after <= before + (1u << 20) + SOFT_DEVICE_BYTES,
		"%llu bytes resident for a session with its queue",
		(unsigned long long)(after - before));
	rig_close(&rig);
	hostile_stop(&hostile);
}
END_TEST

/* ---- nothing is left ---- */

static unsigned int
nr_mappings(void)
{
	FILE *file = fopen("/proc/self/maps", "re");
	unsigned int nr = 0;
	int c;

	must(file);
	while ((c = getc(file)) != EOF)
		nr += c == '\n';
	fclose(file);
	return nr;
}

static void
open_and_close(unsigned int i)
{
	struct srpi_queue_opts opts = SRPI_QUEUE_OPTS_INIT;

	opts.completion = rig_modes[i % RIG_NR_MODES];
	rig.attr.channels = 1 + i % 3;
	rig_open_all(&rig, &opts);
	rig_verify(&rig, 2, i);
	if (i % 2) /* one that shares or not, left to the session's end */
		rig_queue(&rig, &opts);
	if (i % 4 == 2)
		srpi_queue_destroy(rig.queue);
	if (i % 8 == 4 && opts.completion != SRPI_COMPLETION_SELF)
		must(srpi_fd(rig.queue) >= 0);
	if (i % 8 == 7) /* with I/Os out */
		rig_submit(rig.queue, &rig, 0, false);
	rig_close(&rig);
}

START_TEST(a_hundred_sessions_leave_nothing)
{
	unsigned int i, fds, tasks, mappings;

	rig_up_ram(&rig, SOFT_IRQ_SOFTIRQ);
	for (i = 0; i < 20; i++)
		open_and_close(i);
	/* the target lets go of its side a moment later */
	rig_sleep_ms(200);
	fds = count_entries("/proc/self/fd");
	tasks = count_entries("/proc/self/task");
	mappings = nr_mappings();
	for (; i < 120; i++)
		open_and_close(i);
	rig_sleep_ms(200);
	ck_assert_uint_eq(count_entries("/proc/self/fd"), fds);
	ck_assert_uint_eq(count_entries("/proc/self/task"), tasks);
	/* allocators keep a few, but not one for each; sanitizers' keep more */
	ck_assert_msg(HAS_SHADOW || nr_mappings() <= mappings + 20, "%u mappings, then %u",
		mappings, nr_mappings());
	rig_down(&rig);
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("core_idle");

	log_set_level(LOG_LEVEL_ERROR);
	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(tcase, idle_sessions_cost_nothing, 0,
		ARRAY_SIZE(idle_rows));
	tcase_add_test(tcase, a_queue_of_128_takes_less_than_a_mebibyte);
	tcase_add_test(tcase, a_hundred_sessions_leave_nothing);
	return unit_run(tcase, "core_idle");
}
