# SPDX-License-Identifier: BSD-2-Clause

dist_man_MANS += \
	%D%/pawl.1 \
	%D%/pawl.conf.5 \
	%D%/pam_pawl.8
