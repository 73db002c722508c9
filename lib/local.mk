# SPDX-License-Identifier: BSD-2-Clause
#
# The shared core: a convenience library that module, tool and tests link.

noinst_LTLIBRARIES += lib/libpawl.la

lib_libpawl_la_CPPFLAGS = $(AM_CPPFLAGS) $(CRYPTO_CFLAGS) $(INIH_CFLAGS) \
	-DPAWL_STORE='"$(pawlstatedir)"' \
	-DPAWL_KEYRING='"$(pawlconfdir)/keyring"'
lib_libpawl_la_LIBADD = $(CRYPTO_LIBS) $(INIH_LIBS)
lib_libpawl_la_SOURCES = \
	%D%/attrs.h \
	%D%/base32.c %D%/base32.h \
	%D%/bytes.c %D%/bytes.h \
	%D%/clock.h \
	%D%/clock_system.c %D%/clock_system.h \
	%D%/code.c %D%/code.h \
	%D%/conf.c %D%/conf.h \
	%D%/conf_key.c %D%/conf_key.h \
	%D%/conf_parse.c \
	%D%/credential.c %D%/credential.h \
	%D%/crypto.h \
	%D%/ct.h \
	%D%/decimal.c %D%/decimal.h \
	%D%/enrolment.c \
	%D%/err.c %D%/err.h \
	%D%/file.c %D%/file.h \
	%D%/hmac.c %D%/hmac.h \
	%D%/hotp.c %D%/hotp.h \
	%D%/kdf.c %D%/kdf.h \
	%D%/key_id.c %D%/key_id.h \
	%D%/keyring.c %D%/keyring.h \
	%D%/keyring_format.c \
	%D%/keyring_parse.c \
	%D%/log.c %D%/log.h \
	%D%/otpauth.c %D%/otpauth.h %D%/otpauth_parse.c \
	%D%/random.c %D%/random.h \
	%D%/seal.c %D%/seal.h \
	%D%/seal_protect.c \
	%D%/seal_suite.c %D%/seal_suite.h \
	%D%/secmem.c %D%/secmem.h \
	%D%/state.c \
	%D%/store.c %D%/store.h \
	%D%/store_file.c %D%/store_file.h \
	%D%/store_file_name.c %D%/store_file_name.h \
	%D%/store_file_slot.c %D%/store_file_slot.h \
	%D%/token.c %D%/token.h \
	%D%/totp.c %D%/totp.h \
	%D%/utf8.c %D%/utf8.h \
	%D%/vault.c %D%/vault.h \
	%D%/vault_inside.h \
	%D%/vault_make.c \
	%D%/vault_seal.c \
	%D%/verify.c %D%/verify.h
