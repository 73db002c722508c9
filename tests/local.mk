# SPDX-License-Identifier: BSD-2-Clause
#
# Every test speaks TAP: cmocka programs and shell scripts alike.

LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
SH_LOG_DRIVER = $(LOG_DRIVER)
TEST_EXTENSIONS = .sh
SH_LOG_COMPILER = $(SHELL)
AM_TESTS_ENVIRONMENT = \
	CMOCKA_MESSAGE_OUTPUT=TAP; export CMOCKA_MESSAGE_OUTPUT; \
	srcdir='$(abs_top_srcdir)'; export srcdir; \
	builddir='$(abs_top_builddir)'; export builddir;

EXTRA_DIST += \
	%D%/vectors/base32.json \
	%D%/vectors/dataprotection.json \
	%D%/vectors/hmac.json \
	%D%/vectors/keyring.json \
	%D%/vectors/otp.json \
	%D%/vectors/sp800_108.json

# Unit tests: tests/unit/test_<room>.c, one a room of lib/.
UNIT_TESTS = \
	tests/unit/test_bytes

UNIT_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS) $(JANSSON_CFLAGS) $(CRYPTO_CFLAGS) \
	-DVECTORS='"$(abs_top_srcdir)/tests/vectors"'
UNIT_LIBS = lib/libpawl.la $(CMOCKA_LIBS) $(JANSSON_LIBS) $(CRYPTO_LIBS)

tests_unit_test_bytes_SOURCES = %D%/unit/test_bytes.c
tests_unit_test_bytes_CPPFLAGS = $(UNIT_CPPFLAGS)
tests_unit_test_bytes_LDADD = $(UNIT_LIBS)

if HAVE_CMOCKA
check_PROGRAMS += $(UNIT_TESTS)
TESTS += $(UNIT_TESTS)
endif
