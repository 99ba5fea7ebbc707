# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB

EXTRA_DIST += \
	bench/interop-fio.sh \
	bench/interop-ratios.sh \
	tests/interop/README.md \
	tests/interop/case.sh \
	tests/interop/cases/10-login.sh \
	tests/interop/cases/20-patterns.sh \
	tests/interop/cases/25-blktests.sh \
	tests/interop/cases/26-channels.sh \
	tests/interop/cases/30-refused-values.sh \
	tests/interop/cases/40-login-rejected.sh \
	tests/interop/cases/50-unreachable.sh \
	tests/interop/cases/60-target-killed.sh \
	tests/interop/cases/70-shared-port-id.sh \
	tests/interop/cases/80-output.sh \
	tests/interop/cases/85-srptgt.sh \
	tests/interop/cases/86-srptgt-control.sh \
	tests/interop/cases/87-srpd.sh \
	tests/interop/cases/88-fio.sh \
	tests/interop/cases/89-probes.sh \
	tests/interop/cases/90-device-lost.sh \
	tests/interop/guest-init \
	tests/interop/guest-suite \
	tests/interop/initrd-init \
	tests/interop/lio.sh \
	tests/interop/run \
	tests/interop/srptgt.sh \
	tests/interop/vm \
	$(NULL)
