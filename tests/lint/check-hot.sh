#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# The per-I/O code, *_io.c, allocates nothing, takes no mutex, formats and
# logs nothing, registers no memory and calls the kernel only where the
# table below says so.
# shellcheck source=tests/lint/lint.sh
. "$(dirname "$0")/lint.sh"

if [ "${IO_DEBUG:-}" = yes ]; then
	echo "configured with --enable-io-debug: log lines are allowed"
	exit 77
fi

# Stem, then the calls it may make, each with the reason.
allowed='
'

memory='malloc calloc realloc reallocarray free aligned_alloc posix_memalign
memalign strdup strndup mmap munmap mremap ibv_reg_mr* ibv_dereg_mr'
locks='pthread_mutex_* pthread_cond_* pthread_rwlock_* pthread_join
pthread_create sem_*'
text='*printf *printf_chk puts putc fputs fwrite perror log_* syslog'
kernel='syscall read pread* readv preadv* write pwrite* writev pwritev* open
open64 openat* close poll ppoll __poll_chk select pselect epoll_* eventfd*
recv recvfrom recvmsg recvmmsg send sendto sendmsg sendmmsg __recv_chk
__read_chk ioctl fcntl* fsync fdatasync madvise nanosleep clock_nanosleep
usleep sleep sched_yield io_submit io_getevents io_setup getrusage'
forbidden="hot $memory $locks $text $kernel"
forbidden=${forbidden//$'\n'/ }

check_object() { # object
	local stem symbol
	stem=$(basename "$1" .o)
	stem=${stem##*-} # less the name of a module with flags of its own
	while read -r symbol; do
		in_table "$forbidden" hot "$symbol" || continue
		in_table "$allowed" "$stem" "$symbol" ||
			complain "$1 calls $symbol on the I/O path"
	done < <(nm -u --format=just-symbols "$lint_objs/$1" | sed 's/@.*//')
}

objects=$(lint_objects | grep '_io\.o$' || true)
for object in $objects; do
	check_object "$object"
done
for file in $(lint_files src -- -name '*_io.c'); do
	# without fio's headers there is no engine
	[[ $file != src/fio/* ]] || [ "${HAVE_FIO:-yes}" = yes ] || continue
	stem=$(basename "$file" .c)
	grep -q "[/-]$stem\.o$" <<<"$objects" ||
		complain "$file has no object: build it first, or name it in local.mk"
done
lint_finish
