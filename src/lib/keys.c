/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "lib/keys.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "lib/host.h"
#include "lib/text.h"
#include "util/compiler.h"
#include "util/parse.h"

#define MS UINT64_C(1000000)
#define HOUR (3600 * 1000 * MS)

/* Text longer than this is no number and no word of ours. */
#define VALUE_MAX 64

struct key {
	struct srpi_key text;
	unsigned int forms; /* enum url_form, or-ed */
	/* @value is printable ASCII and not too long. */
	int (*parse)(const struct key *key, const char *value,
		struct keys *keys, char *reason, size_t n);
	size_t field; /* where the value goes in struct keys */
	uint64_t min, max;
	uint64_t unit_ns;	  /* durations: what the field counts in */
	const char *const *names; /* words allowed, by value */
	unsigned int value_max;	  /* 0: VALUE_MAX */
	bool is_chosen; /* text.initial describes; the field starts as 0 */
};

static void *
key_field(const struct key *key, struct keys *keys)
{
	return (char *)keys + key->field;
}

static struct parse_limits
key_limits(const struct key *key)
{
	return (struct parse_limits){
		.key = key->text.name, .min = key->min, .max = key->max};
}

/* Rows with set_uint have fields of this type. */
static int
set_uint(const struct key *key, const char *value, struct keys *keys,
	char *reason, size_t n)
{
	const struct parse_limits limits = key_limits(key);
	unsigned int *field = key_field(key, keys);
	uint64_t number;
	int rc = parse_u64(value, &limits, &number, reason, n);

	if (rc == 0)
		*field = (unsigned int)number;
	return rc;
}

static int
set_size(const struct key *key, const char *value, struct keys *keys,
	char *reason, size_t n)
{
	const struct parse_limits limits = key_limits(key);

	return parse_size(value, &limits, key_field(key, keys), reason, n);
}

/* Rounded up: a short time must not become none. A bare number: seconds. */
static int
set_duration(const struct key *key, const char *value, struct keys *keys,
	char *reason, size_t n)
{
	struct parse_limits limits = key_limits(key);
	unsigned int *field = key_field(key, keys);
	uint64_t ns;
	int rc;

	/* nobody means seconds where the most is one of them */
	if (key->unit_ns == MS)
		limits.unit_ns = 1000 * MS;
	rc = parse_duration_ns(value, &limits, &ns, reason, n);
	if (rc == 0)
		*field = (unsigned int)DIV_ROUND_UP(ns, key->unit_ns);
	return rc;
}

static int
set_bool(const struct key *key, const char *value, struct keys *keys,
	char *reason, size_t n)
{
	return parse_bool(
		key->text.name, value, key_field(key, keys), reason, n);
}

/* Enumerations are ints here: see the assertions below the table. */
static int
set_enum(const struct key *key, const char *value, struct keys *keys,
	char *reason, size_t n)
{
	return parse_enum(key->text.name, value, key->names,
		key_field(key, keys), reason, n);
}

static int
set_hex64(const struct key *key, const char *value, struct keys *keys,
	char *reason, size_t n)
{
	return parse_hex64(
		key->text.name, value, key_field(key, keys), reason, n);
}

static int
set_completion(const struct key *key, const char *value, struct keys *keys,
	char *reason, size_t n)
{
	int index;
	int rc = parse_enum(
		key->text.name, value, key->names, &index, reason, n);

	if (rc == 0)
		keys->attr.completion =
			(enum srpi_completion)(SRPI_COMPLETION_INLINE + index);
	return rc;
}

static int
set_initiator_id(const struct key *key, const char *value, struct keys *keys,
	char *reason, size_t n)
{
	int rc = parse_hex_bytes(key->text.name, value, keys->attr.initiator_id,
		sizeof(keys->attr.initiator_id), reason, n);

	if (rc == 0)
		keys->attr.has_initiator_id = true;
	return rc;
}

static int
set_lun(const struct key *key, const char *value, struct keys *keys,
	char *reason, size_t n)
{
	const struct parse_limits limits = key_limits(key);
	int rc = parse_u64(value, &limits, &keys->attr.default_lun, reason, n);

	if (rc == 0)
		keys->attr.has_default_lun = true;
	return rc;
}

static int
set_block(const struct key *key, const char *value, struct keys *keys,
	char *reason, size_t n)
{
	static const unsigned int blocks[] = {512, 520, 528, 4096, 4104, 4160};
	const struct parse_limits limits = key_limits(key);
	uint64_t bytes;
	int rc = parse_size(value, &limits, &bytes, reason, n);

	if (rc)
		return rc;
	for (unsigned int i = 0; i < ARRAY_SIZE(blocks); i++)
		if (bytes == blocks[i]) {
			keys->demo.block_bytes = blocks[i];
			return 0;
		}
	return text_fail(reason, n, "%s=%s is not a block size: allowed are %s",
		key->text.name, value, key->text.value);
}

static bool
is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-' || c == '.';
}

static int
set_name(const struct key *key, const char *value, struct keys *keys,
	char *reason, size_t n)
{
	size_t len = 0;

	while (is_name_char(value[len]))
		len++;
	if (value[len] || len == 0) {
		return text_fail(reason, n,
			"%s=%s is not a name: allowed are %s", key->text.name,
			value, key->text.value);
	}
	memcpy(keys->demo.name, value, len + 1);
	return 0;
}

static int
set_src(const struct key *key, const char *value, struct keys *keys,
	char *reason, size_t n)
{
	char host[HOST_MAX + 1], why[128];

	if (host_parse(value, strlen(value), host, why, sizeof(why)))
		return text_fail(reason, n, "%s= is %s, but: %s",
			key->text.name, key->text.value, why);
	memcpy(keys->src, host, strlen(host) + 1);
	return 0;
}

static const char *const fabric_names[] = {"verbs", "soft", NULL};
static const char *const completion_names[] = {
	"inline", "thread", "poll", "self", "adaptive", NULL};
static const char *const irqmode_names[] = {
	"none", "softirq", "timer", "thread", NULL};
static const char *const data_names[] = {"full", "none", NULL};
/* Only SRP yet; the word is a key already so that URLs stay valid. */
static const char *const proto_names[] = {"srp", NULL};

static int
set_proto(const struct key *key, const char *value, struct keys *keys,
	char *reason, size_t n)
{
	int index;

	(void)keys;
	if (strcmp(value, "iser") == 0) {
		return text_fail(reason, n,
			"%s=iser is not in this version: allowed is srp",
			key->text.name);
	}
	return parse_enum(key->text.name, value, key->names, &index, reason, n);
}

/* What completion= stands for when nobody says. */
#define COMPLETION_INITIAL "adaptive"

#define FIELD(member) .field = offsetof(struct keys, member)

/* Sorted by who uses them: any URL, srp://, demo://. */
static const struct key table[] = {
	{{"fabric", "verbs|soft", "verbs; demo: soft",
		 "RDMA devices of the machine, or the software device"},
		.forms = URL_ANY, .parse = set_enum, FIELD(fabric),
		.names = fabric_names, .is_chosen = true},
	{{"completion", "inline|thread|poll|self|adaptive", COMPLETION_INITIAL,
		 "who handles completions"},
		.forms = URL_ANY, .parse = set_completion,
		.names = completion_names},
	{{"channels", "1-256", "one a queue, up to the CPUs online",
		 "connections to the target"},
		.forms = URL_ANY, .parse = set_uint, FIELD(attr.channels),
		.min = 1, .max = 256, .is_chosen = true},
	{{"depth", "1-1024", "64", "commands outstanding, per queue"},
		.forms = URL_ANY, .parse = set_uint, FIELD(attr.depth),
		.min = 1, .max = 1024},
	{{"max_descs", "1-255", "255", "memory descriptors per command"},
		.forms = URL_ANY, .parse = set_uint, FIELD(attr.max_descs),
		.min = 1, .max = 255},
	{{"imm_data", "yes|no", "yes",
		 "send write data with the command where the target takes it"},
		.forms = URL_ANY, .parse = set_bool, FIELD(attr.imm_data)},
	{{"signal_every", "1-512", "chosen from the depth",
		 "ask for one send completion in so many"},
		.forms = URL_ANY, .parse = set_uint, FIELD(attr.signal_every),
		.min = 1, .max = 512, .is_chosen = true},
	{{"rx_iu", "64-8192", "512",
		 "bytes of a receive buffer: the longest IU taken"},
		.forms = URL_ANY, .parse = set_uint, FIELD(attr.rx_iu_bytes),
		.min = 64, .max = 8192},
	{{"initiator_id", "32 hex digits", "0 and the low half of GID index 0",
		 "initiator port id, as the target's ACL names it"},
		.forms = URL_ANY, .parse = set_initiator_id, .is_chosen = true},
	{{"io_timeout", "1ms-24h", "30s", "time a command may take"},
		.forms = URL_ANY, .parse = set_duration,
		FIELD(attr.io_timeout_ms), .min = MS, .max = 24 * HOUR,
		.unit_ns = MS},
	{{"login_timeout", "100ms-1h", "15s",
		 "time to reach the target and log in"},
		.forms = URL_ANY, .parse = set_duration,
		FIELD(attr.login_timeout_ms), .min = 100 * MS, .max = HOUR,
		.unit_ns = MS},
	{{"ready_timeout", "0-1h", "30s",
		 "time a LUN may take to become ready"},
		.forms = URL_ANY, .parse = set_duration,
		FIELD(attr.ready_timeout_ms), .max = HOUR, .unit_ns = MS},
	{{"cq_count", "0-65535", "0",
		 "completions that make one event; 0: as the device does"},
		.forms = URL_ANY, .parse = set_uint, FIELD(attr.cq_count),
		.max = 65535},
	{{"cq_usec", "0-65535", "0",
		 "microseconds an event may wait for more completions"},
		.forms = URL_ANY, .parse = set_uint, FIELD(attr.cq_usec),
		.max = 65535},
	{{"comp_vector", "0-65535", "0",
		 "completion vector of the first channel; others follow"},
		.forms = URL_ANY, .parse = set_uint, FIELD(attr.comp_vector),
		.max = 65535},
	{{"cpu", "0-4095", "any", "CPU of the threads of thread and poll"},
		.forms = URL_ANY, .parse = set_uint, FIELD(attr.cpu),
		.max = 4095, .is_chosen = true},
	{{"wait_spin", "0-1s", "50us",
		 "completion=poll: time a waiter spins before it sleeps"},
		.forms = URL_ANY, .parse = set_duration,
		FIELD(attr.wait_spin_usec), .max = 1000 * MS, .unit_ns = 1000},
	{{"retry_count", "0-7", "7", "retries of the RDMA transport"},
		.forms = URL_ANY, .parse = set_uint, FIELD(attr.retry_count),
		.max = 7},
	{{"single", "yes|no", "no",
		 "close all other channels of this initiator port id"},
		.forms = URL_ANY, .parse = set_bool, FIELD(attr.single)},
	{{"lun", "0-1099511627775", "the lowest", "LUN to work on"},
		.forms = URL_ANY, .parse = set_lun,
		.max = (UINT64_C(1) << 40) - 1, .is_chosen = true},

	{{"id_ext", "16 hex digits", "none: required",
		 "first half of the target port id"},
		.forms = URL_SRP, .parse = set_hex64, FIELD(attr.id_ext),
		.is_chosen = true},
	{{"ioc_guid", "16 hex digits", "none: required",
		 "second half of the target port id"},
		.forms = URL_SRP, .parse = set_hex64, FIELD(attr.ioc_guid),
		.is_chosen = true},
	{{"src", "an address or host name", "by route",
		 "local address to connect from"},
		.forms = URL_SRP, .parse = set_src, .value_max = HOST_MAX + 2,
		.is_chosen = true},

	{{"proto", "srp", "srp", "protocol of the embedded target"},
		.forms = URL_DEMO, .parse = set_proto, .names = proto_names},
	{{"size", "512-1E", "null: 1T, ram: 64M, file: its own",
		 "bytes of each LUN, a multiple of block"},
		.forms = URL_DEMO, .parse = set_size, FIELD(demo.size_bytes),
		.min = 512, .max = UINT64_C(1) << 60, .is_chosen = true},
	{{"block", "512, 520, 528, 4096, 4104, 4160", "512",
		 "bytes of a logical block"},
		.forms = URL_DEMO, .parse = set_block, .max = UINT32_MAX},
	{{"irqmode", "none|softirq|timer|thread", "softirq",
		 "when the embedded target answers"},
		.forms = URL_DEMO, .parse = set_enum, FIELD(demo.irqmode),
		.names = irqmode_names},
	{{"completion_nsec", "0-1000000000", "10000",
		 "nanoseconds to an answer with irqmode=timer"},
		.forms = URL_DEMO, .parse = set_uint, FIELD(demo.completion_ns),
		.max = 1000000000},
	{{"spin", "0-1s", "0",
		 "time the target's thread polls before it blocks"},
		.forms = URL_DEMO, .parse = set_duration, FIELD(demo.spin_usec),
		.max = 1000 * MS, .unit_ns = 1000},
	{{"data", "full|none", "full",
		 "move the data of reads and writes, or leave that out"},
		.forms = URL_DEMO_NULL, .parse = set_enum, FIELD(demo.data),
		.names = data_names},
	{{"luns", "0-256", "1", "LUNs, all alike"}, .forms = URL_DEMO_MEMORY,
		.parse = set_uint, FIELD(demo.nr_luns), .max = 256},
	{{"ro", "yes|no", "no", "write protect the LUNs"}, .forms = URL_DEMO,
		.parse = set_bool, FIELD(demo.is_read_only)},
	{{"name", "1-63 of letters, digits, _ - .", "none: a target of its own",
		 "same name, same target within the process"},
		.forms = URL_DEMO, .parse = set_name, .value_max = DEMO_NAME_MAX,
		.is_chosen = true},
};

_Static_assert(ARRAY_SIZE(table) <= 64, "struct keys has a bit for each");
_Static_assert(sizeof(enum keys_fabric) == sizeof(int), "set_enum");
_Static_assert(sizeof(enum soft_irqmode) == sizeof(int), "set_enum");
_Static_assert(sizeof(enum demo_data) == sizeof(int), "set_enum");
_Static_assert(SRPI_NR_COMPLETIONS - SRPI_COMPLETION_INLINE ==
		       ARRAY_SIZE(completion_names) - 1,
	"every mode has a name");

static struct srpi_key texts[ARRAY_SIZE(table)];
static pthread_once_t texts_once = PTHREAD_ONCE_INIT;

static void
copy_texts(void)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(table); i++)
		texts[i] = table[i].text;
}

const struct srpi_key *
srpi_keys(unsigned int *nr)
{
	pthread_once(&texts_once, copy_texts);
	*nr = ARRAY_SIZE(table);
	return texts;
}

void
keys_init(struct keys *keys)
{
	char reason[256];

	memset(keys, 0, sizeof(*keys));
	keys->attr.cpu = -1;
	for (unsigned int i = 0; i < ARRAY_SIZE(table); i++)
		if (!table[i].is_chosen)
			keys_set(keys, &table[i], table[i].text.initial, reason,
				sizeof(reason));
	keys->given = 0;
}

const struct key *
keys_find(const char *name, size_t len)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(table); i++)
		if (strlen(table[i].text.name) == len &&
			memcmp(table[i].text.name, name, len) == 0)
			return &table[i];
	return NULL;
}

int
keys_fail_unknown(const char *name, size_t len, char *reason, size_t n)
{
	const char *names[ARRAY_SIZE(table) + 1];
	char quoted[TEXT_QUOTE_BYTES];
	const char *nearest;

	for (unsigned int i = 0; i < ARRAY_SIZE(table); i++)
		names[i] = table[i].text.name;
	names[ARRAY_SIZE(table)] = NULL;
	text_quote(name, len, quoted);
	nearest = parse_nearest(quoted, names);
	if (nearest)
		return text_fail(reason, n,
			"key \"%s\" is not known: did you mean \"%s\"?", quoted,
			nearest);
	return text_fail(reason, n,
		"key \"%s\" is not known: srpi_url(7) lists the keys", quoted);
}

/* What every value must be, whatever its key. */
static int
check_text(const struct key *key, const char *value, char *reason, size_t n)
{
	size_t value_max = key->value_max ? key->value_max : VALUE_MAX;
	size_t len = strlen(value);

	for (size_t i = 0; i < len; i++)
		if (value[i] < ' ' || value[i] > '~') {
			return text_fail(reason, n,
				"%s= holds the byte 0x%02x, which is no "
				"printable ASCII: allowed is %s",
				key->text.name, (unsigned char)value[i],
				key->text.value);
		}
	if (len <= value_max)
		return 0;
	return text_fail(reason, n, "%s= is %zu characters long: allowed is %s",
		key->text.name, len, key->text.value);
}

int
keys_set(struct keys *keys, const struct key *key, const char *value,
	char *reason, size_t n)
{
	int rc = check_text(key, value, reason, n);

	if (rc == 0)
		rc = key->parse(key, value, keys, reason, n);
	if (rc)
		return -EINVAL; /* an -ERANGE of parse.h is no other error */
	keys->given |= UINT64_C(1) << (key - table);
	return 0;
}

bool
keys_is_given(const struct keys *keys, const struct key *key)
{
	return keys->given >> (key - table) & 1;
}

bool
keys_has(const struct keys *keys, const char *name)
{
	return keys_is_given(keys, keys_find(name, strlen(name)));
}

const char *
key_name(const struct key *key)
{
	return key->text.name;
}

bool
key_is_for(const struct key *key, enum url_form form)
{
	return key->forms & form;
}

const struct key *
keys_misplaced(const struct keys *keys, enum url_form form)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(table); i++)
		if (keys_is_given(keys, &table[i]) &&
			!key_is_for(&table[i], form))
			return &table[i];
	return NULL;
}

const char *
url_form_name(enum url_form form)
{
	switch (form) {
	case URL_SRP:
		return "srp://HOST";
	case URL_DEMO_NULL:
		return "demo://null";
	case URL_DEMO_RAM:
		return "demo://ram";
	case URL_DEMO_FILE:
		return "demo:///path";
	}
	return "?";
}

int
keys_fail_misplaced(
	const struct key *key, enum url_form form, char *reason, size_t n)
{
	char forms[80] = "";
	size_t len = 0;

	for (int bit = URL_SRP; bit <= URL_DEMO_FILE; bit <<= 1)
		if (key_is_for(key, (enum url_form)bit))
			len += (size_t)snprintf(forms + len,
				sizeof(forms) - len, "%s%s", len ? ", " : "",
				url_form_name((enum url_form)bit));
	return text_fail(reason, n, "key %s does not apply to %s: it is for %s",
		key->text.name, url_form_name(form), forms);
}
