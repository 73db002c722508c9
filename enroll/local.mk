# SPDX-License-Identifier: BSD-2-Clause

# Drawing QR codes: a convenience library that the tool and its tests link,
# before lib/libpawl.la.
noinst_LTLIBRARIES += enroll/libqr.la

enroll_libqr_la_CPPFLAGS = $(AM_CPPFLAGS) $(QRENCODE_CFLAGS) $(PNG_CFLAGS)
enroll_libqr_la_LIBADD = $(QRENCODE_LIBS) $(PNG_LIBS)
enroll_libqr_la_SOURCES = \
	%D%/qr.c %D%/qr.h \
	%D%/qr_file.c %D%/qr_file.h \
	%D%/qr_terminal.c %D%/qr_terminal.h

bin_PROGRAMS += enroll/pawl
enroll_pawl_CPPFLAGS = $(AM_CPPFLAGS) $(JANSSON_CFLAGS) \
	-DPAWL_CONF='"$(pawlconfdir)/pawl.conf"' \
	-DPAWL_STORE='"$(pawlstatedir)"' \
	-DPAWL_KEYRING='"$(pawlconfdir)/keyring"'
enroll_pawl_CFLAGS = $(AM_CFLAGS) $(PIE_CFLAGS)
enroll_pawl_LDFLAGS = $(AM_LDFLAGS) $(PIE_LDFLAGS)
enroll_pawl_LDADD = enroll/libqr.la lib/libpawl.la $(JANSSON_LIBS) \
	$(QRENCODE_LIBS) $(PNG_LIBS) $(CRYPTO_LIBS) $(INIH_LIBS)
enroll_pawl_SOURCES = \
	%D%/account.c %D%/account.h \
	%D%/cmd_enroll.c \
	%D%/cmd_init.c \
	%D%/cmd_list.c \
	%D%/cmd_revoke.c \
	%D%/cmd_status.c \
	%D%/cmd_verify.c \
	%D%/confirm.c %D%/confirm.h \
	%D%/journal.c %D%/journal.h \
	%D%/main.c \
	%D%/report.c %D%/report.h \
	%D%/secret_file.c %D%/secret_file.h \
	%D%/show.c %D%/show.h \
	%D%/summary.c %D%/summary.h \
	%D%/tool.c %D%/tool.h \
	%D%/tty.c %D%/tty.h \
	%D%/typed.c %D%/typed.h
