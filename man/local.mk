# SPDX-License-Identifier: BSD-2-Clause

dist_man_MANS += \
	%D%/pawl.1 \
	%D%/pawl.conf.5 \
	%D%/pam_pawl.8

# The README's picture, and what makes it.
EXTRA_DIST += %D%/picture/enroll.svg
dist_noinst_SCRIPTS += %D%/picture/make.sh %D%/picture/svg.py
