/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/*
 * What the service manager is told, sd_notify(3). Nothing happens without one,
 * or in a build without libsystemd.
 */
#ifndef SRPD_NOTIFY_H
#define SRPD_NOTIFY_H

void notify_ready(void);
void notify_reloading(void);
void notify_stopping(void);
/* One line for "systemctl status". */
void notify_status(const char *status);

#endif /* SRPD_NOTIFY_H */
