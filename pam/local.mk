# SPDX-License-Identifier: BSD-2-Clause
#
# The module. Its objects are a convenience library first, so that the tests
# link the very objects that are shipped.

noinst_LTLIBRARIES += pam/libmodule.la

pam_libmodule_la_CPPFLAGS = $(AM_CPPFLAGS) \
	-DPAWL_CONF='"$(pawlconfdir)/pawl.conf"'
pam_libmodule_la_SOURCES = \
	%D%/account.c %D%/account.h \
	%D%/answer.c %D%/answer.h \
	%D%/args.c %D%/args.h \
	%D%/authenticate.c %D%/authenticate.h \
	%D%/converse.c %D%/converse.h \
	%D%/decision.h \
	%D%/module.c %D%/module.h \
	%D%/report.c %D%/report.h

# The directory's variable has "exec" in its name, so that automake installs
# it before it runs the hook below.
pamexec_LTLIBRARIES += pam/pam_pawl.la
pam_pam_pawl_la_SOURCES =
pam_pam_pawl_la_LIBADD = pam/libmodule.la lib/libpawl.la $(PAM_LIBS)
pam_pam_pawl_la_LDFLAGS = $(AM_LDFLAGS) -module -avoid-version -shared \
	-no-undefined -Wl,--version-script=$(top_srcdir)/%D%/pam_pawl.map
pam_pam_pawl_la_DEPENDENCIES = pam/libmodule.la lib/libpawl.la \
	%D%/pam_pawl.map
EXTRA_DIST += %D%/pam_pawl.map

# libpam loads the .so by its name and has no use for the .la.
install-exec-hook:
	rm -f $(DESTDIR)$(pamexecdir)/pam_pawl.la
uninstall-hook:
	rm -f $(DESTDIR)$(pamexecdir)/pam_pawl.so
