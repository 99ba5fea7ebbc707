/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * LUNs that are added, removed, resized and protected while initiators are
 * logged in: what each of them is told, and that nobody else is disturbed.
 */
#include "target_rig.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../unit/unit.h"
#include "util/compiler.h"
#include "wire/scsi_data.h"
#include "wire/scsi_sense.h"

#define LUN_BYTES (1u << 20)
#define LAST (LUN_BYTES / 512 - 1)

#define UA_INVENTORY 0x063f0e
#define UA_CAPACITY 0x062a09
#define UA_MODE 0x062a01
#define NO_LUN 0x052500
#define BEYOND 0x052100

static struct peer other; /* of a second nexus */
static char reason[256];
static int nr_mrs; /* registered, not yet deregistered */
static const struct fabric *soft;

static struct ibv_mr *
count_reg_mr(struct ibv_pd *pd, void *addr, size_t length, int access)
{
	__atomic_fetch_add(&nr_mrs, 1, __ATOMIC_SEQ_CST);
	return soft->reg_mr(pd, addr, length, access);
}

static int
count_dereg_mr(struct ibv_mr *mr)
{
	__atomic_fetch_sub(&nr_mrs, 1, __ATOMIC_SEQ_CST);
	return soft->dereg_mr(mr);
}

/* LUNs 0 and 1, ram; two nexuses. */
static void
up(enum soft_irqmode mode, const struct target_attr *more)
{
	static const struct target_lun_attr luns[] = {
		{ .number = 0, .backend = "ram", .size_bytes = LUN_BYTES },
		{ .number = 1, .backend = "ram", .size_bytes = LUN_BYTES },
	};
	static struct fabric fabric;
	struct target_attr attr = *more;

	soft = fabric_find("soft");
	fabric = *soft;
	fabric.reg_mr = count_reg_mr;
	fabric.dereg_mr = count_dereg_mr;
	attr.fabric = &fabric;
	if (!attr.nr_luns) {
		attr.luns = luns;
		attr.nr_luns = ARRAY_SIZE(luns);
	}
	bed_create(&bed, mode, &attr);
	connect_as(&peer, 1);
	connect_as(&other, 2);
}

static void
all_down(void)
{
	peer_close(&other);
	down();
	ck_assert_int_eq(nr_mrs, 0);
}

static const struct target_attr plain = { 0 };
static const struct target_attr any_kind = { .may_add = true };

#define changes(call)                                                          \
	ck_assert_msg((call) == 0, "%s: %s", #call, reason)

static void
add(uint16_t number, const char *backend, uint64_t bytes)
{
	struct target_lun_attr attr = {
		.number = number,
		.backend = backend,
		.size_bytes = bytes,
	};

	changes(target_lun_add(bed.target, &attr, reason, sizeof(reason)));
}

static void
take_away(uint16_t number)
{
	changes(target_lun_remove(
		bed.target, number, reason, sizeof(reason)));
}

static void
resize(uint16_t number, uint64_t bytes)
{
	changes(target_lun_resize(
		bed.target, number, bytes, reason, sizeof(reason)));
}

/* Both nexuses are told @code on @lun, once. */
static void
expect_attention(uint64_t lun, uint32_t code)
{
	struct peer_cmd tur = test_unit_ready(lun);

	expect_sense(&tur, code);
	expect_good(&tur);
	expect_sense_on(&other, &tur, code);
	expect_good_on(&other, &tur);
}

static uint64_t
last_lba(uint64_t lun)
{
	struct peer_cmd cmd = { .lun = lun, .dir = SCSI_DIR_IN, .len = 32 };
	struct scsi_capacity capacity;

	scsi_cdb_read_capacity_16(cmd.cdb, 32);
	expect_good(&cmd);
	ck_assert_int_eq(
		scsi_data_capacity_16_decode(peer.data, 32, &capacity), 0);
	return capacity.last_lba;
}

/* The LUNs that REPORT LUNS names. */
static unsigned int
count_luns(struct peer *p)
{
	struct peer_cmd cmd = { .dir = SCSI_DIR_IN, .len = 4096 };
	struct srp_iu_rsp rsp;

	scsi_cdb_report_luns(cmd.cdb, cmd.len);
	peer_do(p, &cmd, &rsp);
	ck_assert_uint_eq(rsp.status, 0);
	return get_be32(p->data) / 8;
}

static void
write_block(uint64_t lun, uint64_t lba, uint32_t seed)
{
	struct peer_cmd cmd = peer_rw(lun, true, lba, 1, 512);

	fill(peer.data, 512, seed);
	expect_good(&cmd);
}

static void
expect_block(uint64_t lun, uint64_t lba, uint32_t seed)
{
	struct peer_cmd cmd = peer_rw(lun, false, lba, 1, 512);
	uint8_t wanted[512] = { 0 };

	if (seed)
		fill(wanted, sizeof(wanted), seed);
	memset(peer.data, 0xee, 512);
	expect_good(&cmd);
	ck_assert_mem_eq(peer.data, wanted, 512);
}

/* ---- add, remove ---- */

START_TEST(a_lun_that_is_added_is_told_and_served)
{
	up(modes[_i], &plain);
	write_block(0, LAST, 1);
	add(300, "ram", LUN_BYTES);
	expect_attention(0, UA_INVENTORY);
	expect_attention(1, UA_INVENTORY);
	expect_attention(300, UA_INVENTORY);
	ck_assert_uint_eq(count_luns(&peer), 3);
	ck_assert_uint_eq(last_lba(300), LAST);
	write_block(300, LAST, 2);
	expect_block(300, LAST, 2);
	expect_block(300, 0, 0);
	expect_block(0, LAST, 1);
	all_down();
}
END_TEST

START_TEST(a_lun_that_is_removed_is_not_there_any_more)
{
	struct peer_cmd tur = test_unit_ready(1);
	struct peer_cmd inquiry = { .lun = 1, .dir = SCSI_DIR_IN, .len = 96 };
	struct srp_iu_rsp rsp;

	up(modes[_i], &plain);
	write_block(0, 7, 1);
	/* what it has to tell goes with it */
	ck_assert(!target_unit_attention(bed.target, 1, 0x29, 0, false));
	take_away(1);
	expect_sense(&tur, NO_LUN);
	expect_sense_on(&other, &tur, NO_LUN);
	scsi_cdb_inquiry(inquiry.cdb, 96);
	peer_do(&peer, &inquiry, &rsp);
	ck_assert_uint_eq(peer.data[0], 0x7f);
	expect_attention(0, UA_INVENTORY);
	ck_assert_uint_eq(count_luns(&peer), 1);
	expect_block(0, 7, 1);
	/* another one under its number is new */
	add(1, "ram", LUN_BYTES / 2);
	expect_attention(1, UA_INVENTORY);
	ck_assert_uint_eq(last_lba(1), LAST / 2);
	expect_block(1, 0, 0);
	all_down();
}
END_TEST

START_TEST(all_luns_can_go_and_come_back)
{
	int round, i;

	up(modes[_i], &plain);
	take_away(0);
	take_away(1);
	ck_assert_uint_eq(count_luns(&peer), 0);
	for (round = 0; round < 3; round++) {
		for (i = 0; i < TARGET_MAX_LUNS; i++)
			add((uint16_t)(i * 7), "ram", 4096);
		ck_assert_uint_eq(count_luns(&peer), TARGET_MAX_LUNS);
		for (i = 0; i < TARGET_MAX_LUNS; i++)
			take_away((uint16_t)(i * 7));
	}
	ck_assert_uint_eq(count_luns(&peer), 0);
	all_down();
}
END_TEST

/* ---- commands under way ---- */

START_TEST(commands_of_a_removed_lun_end_with_sense)
{
	struct peer_cmd cmd = peer_rw(1, _i & 1, 0, 8, 512);
	struct peer_cmd tur = test_unit_ready(0);
	struct srp_iu_rsp rsp;
	int i;

	up(modes[_i / 2], &plain);
	target_set_faults(
		bed.target, &(struct target_faults){ .silent_every = 1 });
	for (i = 0; i < 10; i++) {
		peer_send(&peer, peer_build(&peer, &cmd));
		peer.credits--;
	}
	while (bed_stats(&bed).commands < 10)
		peer_expect_silence(&peer);
	target_set_faults(bed.target, &(struct target_faults){ 0 });
	take_away(1);
	for (i = 0; i < 10; i++) {
		peer_recv_rsp(&peer, &rsp);
		ck_assert_uint_eq(peer_sense(&rsp), NO_LUN);
		ck_assert_uint_eq(cmd.dir == SCSI_DIR_IN ?
					rsp.data_in_residual :
					rsp.data_out_residual,
			cmd.len);
	}
	ck_assert_int_eq(peer.credits, peer.login.req_lim_delta);
	expect_sense(&tur, UA_INVENTORY);
	all_down();
}
END_TEST

/*
 * Both LUNs are busy, with commands of every kind, when one goes: what is
 * its own ends one way or the other, the other LUN's is good.
 */
static void
send_mix(unsigned int nr)
{
	struct peer_cmd cmd;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		cmd = peer_rw(i & 1, i & 2, 0, 256, 512);
		cmd.nr_descs = i % 5 * 30;
		if (i % 7 == 6) {
			cmd = (struct peer_cmd){ .lun = i & 1,
				.dir = SCSI_DIR_OUT, .len = 512 };
			scsi_cdb_write_same(cmd.cdb, 0, 64, 0);
		}
		peer_send(&peer, peer_build(&peer, &cmd));
		peer.credits--;
	}
}

static void
reap_mix(unsigned int nr)
{
	struct srp_iu_rsp rsp;
	unsigned int i;
	uint64_t first = peer.next_tag - nr + 1;
	uint32_t sense;

	for (i = 0; i < nr; i++) {
		peer_recv_rsp(&peer, &rsp);
		sense = peer_sense(&rsp);
		if ((rsp.tag - first) & 1)
			ck_assert_msg(!sense || sense == NO_LUN, "%06x", sense);
		else
			ck_assert_msg(!sense || sense == UA_INVENTORY, "%06x",
				sense);
	}
	ck_assert_int_eq(peer.credits, peer.login.req_lim_delta);
}

static void
settle(struct peer *p)
{
	struct srp_iu_rsp rsp;
	struct peer_cmd tur;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		tur = test_unit_ready(i);
		do
			peer_do(p, &tur, &rsp);
		while (peer_sense(&rsp) == UA_INVENTORY);
		ck_assert_uint_eq(rsp.status, 0);
	}
}

START_TEST(a_lun_goes_amid_io_on_it_and_others)
{
	struct target_attr attr = any_kind;
	int round;

	if (_i / NR_MODES == 0)
		attr = plain;
	up(modes[_i % NR_MODES], &attr);
	for (round = 0; round < 20; round++) {
		settle(&peer);
		send_mix(60);
		take_away(1);
		reap_mix(60);
		add(1, "ram", LUN_BYTES);
	}
	all_down();
}
END_TEST

START_TEST(memory_of_a_removed_lun_is_given_back)
{
	struct peer_cmd cmd = peer_rw(0, false, 0, 1, 512);
	struct srp_iu_rsp rsp;
	int nr, i;

	up(modes[_i], &plain);
	settle(&peer);
	settle(&other);
	nr = __atomic_load_n(&nr_mrs, __ATOMIC_SEQ_CST);
	take_away(1);
	/* at the next I/O of each channel */
	for (i = 0; __atomic_load_n(&nr_mrs, __ATOMIC_SEQ_CST) != nr - 1;
		i++) {
		peer_do(&peer, &cmd, &rsp);
		peer_do(&other, &cmd, &rsp);
		usleep(1000);
		ck_assert_int_lt(i, 10000);
	}
	all_down();
}
END_TEST

/* ---- resize, protect ---- */

START_TEST(ram_grows_and_shrinks)
{
	struct peer_cmd last = peer_rw(1, false, LAST, 1, 512);

	up(modes[_i], &plain);
	write_block(1, 0, 1);
	write_block(1, LAST, 2);
	resize(1, 4 * LUN_BYTES);
	expect_attention(1, UA_CAPACITY);
	ck_assert_uint_eq(last_lba(1), LUN_BYTES * 4 / 512 - 1);
	expect_block(1, 0, 1);
	expect_block(1, LAST, 2);
	expect_block(1, LAST + 1, 0);
	write_block(1, 4 * LAST, 3);
	expect_block(1, 4 * LAST, 3);
	resize(1, LUN_BYTES / 2);
	expect_attention(1, UA_CAPACITY);
	expect_sense(&last, BEYOND);
	expect_block(1, 0, 1);
	/* what was cut off is gone */
	resize(1, LUN_BYTES);
	expect_attention(1, UA_CAPACITY);
	expect_block(1, LAST, 0);
	/* the same size is no change */
	resize(1, LUN_BYTES);
	last = test_unit_ready(1);
	expect_good(&last);
	expect_block(0, 0, 0);
	all_down();
}
END_TEST

static atomic_bool is_over;
static atomic_uint nr_resized;

static void *
keep_resizing(void *arg)
{
	char why[256];
	unsigned int i;

	(void)arg;
	for (i = 0; !atomic_load(&is_over); i++) {
		if (target_lun_resize(bed.target, 1,
			    LUN_BYTES * (1 + i % 3), why, sizeof(why)))
			return "resizing failed";
		atomic_fetch_add(&nr_resized, 1);
	}
	return NULL;
}

/* Attentions are consumed, everything else must be good. */
static void
do_through(const struct peer_cmd *cmd)
{
	struct srp_iu_rsp rsp;

	do
		peer_do(&peer, cmd, &rsp);
	while (peer_sense(&rsp) == UA_CAPACITY);
	ck_assert_uint_eq(rsp.status, 0);
	ck_assert_uint_eq(rsp.flags, 0);
}

START_TEST(data_survives_any_number_of_resizes)
{
	struct peer_cmd write = peer_rw(1, true, 3, 200, 512);
	struct peer_cmd read = peer_rw(1, false, 3, 200, 512);
	uint8_t *copy = malloc(write.len);
	pthread_t thread;
	void *failed;
	uint32_t i;

	up(modes[_i], &plain);
	read.off = write.len;
	write.nr_descs = 9;
	ck_assert(!pthread_create(&thread, NULL, keep_resizing, NULL));
	for (i = 0; i < 200 || atomic_load(&nr_resized) < 10; i++) {
		fill(peer.data, write.len, i + 1);
		memcpy(copy, peer.data, write.len);
		do_through(&write);
		do_through(&read);
		ck_assert_mem_eq(peer.data + read.off, copy, write.len);
	}
	atomic_store(&is_over, true);
	pthread_join(thread, &failed);
	ck_assert_ptr_null(failed);
	free(copy);
	all_down();
}
END_TEST

START_TEST(protection_is_told_and_kept)
{
	struct peer_cmd write = peer_rw(1, true, 0, 1, 512);

	up(modes[_i], &plain);
	write_block(1, 0, 5);
	changes(target_lun_protect(
		bed.target, 1, true, reason, sizeof(reason)));
	expect_attention(1, UA_MODE);
	expect_sense(&write, 0x072700);
	expect_block(1, 0, 5);
	changes(target_lun_protect(
		bed.target, 1, true, reason, sizeof(reason)));
	changes(target_lun_protect(
		bed.target, 1, false, reason, sizeof(reason)));
	expect_attention(1, UA_MODE);
	write_block(1, 0, 6);
	all_down();
}
END_TEST

/* ---- null, files ---- */

START_TEST(every_kind_can_be_added_to_a_target_made_for_it)
{
	char path[] = "test_target_luns.XXXXXX";
	struct peer_cmd write = peer_rw(5, true, 0, 2048, 512);
	struct srp_iu_rsp rsp;
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	ck_assert(!ftruncate(fd, 2 * LUN_BYTES));
	up(modes[_i], &any_kind);
	ck_assert(target_has_own_thread(bed.target));
	add(4, "null", UINT64_C(1) << 40);
	add(5, path, 0);
	expect_attention(5, UA_INVENTORY);
	expect_attention(4, UA_INVENTORY);
	ck_assert_uint_eq(last_lba(5), 2 * LUN_BYTES / 512 - 1);
	write_block(5, LAST, 1);
	expect_block(5, LAST, 1);
	write_block(4, 5, 1);
	expect_block(4, 5, 0);
	resize(4, UINT64_C(1) << 41);
	expect_attention(4, UA_CAPACITY);
	ck_assert_uint_eq(last_lba(4), (UINT64_C(1) << 32) - 1);
	/* the file goes while it is written to */
	peer_send(&peer, peer_build(&peer, &write));
	peer.credits--;
	take_away(5);
	peer_recv_rsp(&peer, &rsp);
	ck_assert(!peer_sense(&rsp) || peer_sense(&rsp) == NO_LUN);
	unlink(path);
	close(fd);
	all_down();
}
END_TEST

/* Loop: file given by its own size, or by size= */
START_TEST(a_file_is_as_long_as_it_is)
{
	char path[] = "test_target_luns.XXXXXX";
	struct target_lun_attr lun = { .number = 5, .backend = path };
	struct target_attr attr = { .luns = &lun, .nr_luns = 1 };
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	ck_assert(!ftruncate(fd, LUN_BYTES));
	lun.size_bytes = _i ? LUN_BYTES : 0;
	up(SOFT_IRQ_THREAD, &attr);
	ck_assert_int_eq(target_lun_restat(
				 bed.target, reason, sizeof(reason)), 0);
	write_block(5, LAST, 1);
	ck_assert(!ftruncate(fd, 2 * LUN_BYTES));
	ck_assert_int_eq(target_lun_restat(
				 bed.target, reason, sizeof(reason)), !_i);
	if (_i)
		resize(5, 0);
	expect_attention(5, UA_CAPACITY);
	ck_assert_uint_eq(last_lba(5), 2 * LUN_BYTES / 512 - 1);
	expect_block(5, LAST, 1);
	write_block(5, 2 * LAST, 2);
	/* and now by itself in either case */
	ck_assert(!ftruncate(fd, LUN_BYTES));
	ck_assert_int_eq(target_lun_restat(
				 bed.target, reason, sizeof(reason)), 1);
	expect_attention(5, UA_CAPACITY);
	ck_assert(!ftruncate(fd, 1000));
	ck_assert_int_eq(target_lun_restat(
				 bed.target, reason, sizeof(reason)), -EINVAL);
	ck_assert_msg(strstr(reason, path), "%s", reason);
	ck_assert_int_eq(target_lun_resize(bed.target, 5, 2 * LUN_BYTES, reason,
				 sizeof(reason)), -EINVAL);
	ck_assert_msg(strstr(reason, path), "%s", reason);
	ck_assert_uint_eq(last_lba(5), LAST);
	unlink(path);
	close(fd);
	all_down();
}
END_TEST

START_TEST(a_protected_file_can_become_writable)
{
	char path[] = "test_target_luns.XXXXXX";
	struct target_lun_attr lun = { .backend = path,
		.flags = TARGET_LUN_RO };
	struct target_attr attr = { .luns = &lun, .nr_luns = 1 };
	struct peer_cmd write = peer_rw(0, true, 0, 1, 512);
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	ck_assert(!ftruncate(fd, LUN_BYTES));
	up(modes[_i], &attr);
	expect_sense(&write, 0x072700);
	changes(target_lun_protect(
		bed.target, 0, false, reason, sizeof(reason)));
	expect_attention(0, UA_MODE);
	write_block(0, 0, 6);
	expect_block(0, 0, 6);
	unlink(path);
	close(fd);
	all_down();
}
END_TEST

/* ---- AER ---- */

/* The next IU is an AER_REQ that reports @code on LUN @lun; its tag. */
static uint64_t
expect_event(struct peer *p, uint16_t lun, uint32_t code)
{
	struct srp_iu_aer_req aer;
	struct scsi_sense sense;
	uint32_t bytes;
	const uint8_t *iu = peer_recv(p, &bytes);

	ck_assert_ptr_nonnull(iu);
	ck_assert_uint_eq(iu[0], SRP_OP_AER_REQ);
	ck_assert_int_eq(srp_iu_aer_req_decode(iu, bytes, &aer), 0);
	ck_assert_uint_eq(get_be16(aer.lun.b), lun);
	ck_assert_int_eq(
		scsi_sense_decode(aer.sense, aer.sense_len, &sense), 0);
	ck_assert_uint_eq((uint32_t)sense.key << 16 | sense.asc << 8 |
			sense.ascq, code);
	return aer.tag;
}

static void
answer_event(struct peer *p, uint64_t tag)
{
	struct srp_iu_small rsp = { .opcode = SRP_OP_AER_RSP, .tag = tag };

	srp_iu_small_encode(&rsp, p->iu);
	peer_send(p, SRP_SMALL_BYTES);
}

START_TEST(idle_initiators_are_told_by_an_event)
{
	struct target_attr attr = { .wants_aer = true };
	struct peer_cmd cmd = peer_rw(0, false, 0, 1, 512);
	struct peer second;
	uint64_t tag;

	up(modes[_i], &attr);
	connect_as(&second, 1);
	/* a nexus with a command under way learns by its next one */
	target_set_faults(
		bed.target, &(struct target_faults){ .silent_every = 1 });
	peer_send(&other, peer_build(&other, &cmd));
	while (bed_stats(&bed).commands < 1)
		peer_expect_silence(&other);
	target_set_faults(bed.target, &(struct target_faults){ 0 });
	add(7, "ram", LUN_BYTES);
	tag = expect_event(&peer, 0, UA_INVENTORY);
	/* once a nexus, and one at a time: the newest waits */
	resize(7, 2 * LUN_BYTES);
	resize(1, 2 * LUN_BYTES);
	peer_expect_silence(&peer);
	peer_expect_silence(&second);
	peer_expect_silence(&other);
	answer_event(&peer, tag);
	answer_event(&peer, expect_event(&peer, 1, UA_CAPACITY));
	/* the attentions are there all the same */
	cmd = test_unit_ready(1);
	expect_sense(&cmd, UA_INVENTORY);
	expect_sense(&cmd, UA_CAPACITY);
	expect_good(&cmd);
	peer_close(&second);
	all_down();
}
END_TEST

/* ---- refusals ---- */

static void
refuses(int rc, int wanted, const char *said)
{
	ck_assert_int_eq(rc, wanted);
	ck_assert_msg(strstr(reason, said), "%s", reason);
}

START_TEST(what_cannot_be_is_refused_with_a_sentence)
{
	struct target_lun_attr lun = { .number = 1, .backend = "ram",
		.size_bytes = 4096 };
	struct target *t;

	up(SOFT_IRQ_SOFTIRQ, &plain);
	t = bed.target;
	refuses(target_lun_add(t, &lun, reason, sizeof(reason)), -EINVAL,
		"LUN 1 is there already");
	lun.number = 16384;
	refuses(target_lun_add(t, &lun, reason, sizeof(reason)), -EINVAL,
		"16383");
	lun.number = 2;
	lun.size_bytes = 1000;
	refuses(target_lun_add(t, &lun, reason, sizeof(reason)), -EINVAL,
		"whole blocks");
	lun.backend = "null";
	lun.size_bytes = 4096;
	refuses(target_lun_add(t, &lun, reason, sizeof(reason)), -EOPNOTSUPP,
		"null");
	lun.backend = "/nonexistent";
	refuses(target_lun_add(t, &lun, reason, sizeof(reason)), -ENOENT,
		"/nonexistent");
	lun.backend = "/proc/self/exe";
	lun.flags = TARGET_LUN_RO;
	refuses(target_lun_add(t, &lun, reason, sizeof(reason)), -EOPNOTSUPP,
		"a file");
	refuses(target_lun_remove(t, 9, reason, sizeof(reason)), -ENODEV,
		"LUN 9");
	refuses(target_lun_resize(t, 9, 512, reason, sizeof(reason)), -ENODEV,
		"LUN 9");
	refuses(target_lun_resize(t, 0, 0, reason, sizeof(reason)), -EINVAL,
		"a size is needed");
	refuses(target_lun_resize(t, 0, 1000, reason, sizeof(reason)), -EINVAL,
		"whole blocks");
	target_freeze(t, true);
	refuses(target_lun_remove(t, 0, reason, sizeof(reason)), -EBUSY,
		"frozen");
	target_freeze(t, false);
	ck_assert_uint_eq(count_luns(&peer), 2);
	all_down();
}
END_TEST

START_TEST(luns_are_listed_by_number)
{
	struct target_lun_info infos[TARGET_MAX_LUNS];

	up(SOFT_IRQ_SOFTIRQ, &plain);
	add(300, "ram", LUN_BYTES / 2);
	take_away(0);
	ck_assert_uint_eq(target_lun_list(bed.target, infos), 2);
	ck_assert_uint_eq(infos[0].number, 1);
	ck_assert_uint_eq(infos[1].number, 300);
	ck_assert_str_eq(infos[1].backend, "ram");
	ck_assert_uint_eq(infos[1].size_bytes, LUN_BYTES / 2);
	ck_assert_uint_eq(infos[1].block_bytes, 512);
	all_down();
}
END_TEST

int
main(void)
{
	TCase *tcase = tcase_create("luns");

	tcase_set_timeout(tcase, 60);
	tcase_add_loop_test(
		tcase, a_lun_that_is_added_is_told_and_served, 0, NR_MODES);
	tcase_add_loop_test(tcase, a_lun_that_is_removed_is_not_there_any_more,
		0, NR_MODES);
	tcase_add_loop_test(tcase, all_luns_can_go_and_come_back, 0, 2);
	tcase_add_loop_test(tcase, commands_of_a_removed_lun_end_with_sense, 0,
		2 * NR_MODES);
	tcase_add_loop_test(
		tcase, a_lun_goes_amid_io_on_it_and_others, 0, 2 * NR_MODES);
	tcase_add_loop_test(
		tcase, memory_of_a_removed_lun_is_given_back, 0, NR_MODES);
	tcase_add_loop_test(tcase, ram_grows_and_shrinks, 0, NR_MODES);
	tcase_add_loop_test(
		tcase, data_survives_any_number_of_resizes, 0, NR_MODES);
	tcase_add_loop_test(tcase, protection_is_told_and_kept, 0, NR_MODES);
	tcase_add_loop_test(tcase,
		every_kind_can_be_added_to_a_target_made_for_it, 0, NR_MODES);
	tcase_add_loop_test(tcase, a_file_is_as_long_as_it_is, 0, 2);
	tcase_add_loop_test(
		tcase, a_protected_file_can_become_writable, 0, 2);
	tcase_add_loop_test(
		tcase, idle_initiators_are_told_by_an_event, 0, NR_MODES);
	tcase_add_test(tcase, what_cannot_be_is_refused_with_a_sentence);
	tcase_add_test(tcase, luns_are_listed_by_number);
	return unit_run(tcase, "target_luns");
}
