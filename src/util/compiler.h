/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * Attributes and small macros that every folder uses. Nothing here emits code
 * of its own, and nothing here includes more than <stddef.h>.
 */
#ifndef UTIL_COMPILER_H
#define UTIL_COMPILER_H

#include <assert.h>
#include <stddef.h>

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

/* glibc's <sys/cdefs.h> has some of these under the same name and meaning. */
#ifndef __must_check
#define __must_check __attribute__((warn_unused_result))
#endif
#ifndef __always_inline
#define __always_inline inline __attribute__((always_inline))
#endif
#define __maybe_unused __attribute__((unused))
#define __noinline __attribute__((noinline))
#define __cold __attribute__((cold))
#define __hot __attribute__((hot))
#define __printf(fmt, args) __attribute__((format(printf, fmt, args)))
#define __fallthrough __attribute__((fallthrough))

/*
 * Fields written by different threads sit on different lines. 64 is right for
 * x86-64 and for the arm64 parts that carry RDMA adapters; a wrong value costs
 * speed only.
 */
#define CACHELINE_BYTES 64
#define __cacheline_aligned __attribute__((aligned(CACHELINE_BYTES)))

#define ARRAY_SIZE(a)                                                          \
	(sizeof(a) / sizeof((a)[0]) +                                          \
	 0 * sizeof(struct {                                                   \
		 static_assert(!__builtin_types_compatible_p(__typeof__(a),    \
				       __typeof__(&(a)[0])),                   \
			 "ARRAY_SIZE of a pointer");                           \
		 int unused;                                                   \
	 }))

#define container_of(ptr, type, member)                                        \
	((type *)((char *)(1 ? (ptr) : &((type *)0)->member) -                 \
		  offsetof(type, member)))

/* Both arguments are evaluated once and must be of one type. */
#define min(a, b)                                                              \
	({                                                                     \
		__typeof__(a) min_a_ = (a);                                    \
		__typeof__(b) min_b_ = (b);                                    \
		(void)(&min_a_ == &min_b_);                                    \
		min_a_ < min_b_ ? min_a_ : min_b_;                             \
	})
#define max(a, b)                                                              \
	({                                                                     \
		__typeof__(a) max_a_ = (a);                                    \
		__typeof__(b) max_b_ = (b);                                    \
		(void)(&max_a_ == &max_b_);                                    \
		max_a_ > max_b_ ? max_a_ : max_b_;                             \
	})
#define min_t(type, a, b) min((type)(a), (type)(b))
#define max_t(type, a, b) max((type)(a), (type)(b))

#define DIV_ROUND_UP(n, d) (((n) + (d) - 1) / (d))
/* @to must be a power of two. */
#define ALIGN_UP(n, to) (((n) + ((to) - 1)) & ~((__typeof__(n))(to) - 1))
#define IS_POWER_OF_2(n) ((n) != 0 && ((n) & ((n) - 1)) == 0)

/*
 * Layout checks for structures that go on a wire or into shared memory. Wire
 * structures are made of bytes (util/bytes.h) and so never need packing.
 */
#define ASSERT_SIZE(type, bytes)                                               \
	static_assert(sizeof(type) == (bytes), #type " is not " #bytes " bytes")
#define ASSERT_OFFSET(type, member, at)                                        \
	static_assert(offsetof(type, member) == (at),                          \
		#type "." #member " is not at " #at)

/* One step of a spin loop: tells the core that nobody is in a hurry. */
static inline void
cpu_relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield" ::: "memory");
#else
	__asm__ volatile("" ::: "memory");
#endif
}

#endif
