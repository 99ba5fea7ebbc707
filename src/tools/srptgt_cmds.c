/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* The requests of the control socket: one row and one function each. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "target/target.h"
#include "tools/srptgt_control.h"
#include "tools/srptgt_opts.h"
#include "util/compiler.h"
#include "util/parse.h"

#define CMD_WORDS 3

struct cmd_ctx {
	struct target *target;
	char **words; /* words[0] is the request */
	char *answer; /* "ok ..." for 0, else a sentence */
	size_t n;
};

static int
cmd_number(const struct cmd_ctx *ctx, uint16_t *number)
{
	struct parse_limits limits = { .key = "lun", .max = 16383 };
	uint64_t v = 0;
	int rc = parse_u64(ctx->words[1], &limits, &v, ctx->answer, ctx->n);

	*number = (uint16_t)v;
	return rc;
}

static int
cmd_add(struct cmd_ctx *ctx)
{
	struct target_lun_attr lun = { 0 };

	if (srptgt_opts_parse_lun(ctx->words[1], &lun, ctx->answer, ctx->n))
		return -EINVAL;
	return target_lun_add(ctx->target, &lun, ctx->answer, ctx->n);
}

static int
cmd_remove(struct cmd_ctx *ctx)
{
	uint16_t number;
	int rc = cmd_number(ctx, &number);

	return rc ? rc :
		    target_lun_remove(
			    ctx->target, number, ctx->answer, ctx->n);
}

static int
cmd_resize(struct cmd_ctx *ctx)
{
	struct parse_limits limits = { .key = "size", .max = INT64_MAX };
	uint64_t bytes = 0;
	uint16_t number;
	int rc = cmd_number(ctx, &number);

	if (!rc)
		rc = parse_size(
			ctx->words[2], &limits, &bytes, ctx->answer, ctx->n);
	return rc ? rc :
		    target_lun_resize(
			    ctx->target, number, bytes, ctx->answer, ctx->n);
}

static int
cmd_protect(struct cmd_ctx *ctx)
{
	bool is_protected = false;
	uint16_t number;
	int rc = cmd_number(ctx, &number);

	if (!rc)
		rc = parse_bool("protect", ctx->words[2], &is_protected,
			ctx->answer, ctx->n);
	return rc ? rc :
		    target_lun_protect(ctx->target, number, is_protected,
			    ctx->answer, ctx->n);
}

static int
cmd_restat(struct cmd_ctx *ctx)
{
	int rc = target_lun_restat(ctx->target, ctx->answer, ctx->n);

	if (rc < 0)
		return rc;
	snprintf(ctx->answer, ctx->n, "ok %d\n", rc);
	return 0;
}

static int
cmd_luns(struct cmd_ctx *ctx)
{
	static struct target_lun_info infos[TARGET_MAX_LUNS];
	unsigned int i, nr = target_lun_list(ctx->target, infos);
	size_t at = 0;

	for (i = 0; i < nr && at < ctx->n; i++)
		at += (size_t)snprintf(ctx->answer + at, ctx->n - at,
			"%u %" PRIu64 " %u %s %s\n", infos[i].number,
			infos[i].size_bytes, infos[i].block_bytes,
			infos[i].flags & (TARGET_LUN_RO | TARGET_LUN_RO_HID) ?
				"ro" :
				"rw",
			infos[i].backend);
	if (at < ctx->n)
		at += (size_t)snprintf(
			ctx->answer + at, ctx->n - at, "ok %u\n", nr);
	if (at < ctx->n)
		return 0;
	snprintf(ctx->answer, ctx->n, "the list is longer than an answer");
	return -EMSGSIZE;
}

static const struct {
	const char *name, *operands;
	unsigned int nr_operands;
	int (*run)(struct cmd_ctx *ctx);
} cmds[] = {
	{ "add", "N=null|ram|PATH[,size=...]", 1, cmd_add },
	{ "remove", "N", 1, cmd_remove },
	{ "resize", "N BYTES", 2, cmd_resize },
	{ "protect", "N yes|no", 2, cmd_protect },
	{ "restat", "", 0, cmd_restat },
	{ "luns", "", 0, cmd_luns },
};

static void
cmd_help(char *answer, size_t n)
{
	size_t i, at;

	at = (size_t)snprintf(answer, n, "error: the requests are ");
	for (i = 0; i < ARRAY_SIZE(cmds) && at < n; i++)
		at += (size_t)snprintf(answer + at, n - at, "%s%s%s%s",
			i ? ", " : "", cmds[i].name,
			*cmds[i].operands ? " " : "", cmds[i].operands);
	if (at < n)
		snprintf(answer + at, n - at, "\n");
}

/* The words of @line; more than fit count as one more. */
static unsigned int
cmd_split(char *line, char *words[CMD_WORDS])
{
	unsigned int nr = 0;
	char *save = NULL, *word;

	for (word = strtok_r(line, " \t\r", &save); word;
		word = strtok_r(NULL, " \t\r", &save)) {
		if (nr == CMD_WORDS)
			return nr + 1;
		words[nr++] = word;
	}
	return nr;
}

void
srptgt_control_do(struct target *target, char *line, char *answer, size_t n)
{
	char *words[CMD_WORDS];
	char sentence[1024] = "";
	struct cmd_ctx ctx = { target, words, answer, n };
	unsigned int nr = cmd_split(line, words);
	size_t i;

	for (i = 0; nr && i < ARRAY_SIZE(cmds); i++) {
		if (strcmp(words[0], cmds[i].name))
			continue;
		if (nr != cmds[i].nr_operands + 1)
			break;
		snprintf(answer, n, "ok\n");
		if (!cmds[i].run(&ctx))
			return;
		snprintf(sentence, sizeof(sentence), "%s", answer);
		snprintf(answer, n, "error: %s\n", sentence);
		return;
	}
	cmd_help(answer, n);
}
