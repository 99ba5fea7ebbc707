/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * The main() of a fuzz entry that is built without libFuzzer: feeds it each
 * file named on the command line, from a heap block of exactly the file's
 * size, so that valgrind and ASan see the first byte read past its end.
 */
#include <stdio.h>
#include <stdlib.h>

#include "replay.h"

#define SEED_MAX_BYTES (1 << 20)

static int
replay_file(const char *path)
{
	static uint8_t buf[SEED_MAX_BYTES];
	FILE *file = fopen(path, "rb");
	uint8_t *data;
	size_t size;

	if (!file) {
		perror(path);
		return -1;
	}
	size = fread(buf, 1, sizeof(buf), file);
	fclose(file);
	/* malloc(0) may be NULL, which entries need not take. */
	data = malloc(size ? size : 1);
	if (!data) {
		perror("malloc");
		return -1;
	}
	for (size_t i = 0; i < size; i++)
		data[i] = buf[i];
	LLVMFuzzerTestOneInput(data, size);
	free(data);
	return 0;
}

int
main(int argc, char **argv)
{
	if (argc < 2) {
		fprintf(stderr, "usage: %s SEED_FILE...\n", argv[0]);
		return 1;
	}
	for (int i = 1; i < argc; i++)
		if (replay_file(argv[i]))
			return 1;
	printf("%d seeds replayed\n", argc - 1);
	return 0;
}
