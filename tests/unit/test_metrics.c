/* SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB */
/* What is to be had over HTTP, of targets in this process. */
#include "unit.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config.h"
#include "ctl_rig.h"
#include "srpd/latency.h"
#include "srpd/metrics.h"
#include "srpd/metrics_listen.h"
#include "srpd/stats_table.h"

#define TEXT_BYTES (256 << 10)

static struct ctl_rig rig;
static struct metrics_source source;
static struct metrics *metrics;
static char path[96], text[TEXT_BYTES], reason[256];

static void
on_change(void *arg)
{
	(void)arg;
}

static void
start(const char *name, const char *url, bool autologin)
{
	struct rport_attr *attr = rport_attr_create(name);

	ck_assert_int_eq(rport_attr_add_url(attr, url), 0);
	attr->autologin = autologin;
	attr->reconnect_delay_ns = 10 * CLOCK_NS_PER_SEC;
	attr->fast_io_fail_ns = RPORT_OFF_NS;
	attr->dev_loss_ns = RPORT_OFF_NS;
	ck_assert_int_eq(rports_start(source.rports, attr), 0);
	rport_attr_put(attr);
}

static void
await_ready(const char *name)
{
	struct rport *rport = rports_find(source.rports, name);
	struct rport_status status;

	do {
		loop_run_once(&rig.loop, LOOP_FOREVER);
		rport_status(rport, &status);
	} while (status.state != RPORT_READY);
}

static void
on_request(void *arg, struct ctl_call *call)
{
	(void)arg;
	ctl_call_done(call, json_object());
}

static void
setup(void)
{
	struct ctl_server_attr attr = { .on_request = on_request };

	ctl_rig_init(&rig);
	ctl_rig_serve(&rig, &attr);
	memset(&source, 0, sizeof(source));
	ck_assert_int_eq(
		rports_create(&rig.loop, on_change, NULL, &source.rports), 0);
	source.ctl = rig.server;
	source.started_ns = clock_ns();
	start("disk", "demo://ram?size=1M&luns=2", true);
	start("idle", "demo://null", false);
	await_ready("disk");
	snprintf(path, sizeof(path), "%s/metrics", rig.folder);
	metrics = NULL;
}

static void
teardown(void)
{
	metrics_stop(metrics);
	rports_stop_all(source.rports);
	while (rports_nr_stopping(source.rports))
		loop_run_once(&rig.loop, LOOP_FOREVER);
	rports_destroy(source.rports);
	unlink(path);
	ctl_rig_fini(&rig);
}

static void
print(void)
{
	FILE *out = fmemopen(text, sizeof(text), "w");

	ck_assert_int_eq(metrics_text_print(&source, out), 0);
	fclose(out);
}

static void
expect(const char *what)
{
	ck_assert_msg(strstr(text, what) != NULL, "no %s in %s", what, text);
}

START_TEST(targets_have_their_samples)
{
	print();
	expect("srpd_build_info{version=\"" PACKAGE_VERSION "\"} 1\n");
	expect("srpd_target_state{target=\"disk\",state=\"ready\"} 1\n");
	expect("srpd_target_state{target=\"disk\",state=\"lost\"} 0\n");
	expect("srpd_target_state{target=\"idle\",state=\"logged-out\"} 1\n");
	expect("srpd_target_luns{target=\"disk\"} 2\n");
	expect("srpd_target_luns{target=\"idle\"} 0\n");
	expect("srpd_lun_size_bytes{target=\"disk\",lun=\"1\"} 1048576\n");
	expect("srpd_login_attempts_total{target=\"disk\"} 1\n");
	expect("srpd_control_open_connections 0\n");
	expect("srpd_target_used_tags{target=\"disk\"} 0\n");
	expect("srpd_target_tags{target=\"idle\"} 0\n");
	ck_assert_ptr_null(
		strstr(text, "srpd_target_credits{target=\"disk\"} 0\n"));
	expect("srpd_target_credits{target=\"idle\"} 0\n");
	expect("srpd_commands_total{target=\"idle\"} 0\n");
	ck_assert_ptr_null(
		strstr(text, "srpd_commands_total{target=\"disk\"} 0\n"));
	expect("srpd_lun_operation_duration_seconds_count"
	       "{target=\"disk\",lun=\"1\",operation=\"open\"} 1\n");
	expect("srpd_lun_operation_failures_total"
	       "{target=\"disk\",lun=\"0\",operation=\"reset\"} 0\n");
}
END_TEST

START_TEST(every_counter_is_there)
{
	const struct stats_row *rows;
	size_t nr, i;
	char line[128];

	print();
	rows = stats_table(&nr);
	for (i = 0; i < nr; i++) {
		snprintf(line, sizeof(line), "\n%s{target=\"disk\"} ",
			rows[i].metric);
		expect(line);
		snprintf(line, sizeof(line), "# TYPE %s counter\n",
			rows[i].metric);
		expect(line);
	}
}
END_TEST

/* Each bucket holds those before it; the last is the count. */
START_TEST(histograms_are_cumulative)
{
	const char *line, *bucket = "srpd_operation_duration_seconds_bucket"
				    "{target=\"disk\",operation=\"login\",le=\"";
	unsigned long last = 0, now;
	unsigned int nr = 0;

	print();
	for (line = text; (line = strstr(line, bucket)) != NULL; nr++) {
		line = strchr(line, '}');
		now = strtoul(line + 1, NULL, 10);
		ck_assert_uint_ge(now, last);
		last = now;
	}
	ck_assert_uint_eq(nr, LATENCY_NR_BOUNDS + 1);
	ck_assert_uint_eq(last, 1);
	expect("operation=\"login\",le=\"1e-05\"}");
	expect("operation=\"login\",le=\"+Inf\"} 1\n");
	expect("_count{target=\"disk\",operation=\"login\"} 1\n");
}
END_TEST

START_TEST(labels_are_escaped)
{
	char out[64];
	FILE *f = fmemopen(out, sizeof(out), "w");

	metrics_text_label(f, "a\"b\\c\nd\xff");
	fclose(f);
	ck_assert_str_eq(out, "a\\\"b\\\\c\\nd?");
}
END_TEST

#ifdef HAVE_MICROHTTPD

/* A request and all that comes back. */
static void
fetch(int fd, const char *request)
{
	size_t len = 0;
	ssize_t nr;

	ck_assert_int_eq(send(fd, request, strlen(request), MSG_NOSIGNAL),
		(ssize_t)strlen(request));
	while ((nr = recv(fd, text + len, sizeof(text) - len - 1, 0)) > 0)
		len += (size_t)nr;
	text[len] = '\0';
	close(fd);
}

static int
join_path(void)
{
	struct sockaddr_un addr = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(addr.sun_path, sizeof(addr.sun_path), "%s", path);
	ck_assert_int_eq(
		connect(fd, (struct sockaddr *)&addr, sizeof(addr)), 0);
	return fd;
}

static void
serve(void)
{
	ck_assert_msg(metrics_start(path, &source, &metrics, reason,
			      sizeof(reason)) == 0,
		"%s", reason);
}

static const struct {
	const char *request, *status, *body;
} requests[] = {
	{ "GET /metrics HTTP/1.0\r\n\r\n", "200", "srpd_target_luns" },
	{ "HEAD /metrics HTTP/1.0\r\n\r\n", "200", "" },
	{ "GET / HTTP/1.0\r\n\r\n", "200", "/metrics" },
	{ "GET /x HTTP/1.0\r\n\r\n", "404", "/metrics" },
	{ "PUT /metrics HTTP/1.0\r\nContent-Length: 3\r\n\r\nabc", "405",
		"GET" },
	{ "\x01\x02garbage\r\n\r\n", "", "" },
};

START_TEST(only_get_of_metrics_gives_them)
{
	serve();
	fetch(join_path(), requests[_i].request);
	if (requests[_i].status[0])
		expect(requests[_i].status);
	expect(requests[_i].body);
	if (!strncmp(requests[_i].request, "GET /m", 6))
		expect("Content-Type: text/plain; version=0.0.4");
	/* whatever came, the next is served */
	fetch(join_path(), requests[0].request);
	expect("srpd_target_luns");
}
END_TEST

/* A free port is one that was just given. */
START_TEST(an_address_in_use_is_said)
{
	struct sockaddr_in addr = { .sin_family = AF_INET };
	socklen_t bytes = sizeof(addr);
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	char where[64];

	addr.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	ck_assert_int_eq(bind(fd, (struct sockaddr *)&addr, bytes), 0);
	ck_assert_int_eq(listen(fd, 1), 0);
	ck_assert_int_eq(getsockname(fd, (struct sockaddr *)&addr, &bytes), 0);
	snprintf(where, sizeof(where), "127.0.0.1:%u", ntohs(addr.sin_port));
	ck_assert_int_eq(metrics_start(where, &source, &metrics, reason,
				 sizeof(reason)),
		-EADDRINUSE);
	ck_assert_ptr_nonnull(strstr(reason, where));
	close(fd);
	ck_assert_int_eq(metrics_start(where, &source, &metrics, reason,
				 sizeof(reason)),
		0);
	fd = socket(AF_INET, SOCK_STREAM, 0);
	ck_assert_int_eq(
		connect(fd, (struct sockaddr *)&addr, sizeof(addr)), 0);
	fetch(fd, requests[0].request);
	expect("srpd_target_luns");
}
END_TEST

START_TEST(a_socket_left_behind_is_taken_over_and_one_in_use_not)
{
	struct metrics *other;
	int fd = metrics_listen(path, reason, sizeof(reason));

	ck_assert_int_ge(fd, 0);
	close(fd);
	serve();
	ck_assert_int_eq(metrics_start(path, &source, &other, reason,
				 sizeof(reason)),
		-EADDRINUSE);
	fetch(join_path(), requests[0].request);
	expect("srpd_target_luns");
	metrics_stop(metrics);
	metrics = NULL;
	ck_assert_int_ne(access(path, F_OK), 0);
}
END_TEST

static const char *const bad[] = { "9721", ":9721", "host.example:9721",
	"127.0.0.1:", "127.0.0.1:x", "[::1:9721", "[]:1" };

START_TEST(what_is_no_address_is_said)
{
	ck_assert_int_eq(metrics_start(bad[_i], &source, &metrics, reason,
				 sizeof(reason)),
		-EINVAL);
	ck_assert_ptr_nonnull(strstr(reason, bad[_i]));
}
END_TEST

#endif

int
main(void)
{
	TCase *tcase = tcase_create("metrics");

	tcase_set_timeout(tcase, 60);
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, targets_have_their_samples);
	tcase_add_test(tcase, every_counter_is_there);
	tcase_add_test(tcase, histograms_are_cumulative);
	tcase_add_test(tcase, labels_are_escaped);
#ifdef HAVE_MICROHTTPD
	tcase_add_loop_test(tcase, only_get_of_metrics_gives_them, 0,
		(int)ARRAY_SIZE(requests));
	tcase_add_test(tcase, an_address_in_use_is_said);
	tcase_add_test(
		tcase, a_socket_left_behind_is_taken_over_and_one_in_use_not);
	tcase_add_loop_test(
		tcase, what_is_no_address_is_said, 0, (int)ARRAY_SIZE(bad));
#endif
	return unit_run(tcase, "metrics");
}
