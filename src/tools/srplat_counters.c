/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/srplat_counters.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int
open_one(uint64_t config, bool with_kernel)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = config,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
			PERF_FORMAT_TOTAL_TIME_RUNNING,
		.exclude_kernel = !with_kernel,
		.exclude_hv = 1,
	};
	long fd = syscall(
		SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : (int)fd;
}

static int
open_both(struct srplat_counters *counters, bool with_kernel)
{
	int fd = open_one(PERF_COUNT_HW_CPU_CYCLES, with_kernel);

	if (fd < 0)
		return fd;
	counters->cycles_fd = fd;
	fd = open_one(PERF_COUNT_HW_INSTRUCTIONS, with_kernel);
	if (fd < 0) {
		close(counters->cycles_fd);
		counters->cycles_fd = -1;
		return fd;
	}
	counters->instructions_fd = fd;
	counters->scope = with_kernel ? "user+kernel" : "user";
	return 0;
}

void
srplat_counters_open(struct srplat_counters *counters)
{
	int rc;

	memset(counters, 0, sizeof(*counters));
	counters->cycles_fd = counters->instructions_fd = -1;
	rc = open_both(counters, true);
	if (rc == -EACCES || rc == -EPERM)
		rc = open_both(counters, false);
	if (rc)
		snprintf(counters->reason, sizeof(counters->reason),
			"perf_event_open: %s%s", strerror(-rc),
			rc == -EACCES || rc == -EPERM
				? " (kernel.perf_event_paranoid)"
				: rc == -ENOENT || rc == -EOPNOTSUPP
				? " (this machine has no such counters)"
				: "");
}

void
srplat_counters_close(struct srplat_counters *counters)
{
	if (!counters->scope)
		return;
	close(counters->cycles_fd);
	close(counters->instructions_fd);
	counters->scope = NULL;
}

/* Scaled up where the counter had to be shared; false: it never ran. */
static bool
read_one(int fd, uint64_t *value)
{
	struct {
		uint64_t value, enabled, running;
	} now;

	if (read(fd, &now, sizeof(now)) != sizeof(now) || !now.running)
		return false;
	*value = now.value;
	if (now.running < now.enabled)
		*value = (uint64_t)((double)now.value * (double)now.enabled /
			(double)now.running);
	return true;
}

void
srplat_counters_read(const struct srplat_counters *counters,
	struct srplat_counts *counts)
{
	memset(counts, 0, sizeof(*counts));
	counts->is_valid = counters->scope &&
		read_one(counters->cycles_fd, &counts->cycles) &&
		read_one(counters->instructions_fd, &counts->instructions);
}

void
srplat_counts_add(struct srplat_counts *sum, const struct srplat_counts *begin,
	const struct srplat_counts *end)
{
	if (!begin->is_valid || !end->is_valid ||
		end->cycles < begin->cycles ||
		end->instructions < begin->instructions)
		sum->is_broken = true;
	sum->is_valid = !sum->is_broken;
	if (!sum->is_valid)
		return;
	sum->cycles += end->cycles - begin->cycles;
	sum->instructions += end->instructions - begin->instructions;
}
