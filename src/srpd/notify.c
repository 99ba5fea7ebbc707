/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
#include "config.h"

#include "srpd/notify.h"

#ifdef HAVE_LIBSYSTEMD

#include <systemd/sd-daemon.h>

#include "util/clock.h"

void
notify_ready(void)
{
	sd_notify(0, "READY=1");
}

/* With the time, which Type=notify-reload wants (systemd 253). */
void
notify_reloading(void)
{
	sd_notifyf(0, "RELOADING=1\nMONOTONIC_USEC=%llu",
		(unsigned long long)(clock_ns() / CLOCK_NS_PER_USEC));
}

void
notify_stopping(void)
{
	sd_notify(0, "STOPPING=1");
}

void
notify_status(const char *status)
{
	sd_notifyf(0, "STATUS=%s", status);
}

#else

void
notify_ready(void)
{
}

void
notify_reloading(void)
{
}

void
notify_stopping(void)
{
}

void
notify_status(const char *status)
{
	(void)status;
}

#endif
