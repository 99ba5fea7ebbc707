# SPDX-License-Identifier: GPL-2.0-only OR Linux-OpenIB
#
# The configuration, and what systemd and udev need to run srpd as a user of
# its own.

EXTRA_DIST += \
	etc/70-srpd.rules \
	etc/srpd.ini \
	etc/srpd.service.in \
	etc/srpd.sysusers \
	etc/srpd.tmpfiles \
	$(NULL)

etc/srpd.service: etc/srpd.service.in Makefile
	$(AM_V_GEN)$(MKDIR_P) etc && $(SED) -e 's,@sbindir@,$(sbindir),' \
		-e 's,@sysconfdir@,$(sysconfdir),' \
		$(srcdir)/etc/srpd.service.in >$@.tmp && mv $@.tmp $@
CLEANFILES += etc/srpd.service

if WITH_SYSTEMDSYSTEMUNITDIR
nodist_systemdsystemunit_DATA = etc/srpd.service
endif
if WITH_UDEVRULESDIR
udevrules_DATA = etc/70-srpd.rules
endif

# Those of an administrator's stay as they are.
INSTALL_ETC = install-etc
if WITH_SYSUSERSDIR
INSTALL_ETC += install-sysusers
endif
if WITH_TMPFILESDIR
INSTALL_ETC += install-tmpfiles
endif
install-data-hook: $(INSTALL_ETC)
uninstall-hook: uninstall-etc
.PHONY: install-etc install-sysusers install-tmpfiles uninstall-etc
install-etc:
	$(MKDIR_P) '$(DESTDIR)$(sysconfdir)'
	test -e '$(DESTDIR)$(sysconfdir)/srpd.ini' || \
		$(INSTALL_DATA) '$(srcdir)/etc/srpd.ini' \
			'$(DESTDIR)$(sysconfdir)/srpd.ini'
uninstall-etc:
	! cmp -s '$(srcdir)/etc/srpd.ini' \
		'$(DESTDIR)$(sysconfdir)/srpd.ini' || \
		rm -f '$(DESTDIR)$(sysconfdir)/srpd.ini'
if WITH_SYSUSERSDIR
	rm -f '$(DESTDIR)$(sysusersdir)/srpd.conf'
endif
if WITH_TMPFILESDIR
	rm -f '$(DESTDIR)$(tmpfilesdir)/srpd.conf'
endif

# By the name that both folders want, srpd.conf.
install-sysusers:
	$(MKDIR_P) '$(DESTDIR)$(sysusersdir)'
	$(INSTALL_DATA) '$(srcdir)/etc/srpd.sysusers' \
		'$(DESTDIR)$(sysusersdir)/srpd.conf'
install-tmpfiles:
	$(MKDIR_P) '$(DESTDIR)$(tmpfilesdir)'
	$(INSTALL_DATA) '$(srcdir)/etc/srpd.tmpfiles' \
		'$(DESTDIR)$(tmpfilesdir)/srpd.conf'
