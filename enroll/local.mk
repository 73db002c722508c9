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
