/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "util/clock.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#define CLOCKSOURCE                                                            \
	"/sys/devices/system/clocksource/clocksource0/current_clocksource"
#define SELF_TEST_READS 20000

static void
read_source(char *source, size_t n)
{
	FILE *f = fopen(CLOCKSOURCE, "re");

	snprintf(source, n, "unknown");
	if (!f)
		return;
	if (fgets(source, (int)n, f))
		source[strcspn(source, "\n")] = '\0';
	else
		snprintf(source, n, "unknown");
	fclose(f);
}

void
clock_self_test(struct clock_report *report)
{
	struct timespec res;
	uint64_t begin, prev, now;
	int i;

	memset(report, 0, sizeof(*report));
	read_source(report->source, sizeof(report->source));
	if (clock_getres(CLOCK_MONOTONIC, &res) == 0)
		report->resolution_ns =
			(uint64_t)res.tv_sec * CLOCK_NS_PER_SEC +
			(uint64_t)res.tv_nsec;
	report->step_ns = UINT64_MAX;
	begin = prev = clock_ns();
	for (i = 0; i < SELF_TEST_READS; i++) {
		now = clock_ns();
		if (now < prev)
			report->nr_backwards++;
		else if (now > prev && now - prev < report->step_ns)
			report->step_ns = now - prev;
		prev = now;
	}
	report->read_cost_ns = prev > begin
		? (double)(prev - begin) / SELF_TEST_READS
		: 0.0;
	if (report->step_ns == UINT64_MAX)
		report->step_ns = 0;
}

static void
read_usage(int who, clockid_t clock, struct clock_usage *usage)
{
	struct rusage ru;

	memset(usage, 0, sizeof(*usage));
	usage->cpu_ns = clock_read(clock);
	if (getrusage(who, &ru))
		return;
	usage->nr_voluntary = (uint64_t)ru.ru_nvcsw;
	usage->nr_involuntary = (uint64_t)ru.ru_nivcsw;
}

void
clock_usage_thread(struct clock_usage *usage)
{
	read_usage(RUSAGE_THREAD, CLOCK_THREAD_CPUTIME_ID, usage);
}

void
clock_usage_process(struct clock_usage *usage)
{
	read_usage(RUSAGE_SELF, CLOCK_PROCESS_CPUTIME_ID, usage);
}

struct clock_usage
clock_usage_delta(
	const struct clock_usage *begin, const struct clock_usage *end)
{
	return (struct clock_usage){
		.cpu_ns = end->cpu_ns - begin->cpu_ns,
		.nr_voluntary = end->nr_voluntary - begin->nr_voluntary,
		.nr_involuntary = end->nr_involuntary - begin->nr_involuntary,
	};
}
