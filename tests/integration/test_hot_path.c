/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What an I/O must not do, watched as it runs: allocate, take a mutex, or
 * call the kernel. tests/lint/check-hot.sh sees what the per-I/O files name;
 * this sees what they reach.
 *
 * The library's calls of malloc() and pthread_mutex_lock() come to the
 * functions of those names in this program; while a thread measures, they
 * count. System calls of that thread end the process (seccomp).
 */
#include <check.h>
#include <dlfcn.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <srpi/srpi.h>

#define DEPTH 32
#define NR_ROUNDS 500
#define BLOCK_BYTES 4096u

/* glibc's own, under the names that are left when ours take the others. */
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t nr, size_t bytes);
void *__libc_realloc(void *ptr, size_t bytes);
void __libc_free(void *ptr);

static __thread int measuring;
static __thread unsigned int nr_allocations;
static __thread unsigned int nr_locks;

void *
malloc(size_t bytes)
{
	nr_allocations += measuring;
	return __libc_malloc(bytes);
}

void *
calloc(size_t nr, size_t bytes)
{
	nr_allocations += measuring;
	return __libc_calloc(nr, bytes);
}

void *
realloc(void *ptr, size_t bytes)
{
	nr_allocations += measuring;
	return __libc_realloc(ptr, bytes);
}

void
free(void *ptr)
{
	nr_allocations += measuring && ptr;
	__libc_free(ptr);
}

int
pthread_mutex_lock(pthread_mutex_t *mutex)
{
	static int (*real)(pthread_mutex_t *mutex);

	if (!real)
		*(void **)&real = dlsym(RTLD_NEXT, "pthread_mutex_lock");
	nr_locks += measuring;
	return real(mutex);
}

struct rig {
	struct srpi_session *session;
	struct srpi_lun *lun;
	struct srpi_queue *queue;
	struct srpi_mem *mem;
	char reason[256];
	unsigned int nr_errors;
	uint32_t blocks; /* of an I/O */
};

static void
rig_init(struct rig *rig, const char *url)
{
	struct srpi_queue_opts opts = SRPI_QUEUE_OPTS_INIT;
	struct srpi_lun_info info;
	uint8_t lun[8];

	*rig = (struct rig){ 0 };
	opts.depth = DEPTH;
	opts.completion = SRPI_COMPLETION_SELF;
	ck_assert_msg(!srpi_open(url, NULL, &rig->session, rig->reason,
			      sizeof(rig->reason)),
		"%s", rig->reason);
	ck_assert_int_eq(srpi_lun_from_number(0, lun), 0);
	ck_assert_msg(!srpi_lun_open(rig->session, lun, &rig->lun, rig->reason,
			      sizeof(rig->reason)),
		"%s", rig->reason);
	ck_assert_msg(!srpi_buf_alloc(rig->session, DEPTH * BLOCK_BYTES,
			      &rig->mem, rig->reason, sizeof(rig->reason)),
		"%s", rig->reason);
	ck_assert_msg(!srpi_queue_create(rig->session, &opts, &rig->queue,
			      rig->reason, sizeof(rig->reason)),
		"%s", rig->reason);
	srpi_lun_info(rig->lun, &info);
	rig->blocks = BLOCK_BYTES / info.block_bytes;
}

static void
rig_fini(struct rig *rig)
{
	srpi_queue_destroy(rig->queue);
	srpi_mem_free(rig->mem);
	srpi_close(rig->session);
}

static void
queue_one(struct rig *rig, int is_write)
{
	struct srpi_io *io = srpi_get(rig->queue);
	struct iovec iov = { .iov_len = BLOCK_BYTES };
	int ret;

	if (!io) {
		rig->nr_errors++;
		return;
	}
	iov.iov_base = (char *)srpi_mem_addr(rig->mem) +
		srpi_io_index(io) * BLOCK_BYTES;
	if (is_write)
		ret = srpi_prep_write(io, rig->lun, 0, rig->blocks, &iov, 1);
	else
		ret = srpi_prep_read(io, rig->lun, 0, rig->blocks, &iov, 1);
	rig->nr_errors += ret != 0;
	srpi_queue_io(io);
}

/* Takes in what was submitted; returns how many I/Os, 0 when none came. */
static int
reap(struct rig *rig)
{
	struct srpi_io *ios[DEPTH];
	int nr = srpi_wait(rig->queue, ios, 1, DEPTH, -1);

	for (int i = 0; i < nr; i++) {
		rig->nr_errors += srpi_result(ios[i])->error != 0;
		srpi_put(ios[i]);
	}
	return nr > 0 ? nr : 0;
}

/* @nr_rounds of DEPTH I/Os. Asserts nothing: check would allocate. */
static void
run_io(struct rig *rig, int is_write, unsigned int nr_rounds)
{
	int done, nr;

	for (unsigned int round = 0; round < nr_rounds; round++) {
		for (int i = 0; i < DEPTH; i++)
			queue_one(rig, is_write);
		srpi_submit(rig->queue);
		for (done = 0; done < DEPTH; done += nr) {
			nr = reap(rig);
			if (!nr) {
				rig->nr_errors++;
				return;
			}
		}
	}
}

/* Loop tests: each URL, read and write. */
static const char *const urls[] = {
	"demo://null",
	"demo://null?irqmode=none",
	"demo://ram?size=1M",
};
#define NR_CASES (2 * (int)(sizeof(urls) / sizeof(urls[0])))

START_TEST(an_io_allocates_nothing_and_takes_no_mutex)
{
	struct rig rig;

	rig_init(&rig, urls[_i / 2]);
	run_io(&rig, _i % 2, 2);
	measuring = 1;
	run_io(&rig, _i % 2, NR_ROUNDS);
	measuring = 0;
	ck_assert_uint_eq(rig.nr_errors, 0);
	ck_assert_uint_eq(nr_allocations, 0);
	ck_assert_uint_eq(nr_locks, 0);
	rig_fini(&rig);
}
END_TEST

START_TEST(an_allocation_or_mutex_would_be_seen)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	void *volatile ptr;

	measuring = 1;
	ptr = malloc(1);
	free(ptr);
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	measuring = 0;
	ck_assert_uint_eq(nr_allocations, 2);
	ck_assert_uint_eq(nr_locks, 1);
}
END_TEST

/*
 * From here on this thread may only exit, and read the clock, which is no
 * system call where the vDSO serves it.
 */
static void
forbid_system_calls(void)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clock_gettime, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = {
		.len = sizeof(filter) / sizeof(filter[0]),
		.filter = filter,
	};

	ck_assert_int_eq(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
	/* An assertion that holds writes too: none from here on. */
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog))
		abort();
}

START_TEST(an_io_makes_no_system_call)
{
	struct rig rig;

	rig_init(&rig, urls[_i / 2]);
	run_io(&rig, _i % 2, 2);
	forbid_system_calls();
	run_io(&rig, _i % 2, NR_ROUNDS);
	_exit(rig.nr_errors ? 1 : 0);
}
END_TEST

START_TEST(a_system_call_would_be_seen)
{
	forbid_system_calls();
	getppid();
	_exit(0);
}
END_TEST

int
main(void)
{
	Suite *suite = suite_create("hot_path");
	TCase *tcase = tcase_create("hot_path");
	SRunner *runner;
	int nr_failed;

	tcase_add_test(tcase, an_allocation_or_mutex_would_be_seen);
	tcase_add_loop_test(tcase, an_io_allocates_nothing_and_takes_no_mutex,
		0, NR_CASES);
	tcase_add_test_raise_signal(tcase, a_system_call_would_be_seen, SIGSYS);
	tcase_add_loop_exit_test(tcase, an_io_makes_no_system_call, 0, 0,
		NR_CASES);
	suite_add_tcase(suite, tcase);
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_NORMAL);
	nr_failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return nr_failed ? 1 : 0;
}
