/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * A run of srplat between sources that are made up, for tests: eight records
 * of 512 bytes from fake_in to nowhere, unless a test says otherwise before
 * it calls run_it().
 */
#ifndef SRPLAT_RUN_RIG_H
#define SRPLAT_RUN_RIG_H

#include "tools/srplat_run.h"

#define MAX_SEEN 256

/* A LUN that remembers what it is asked, and fails when told to. */
struct fake {
	struct srplat_src src;
	struct srplat_req seen[MAX_SEEN];
	unsigned int nr_seen;
	unsigned int nr_pending;
	struct srplat_req pending[64];
	int modes_seen[32];
	unsigned int nr_attached;
	unsigned int nr_syncs;
	unsigned int max_pending;
	unsigned int fail_at; /* the request, from 1 */
	int wait_error;
	unsigned int delay_us;	  /* each takes this long */
	unsigned int spoil_at;	  /* the write, from 1 */
	unsigned int attached_depth;
	struct srplat_stamps stamps[64];
	unsigned char data[64 * 512];
};

extern struct fake fake_in, fake_out;
extern struct srplat_src passive_in;  /* random data */
extern struct srplat_src passive_out; /* takes everything */
extern struct srplat_opts opts;
extern struct srplat_run run;
extern volatile sig_atomic_t stop;
extern char reason[512];

/* The fixture of every test. */
void run_rig_setup(void);
void run_rig_teardown(void);
/* The whole run; its exit status. */
int run_it(void);

#endif /* SRPLAT_RUN_RIG_H */
