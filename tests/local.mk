# SPDX-License-Identifier: BSD-2-Clause
#
# Every test speaks TAP: cmocka programs and shell scripts alike.

LOG_DRIVER = env AM_TAP_AWK='$(AWK)' $(SHELL) $(top_srcdir)/build-aux/tap-driver.sh
SH_LOG_DRIVER = $(LOG_DRIVER)
TEST_EXTENSIONS = .sh
SH_LOG_COMPILER = $(SHELL)
LOG_COMPILER = $(SHELL) $(top_srcdir)/%D%/cmocka.sh
AM_TESTS_ENVIRONMENT = \
	CMOCKA_MESSAGE_OUTPUT=TAP; export CMOCKA_MESSAGE_OUTPUT; \
	srcdir='$(abs_top_srcdir)'; export srcdir; \
	builddir='$(abs_top_builddir)'; export builddir; \
	CC='$(CC)'; export CC; \
	MAKE='$(MAKE)'; export MAKE; \
	test_cppflags='$(CRYPTO_CFLAGS) $(INIH_CFLAGS) $(QRENCODE_CFLAGS)'; \
	test_cppflags="$$test_cppflags $(JANSSON_CFLAGS) $(PNG_CFLAGS)"; \
	export test_cppflags;

EXTRA_DIST += \
	%D%/vectors/base32.json \
	%D%/vectors/dataprotection.json \
	%D%/vectors/hmac.json \
	%D%/vectors/keyring.json \
	%D%/vectors/make_record.py \
	%D%/vectors/otp.json \
	%D%/vectors/record-v1.json \
	%D%/vectors/sp800_108.json

# Unit tests: tests/unit/test_ROOM.c, one a room of lib/. Automake finds the
# source by the program's name; a test finds its vectors by $srcdir.
UNIT_TESTS = \
	tests/unit/test_base32 \
	tests/unit/test_bytes \
	tests/unit/test_code \
	tests/unit/test_conf \
	tests/unit/test_constant_work \
	tests/unit/test_cost \
	tests/unit/test_credential \
	tests/unit/test_decimal \
	tests/unit/test_file \
	tests/unit/test_hmac \
	tests/unit/test_hotp \
	tests/unit/test_kdf \
	tests/unit/test_key_id \
	tests/unit/test_keyring \
	tests/unit/test_log \
	tests/unit/test_otpauth \
	tests/unit/test_qr \
	tests/unit/test_record \
	tests/unit/test_seal \
	tests/unit/test_secmem \
	tests/unit/test_store \
	tests/unit/test_totp \
	tests/unit/test_utf8 \
	tests/unit/test_vault \
	tests/unit/test_verify

# It counts the heap calls of what is linked into it.
tests_unit_test_cost_LDFLAGS = $(AM_LDFLAGS) \
	-Wl,--wrap=malloc -Wl,--wrap=calloc -Wl,--wrap=realloc

AM_CPPFLAGS += $(CMOCKA_CFLAGS) $(JANSSON_CFLAGS) $(CRYPTO_CFLAGS)
LDADD = $(TEST_SUPPORT) lib/libpawl.la $(CMOCKA_LIBS) $(JANSSON_LIBS) $(CRYPTO_LIBS)

# What several tests share: reading vectors, scratch folders.
TEST_SUPPORT = tests/libsupport.la
tests_libsupport_la_SOURCES = \
	%D%/support/folder.c %D%/support/folder.h \
	%D%/support/golden.c %D%/support/golden.h \
	%D%/support/scratch.c %D%/support/scratch.h \
	%D%/support/vectors.c %D%/support/vectors.h

# Writes that fail.
tests_unit_test_store_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=pwrite
tests_unit_test_vault_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=pwrite
tests_unit_test_verify_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=pwrite

if HAVE_CMOCKA
check_LTLIBRARIES += tests/libsupport.la
check_PROGRAMS += $(UNIT_TESTS)
TESTS += $(UNIT_TESTS)
endif

# The drawing of QR codes, judged by what a terminal would show.
tests_unit_test_qr_SOURCES = %D%/unit/test_qr.c \
	%D%/support/screen.c %D%/support/screen.h
tests_unit_test_qr_CPPFLAGS = $(AM_CPPFLAGS) $(QRENCODE_CFLAGS) $(PNG_CFLAGS)
tests_unit_test_qr_LDADD = enroll/libqr.la $(LDADD) $(QRENCODE_LIBS) $(PNG_LIBS)

check_PROGRAMS += tests/support/draw_qr
tests_support_draw_qr_SOURCES = %D%/support/draw_qr.c
tests_support_draw_qr_LDADD = enroll/libqr.la lib/libpawl.la \
	$(QRENCODE_LIBS) $(PNG_LIBS) $(CRYPTO_LIBS)
dist_check_SCRIPTS += %D%/support/qr_picture.py

# The module over a stand-in for libpam: one .case file a test. The folder is
# played and shipped as it is, so that a new case is a new file.
tests_pam_run_case_SOURCES = \
	%D%/pam/call.c %D%/pam/run.h \
	%D%/pam/fakepam.c %D%/pam/fakepam.h \
	%D%/pam/run_case.c \
	%D%/pam/scene.c \
	%D%/pam/script.c %D%/pam/script.h
tests_pam_run_case_LDADD = pam/libmodule.la $(LDADD)
EXTRA_DIST += %D%/pam/cases

# Logins at the same moment, in the real libpam.
tests_e2e_parallel_LDADD = $(LDADD) $(PAM_LIBS)
EXTRA_tests_e2e_parallel_DEPENDENCIES = pam/pam_pawl.la
tests_support_one_login_LDADD = $(PAM_LIBS)

if HAVE_CMOCKA
check_PROGRAMS += \
	tests/e2e/parallel \
	tests/pam/run_case \
	tests/support/make_store \
	tests/support/one_login
TESTS += tests/pam/run_case
if !SANITIZERS
# Thousands of processes, which say nothing new about memory.
TESTS += tests/e2e/parallel
endif
endif

# Style tests read the sources, once, in the plain build. Tests that load the
# module into a program of the system run there as well: such a program cannot
# load a sanitized one.
STYLE_TESTS = \
	tests/style/exports.sh \
	tests/style/forbidden.sh \
	tests/style/headers.sh \
	tests/style/hygiene.sh \
	tests/style/layers.sh \
	tests/style/manuals.sh

E2E_TESTS = \
	tests/e2e/login.sh \
	tests/e2e/syscalls.sh \
	tests/e2e/verdicts.sh

# The tool runs sanitized as well.
TOOL_TESTS = \
	tests/e2e/qr.sh \
	tests/e2e/tool.sh \
	tests/vectors/record.sh
TESTS += $(TOOL_TESTS)

dist_check_SCRIPTS += $(STYLE_TESTS) $(E2E_TESTS) $(TOOL_TESTS)
dist_noinst_SCRIPTS += \
	run-tests \
	%D%/lint.sh \
	%D%/cmocka.sh \
	%D%/fresh/debian.sh
EXTRA_DIST += \
	.clang-format \
	lib/FLOORS \
	packages.sh \
	%D%/style/FORBIDDEN \
	%D%/style/forbidden.awk \
	%D%/style/layers.awk \
	%D%/tap.sh

if SANITIZERS
AM_TESTS_ENVIRONMENT += \
	ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1; \
	export ASAN_OPTIONS; \
	UBSAN_OPTIONS=print_stacktrace=1; export UBSAN_OPTIONS;
else
TESTS += $(STYLE_TESTS) $(E2E_TESTS)
endif

# The programs among the tests, under memcheck.
VALGRIND = valgrind -q --error-exitcode=99 --leak-check=full \
	--show-leak-kinds=definite,indirect,possible --track-origins=yes
VALGRIND_TESTS = $(UNIT_TESTS) tests/pam/run_case

.PHONY: check-valgrind lint
check-valgrind:
	PAWL_TEST_STRIDE=97 \
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(VALGRIND_TESTS)' \
		LOG_COMPILER='$(LOG_COMPILER) $(LIBTOOL) --silent \
			--mode=execute $(VALGRIND)'
lint:
	srcdir='$(top_srcdir)' $(SHELL) $(top_srcdir)/%D%/lint.sh
