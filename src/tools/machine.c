/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/machine.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "util/thread.h"

#define CPUINFO_BYTES 16384

/* The beginning of a small file; "" where it can't be read. */
static void
read_text(const char *path, char *text, size_t n)
{
	FILE *f = fopen(path, "re");
	size_t nr = f ? fread(text, 1, n - 1, f) : 0;

	text[nr] = '\0';
	if (f)
		fclose(f);
}

/* The value of a line "key : value", up to its end. */
static const char *
find_value(const char *text, const char *key, size_t *len)
{
	size_t key_len = strlen(key);
	const char *line = text;

	while (line && strncmp(line, key, key_len) != 0) {
		line = strchr(line, '\n');
		if (line)
			line++;
	}
	if (!line)
		return NULL;
	line += key_len;
	line += strspn(line, " \t:");
	*len = strcspn(line, "\n");
	return line;
}

void
machine_parse_cpuinfo(struct machine *machine, const char *text)
{
	static const char flag[] = "hypervisor";
	const char *value;
	size_t len, i;

	value = find_value(text, "model name", &len);
	if (value && len)
		snprintf(machine->cpu, sizeof(machine->cpu), "%.*s", (int)len,
			value);
	else
		snprintf(machine->cpu, sizeof(machine->cpu), "unknown");
	machine->is_virtual = false;
	value = find_value(text, "flags", &len);
	for (i = 0; value && i + sizeof(flag) - 1 <= len; i++)
		machine->is_virtual |=
			memcmp(value + i, flag, sizeof(flag) - 1) == 0;
}

static void
find_governor(struct machine *machine)
{
	char text[32];

	read_text("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", text,
		sizeof(text));
	text[strcspn(text, "\n")] = '\0';
	snprintf(machine->governor, sizeof(machine->governor), "%s", text);
}

void
machine_init(struct machine *machine)
{
	char text[CPUINFO_BYTES];
	struct utsname name;

	memset(machine, 0, sizeof(*machine));
	read_text("/proc/cpuinfo", text, sizeof(text));
	machine_parse_cpuinfo(machine, text);
	machine->nr_cpus = thread_nr_cpus();
	if (!uname(&name))
		snprintf(machine->kernel, sizeof(machine->kernel), "%s %s %s",
			name.sysname, name.release, name.machine);
	find_governor(machine);
	machine->memory_bytes = (uint64_t)sysconf(_SC_PHYS_PAGES) *
		(uint64_t)sysconf(_SC_PAGESIZE);
	clock_self_test(&machine->clock);
}

json_t *
machine_json(const struct machine *machine)
{
	const struct clock_report *clock = &machine->clock;

	return json_pack("{s:s, s:i, s:s, s:s?, s:b, s:I, s:{s:s, s:s, s:I, "
			 "s:f, s:I}}",
		"cpu", machine->cpu, "nr_cpus", machine->nr_cpus, "kernel",
		machine->kernel, "governor",
		machine->governor[0] ? machine->governor : NULL, "is_virtual",
		machine->is_virtual, "memory_bytes",
		(json_int_t)machine->memory_bytes, "clock", "name",
		"CLOCK_MONOTONIC", "source", clock->source, "resolution_ns",
		(json_int_t)clock->resolution_ns, "read_cost_ns",
		clock->read_cost_ns, "backwards",
		(json_int_t)clock->nr_backwards);
}

uint64_t
machine_busy_ns(void)
{
	uint64_t user, nice, system, idle, iowait, irq, softirq;
	long ticks = sysconf(_SC_CLK_TCK);
	char text[512];

	read_text("/proc/stat", text, sizeof(text));
	/* proc(5): guest time is in user's and nice's already. */
	if (ticks <= 0 ||
		sscanf(text,
			"cpu %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64
			" %" SCNu64 " %" SCNu64 " %" SCNu64,
			&user, &nice, &system, &idle, &iowait, &irq,
			&softirq) != 7)
		return 0;
	return (user + nice + system + irq + softirq) *
		(CLOCK_NS_PER_SEC / (uint64_t)ticks);
}
