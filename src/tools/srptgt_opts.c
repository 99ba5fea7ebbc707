/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "tools/srptgt_opts.h"

#include <errno.h>
#include <getopt.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/compiler.h"
#include "util/parse.h"

#define DEFAULT_PORT "5555"
#define MAX_LUN_NUMBER 16383

/* One option: its value in, an enum srptgt_exit out. */
struct ctx {
	struct srptgt_opts *opts;
	const char *key;
	char *reason;
	size_t n;
};

static int
bad(const struct ctx *ctx, const char *value, const char *allowed)
{
	snprintf(ctx->reason, ctx->n, "%s=%s: %s", ctx->key, value, allowed);
	return SRPTGT_EXIT_BAD_VALUE;
}

static int
bad_if(int rc)
{
	return rc ? SRPTGT_EXIT_BAD_VALUE : 0;
}

static int
number(const struct ctx *ctx, const char *value, uint64_t min_value,
	uint64_t max_value, uint64_t *out)
{
	struct parse_limits limits = {
		.key = ctx->key,
		.min = min_value,
		.max = max_value,
	};

	return bad_if(parse_u64(value, &limits, out, ctx->reason, ctx->n));
}

/* "host", "host:port", "[v6]", "[v6]:port"; cut in place. */
static int
split_address(const struct ctx *ctx, char *value, char **host, char **port)
{
	char *end = value[0] == '[' ? strchr(value, ']') : NULL;

	*host = value;
	*port = NULL;
	if (value[0] == '[') {
		if (!end || (end[1] && end[1] != ':'))
			return bad(ctx, value, "an address is ADDR[:PORT]");
		*host = value + 1;
		*port = end[1] ? end + 2 : NULL;
		*end = '\0';
		return 0;
	}
	end = strchr(value, ':');
	if (end && !strchr(end + 1, ':')) {
		*port = end + 1;
		*end = '\0';
	}
	return 0;
}

static int
set_listen(struct ctx *ctx, char *value)
{
	struct addrinfo hints = {
		.ai_flags = AI_PASSIVE | AI_NUMERICSERV,
		.ai_socktype = SOCK_STREAM,
	};
	struct addrinfo *found;
	char *host, *port;
	uint64_t ignored;
	int rc;

	rc = split_address(ctx, value, &host, &port);
	if (!rc && port)
		rc = number(ctx, port, 0, UINT16_MAX, &ignored);
	if (rc)
		return rc;
	rc = getaddrinfo(host, port ? port : DEFAULT_PORT, &hints, &found);
	if (rc)
		return bad(ctx, host, gai_strerror(rc));
	memcpy(&ctx->opts->addr, found->ai_addr, found->ai_addrlen);
	freeaddrinfo(found);
	ctx->opts->listen = host;
	ctx->opts->attr.addr = (struct sockaddr *)&ctx->opts->addr;
	return 0;
}

static int
set_proto(struct ctx *ctx, char *value)
{
	return strcmp(value, "srp") ?
		bad(ctx, value, "srp is the protocol that is served") :
		0;
}

static int
set_id_ext(struct ctx *ctx, char *value)
{
	return bad_if(parse_hex64(ctx->key, value, &ctx->opts->attr.id_ext,
		ctx->reason, ctx->n));
}

static int
set_ioc_guid(struct ctx *ctx, char *value)
{
	return bad_if(parse_hex64(ctx->key, value, &ctx->opts->attr.ioc_guid,
		ctx->reason, ctx->n));
}

static int
set_fabric(struct ctx *ctx, char *value)
{
	ctx->opts->fabric = value;
	return 0;
}

static int
set_lun_flag(struct target_lun_attr *lun, const char *word)
{
	static const struct {
		const char *word;
		uint32_t flag;
	} table[] = {
		{ "ro", TARGET_LUN_RO },
		{ "ro_hid", TARGET_LUN_RO_HID },
		{ "nodata", TARGET_LUN_NODATA },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(table); i++)
		if (!strcmp(word, table[i].word)) {
			lun->flags |= table[i].flag;
			return 0;
		}
	return -EINVAL;
}

static int
set_lun_word(const struct ctx *ctx, struct target_lun_attr *lun, char *word)
{
	struct parse_limits size = { .key = "size", .max = INT64_MAX };
	struct ctx sub = *ctx;
	char *value = strchr(word, '=');
	uint64_t v;
	int rc;

	if (!value)
		return set_lun_flag(lun, word) ?
			bad(ctx, word,
				"ro, ro_hid, nodata, size=, block= and "
				"max_transfer= are known") :
			0;
	*value++ = '\0';
	sub.key = word;
	if (!strcmp(word, "size"))
		return bad_if(parse_size(value, &size, &lun->size_bytes,
			ctx->reason, ctx->n));
	if (!strcmp(word, "block")) {
		rc = number(&sub, value, 512, 4160, &v);
		lun->block_bytes = rc ? 0 : (uint32_t)v;
		return rc;
	}
	if (!strcmp(word, "max_transfer")) {
		rc = number(&sub, value, 1, UINT32_MAX, &v);
		lun->max_transfer_blocks = rc ? 0 : (uint32_t)v;
		return rc;
	}
	return bad(ctx, word, "size=, block= and max_transfer= are known");
}

static int
check_backend(const struct ctx *ctx, const struct target_lun_attr *lun)
{
	if (!strcmp(lun->backend, "null") || !strcmp(lun->backend, "ram"))
		return 0;
	return access(lun->backend, F_OK) ?
		bad(ctx, lun->backend,
			"null, ram, or the path of a file or block device; "
			"there is no such file") :
		0;
}

/* N=null|ram|PATH[,size=,block=,ro...] */
static int
parse_lun(const struct ctx *ctx, char *value, struct target_lun_attr *lun)
{
	char *backend = strchr(value, '=');
	char *word, *next;
	uint64_t lun_number;
	int rc;

	if (!backend || !backend[1])
		return bad(ctx, value, "a LUN is N=null|ram|PATH[,size=...]");
	*backend++ = '\0';
	rc = number(ctx, value, 0, MAX_LUN_NUMBER, &lun_number);
	next = strchr(backend, ',');
	while (!rc && next) {
		*next = '\0';
		word = next + 1;
		next = strchr(word, ',');
		if (next)
			*next = '\0';
		rc = set_lun_word(ctx, lun, word);
	}
	if (rc)
		return rc;
	lun->number = (uint16_t)lun_number;
	lun->backend = backend;
	return check_backend(ctx, lun);
}

static int
set_lun(struct ctx *ctx, char *value)
{
	struct srptgt_opts *opts = ctx->opts;
	unsigned int nr = opts->attr.nr_luns;
	int rc;

	if (nr == TARGET_MAX_LUNS)
		return bad(ctx, value, "256 LUNs is the limit");
	rc = parse_lun(ctx, value, &opts->luns[nr]);
	opts->attr.nr_luns += !rc;
	return rc;
}

int
srptgt_opts_parse_lun(
	char *text, struct target_lun_attr *lun, char *reason, size_t n)
{
	struct ctx ctx = { .key = "lun", .reason = reason, .n = n };

	return parse_lun(&ctx, text, lun);
}

/* What is to be had later has to be provided for now. */
static int
set_control(struct ctx *ctx, char *value)
{
	ctx->opts->control = value;
	ctx->opts->attr.may_add = true;
	return 0;
}

static int
set_req_lim(struct ctx *ctx, char *value)
{
	uint64_t v = 0;
	int rc = number(ctx, value, 1, 1024, &v);

	ctx->opts->attr.req_lim = (uint16_t)v;
	return rc;
}

static int
set_max_iu(struct ctx *ctx, char *value)
{
	uint64_t v = 0;
	int rc = number(ctx, value, 64, 16384, &v);

	ctx->opts->attr.max_it_iu_bytes = (uint32_t)v;
	return rc;
}

static int
set_max_channels(struct ctx *ctx, char *value)
{
	uint64_t v = 0;
	int rc = number(ctx, value, 1, UINT16_MAX, &v);

	ctx->opts->attr.max_channels = (uint16_t)v;
	return rc;
}

static int
set_spin(struct ctx *ctx, char *value)
{
	uint64_t v = 0;
	int rc = number(ctx, value, 0, 1000000, &v);

	ctx->opts->attr.spin_usec = (uint32_t)v;
	return rc;
}

static int
set_cpu(struct ctx *ctx, char *value)
{
	uint64_t v = 0;
	int rc = number(ctx, value, 0, 4095, &v);

	ctx->opts->cpu = (int)v;
	ctx->opts->attr.cpu = &ctx->opts->cpu;
	return rc;
}

static int
set_stats(struct ctx *ctx, char *value)
{
	uint64_t v = 0;
	int rc = number(ctx, value, 1, 86400, &v);

	ctx->opts->stats_seconds = (unsigned int)v;
	return rc;
}

enum fault_type { FAULT_U32, FAULT_I32, FAULT_U8, FAULT_BOOL };

#define FAULT(member, type) { #member, offsetof(struct target_faults, member), type }

static const struct fault {
	const char *name;
	size_t offset;
	enum fault_type type;
} fault_table[] = {
	FAULT(login_rej_reason, FAULT_U32),
	FAULT(login_rej_count, FAULT_U32),
	FAULT(cm_reject_stale, FAULT_U32),
	FAULT(silent_every, FAULT_U32),
	FAULT(bad_length_every, FAULT_U32),
	FAULT(bad_tag_every, FAULT_U32),
	FAULT(bad_opcode_every, FAULT_U32),
	FAULT(long_iu_every, FAULT_U32),
	FAULT(rsp_delta, FAULT_I32),
	FAULT(cred_by_req, FAULT_BOOL),
	FAULT(aer_by_req, FAULT_BOOL),
	FAULT(status, FAULT_U8),
	FAULT(status_every, FAULT_U32),
	FAULT(residual_bytes, FAULT_I32),
	FAULT(tmf_rsp_code, FAULT_U8),
};

/* Decimal, or hexadecimal after 0x: SRP's reasons are known so. */
static int
fault_number(const struct ctx *ctx, const char *value, const struct fault *f,
	int64_t *out)
{
	static const struct {
		int64_t min, max;
	} range[] = {
		[FAULT_U32] = { 0, UINT32_MAX },
		[FAULT_I32] = { INT32_MIN, INT32_MAX },
		[FAULT_U8] = { 0, UINT8_MAX },
	};
	char *end;

	errno = 0;
	*out = strtoll(value, &end, 0);
	if (errno || end == value || *end || *out < range[f->type].min ||
		*out > range[f->type].max) {
		snprintf(ctx->reason, ctx->n,
			"%s=%s: %lld to %lld are allowed", f->name, value,
			(long long)range[f->type].min,
			(long long)range[f->type].max);
		return SRPTGT_EXIT_BAD_VALUE;
	}
	return 0;
}

static int
set_one_fault(const struct ctx *ctx, const struct fault *f, const char *value)
{
	void *at = (char *)&ctx->opts->faults + f->offset;
	int64_t v = 0;
	int rc;

	if (f->type == FAULT_BOOL)
		return bad_if(parse_bool(
			f->name, value, at, ctx->reason, ctx->n));
	rc = fault_number(ctx, value, f, &v);
	if (rc)
		return rc;
	if (f->type == FAULT_U8)
		*(uint8_t *)at = (uint8_t)v;
	else if (f->type == FAULT_I32)
		*(int32_t *)at = (int32_t)v;
	else
		*(uint32_t *)at = (uint32_t)v;
	return 0;
}

/* NAME=VALUE */
static int
set_fault(struct ctx *ctx, char *value)
{
	char *text = strchr(value, '=');
	size_t i;

	if (!text)
		return bad(ctx, value, "a fault is NAME=VALUE");
	*text++ = '\0';
	ctx->opts->has_faults = true;
	for (i = 0; i < ARRAY_SIZE(fault_table); i++)
		if (!strcmp(value, fault_table[i].name))
			return set_one_fault(ctx, &fault_table[i], text);
	return bad(ctx, value, "there is no fault of that name");
}

static const struct {
	const char *name;
	int (*set)(struct ctx *ctx, char *value);
} settings[] = {
	{ "listen", set_listen },
	{ "lun", set_lun },
	{ "id-ext", set_id_ext },
	{ "ioc-guid", set_ioc_guid },
	{ "proto", set_proto },
	{ "fabric", set_fabric },
	{ "req-lim", set_req_lim },
	{ "max-iu", set_max_iu },
	{ "max-channels", set_max_channels },
	{ "spin-usec", set_spin },
	{ "cpu", set_cpu },
	{ "stats", set_stats },
	{ "fault", set_fault },
	{ "control", set_control },
};

enum {
	OPT_JSON = 256,
	OPT_AER,
	OPT_HELP,
	OPT_VERSION,
};

static void
make_long_options(struct option *out)
{
	static const struct option rest[] = {
		{ "json", no_argument, NULL, OPT_JSON },
		{ "aer", no_argument, NULL, OPT_AER },
		{ "help", no_argument, NULL, OPT_HELP },
		{ "version", no_argument, NULL, OPT_VERSION },
		{ 0 },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(settings); i++)
		out[i] = (struct option){ settings[i].name, required_argument,
			NULL, (int)i };
	memcpy(&out[i], rest, sizeof(rest));
}

static int
on_option(struct ctx *ctx, int option, char *value)
{
	switch (option) {
	case OPT_JSON:
		ctx->opts->wants_json = true;
		return 0;
	case OPT_AER:
		ctx->opts->attr.wants_aer = true;
		return 0;
	case OPT_HELP:
		ctx->opts->wants_help = true;
		return 0;
	case OPT_VERSION:
		ctx->opts->wants_version = true;
		return 0;
	default:
		ctx->key = settings[option].name;
		return settings[option].set(ctx, value);
	}
}

static int
check_all(const struct srptgt_opts *opts, char *reason, size_t n)
{
	const char *missing = NULL;

	if (opts->wants_help || opts->wants_version)
		return 0;
	if (!opts->listen)
		missing = "listen";
	else if (!opts->attr.id_ext)
		missing = "id-ext";
	if (!missing)
		return 0;
	snprintf(reason, n, "--%s is missing; srptgt --help shows all options",
		missing);
	return SRPTGT_EXIT_BAD_VALUE;
}

int
srptgt_opts_parse(struct srptgt_opts *opts, int argc, char **argv, char *reason,
	size_t n)
{
	struct option table[ARRAY_SIZE(settings) + 5];
	struct ctx ctx = { .opts = opts, .reason = reason, .n = n };
	int option, rc = 0;

	memset(opts, 0, sizeof(*opts));
	opts->fabric = "verbs";
	opts->attr.luns = opts->luns;
	make_long_options(table);
	opterr = 0;
	optind = 0; /* also resets what glibc remembers of an earlier call */
	while (!rc && (option = getopt_long(argc, argv, ":", table, NULL)) >= 0) {
		if (option == '?' || option == ':') {
			snprintf(reason, n, "%s %s; srptgt --help shows all",
				option == '?' ? "unknown option" :
						"a value is missing for",
				argv[optind - 1]);
			return SRPTGT_EXIT_USAGE;
		}
		rc = on_option(&ctx, option, optarg);
	}
	if (!rc && optind < argc) {
		snprintf(reason, n, "'%s' is not an option; srptgt has no "
			"operands", argv[optind]);
		return SRPTGT_EXIT_BAD_VALUE;
	}
	if (!opts->attr.ioc_guid)
		opts->attr.ioc_guid = opts->attr.id_ext;
	return rc ? rc : check_all(opts, reason, n);
}

const char *
srptgt_opts_help(void)
{
	return "Usage: srptgt --listen ADDR[:PORT] --id-ext HEX16 --lun N=... "
	       "[option...]\n"
	       "Serves logical units over SRP until SIGINT or SIGTERM.\n"
	       "\n"
	       "  --listen ADDR[:PORT]  address of an RDMA device; port 5555\n"
	       "  --id-ext HEX16        first half of the target port id\n"
	       "  --ioc-guid HEX16      second half; default: as --id-ext\n"
	       "  --lun N=null|ram|PATH[,size=BYTES][,block=512|520|528|4096|"
	       "4104|4160]\n"
	       "        [,ro|,ro_hid][,nodata][,max_transfer=BLOCKS]   up to "
	       "256\n"
	       "  --proto srp           the protocol\n"
	       "  --fabric NAME         where the device comes from; verbs\n"
	       "  --req-lim N           credits of a channel, 1..1024; 128\n"
	       "  --max-iu BYTES        longest request, 64..16384; 8260\n"
	       "  --max-channels N      connections at once; 1024\n"
	       "  --spin-usec N         poll so long before blocking; 0\n"
	       "  --cpu N               pin the serving thread\n"
	       "  --stats SECONDS       a line of counters so often\n"
	       "  --fault NAME=VALUE    scripted misbehaviour, see srptgt(1)\n"
	       "  --control PATH        a socket at which LUNs change, see "
	       "srptgt(1)\n"
	       "  --aer                 tell idle initiators of such changes\n"
	       "  --json                counters at the end as a JSON object\n"
	       "  --help, --version\n";
}
