# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh disable=SC2034 # the lists are for the caller
#
# What pawl needs from a Debian or Ubuntu system, and how to get it. Sourced
# by quickstart and run-tests; other systems have the same things under names
# of their own.

# To build.
packages_build="gcc libc6-dev make autoconf automake libtool autoconf-archive
pkg-config libpam0g-dev libssl-dev libinih-dev libqrencode-dev libpng-dev
libjansson-dev"

# To see it work: a PAM login without touching the machine's PAM set-up, a QR
# reader and an authenticator that share no code with pawl.
packages_run="pamtester libpam-wrapper zbar-tools oathtool"

# To test it: unit tests, a further QR reader, a terminal, tools that watch
# programs, tools that read code and manuals.
packages_test="libcmocka-dev libpam-google-authenticator zxing-cpp-tools
python3 tmux strace valgrind shellcheck cppcheck mandoc groff-base
clang-format-14 xz-utils"

# Those of the packages named that are not installed.
packages_missing()
{
    for package in "$@"; do
        # shellcheck disable=SC2016 # dpkg-query's own variables
        case $(dpkg-query -W -f '${db:Status-Status}' "$package" \
            2>/dev/null) in
        installed) ;;
        *) printf '%s ' "$package" ;;
        esac
    done
}

# As root: this process, or sudo's.
packages_as_root()
{
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    elif ! command -v sudo >/dev/null; then
        return 1
    elif [ -t 0 ]; then
        sudo "$@"
    else
        sudo -n "$@"
    fi
}

packages_apt()
{
    packages_as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y \
        -o DPkg::Lock::Timeout=300 "$@" 2>&1
}

# Installs those of the packages named that are missing and known here; apt
# speaks on standard output. What cannot be installed is named on standard
# error, and the caller goes on: whoever needs it says so better than a list.
packages_install()
{
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null
    then
        echo "Neither Debian nor Ubuntu. Needed, by Debian's names: $*" >&2
        return
    fi
    # shellcheck disable=SC2046,SC2086 # lists of words
    set -- $(packages_missing "$@")
    [ $# -gt 0 ] || return 0
    packages_apt update || echo "The package lists were not refreshed." >&2
    packages_known=
    for package in "$@"; do
        if apt-cache show "$package" >/dev/null 2>&1; then
            packages_known="$packages_known $package"
        fi
    done
    # shellcheck disable=SC2086 # a list of words
    [ -z "$packages_known" ] ||
        packages_apt install --no-install-recommends $packages_known || true
    # shellcheck disable=SC2046 # a list of words
    set -- $(packages_missing "$@")
    [ $# -eq 0 ] || echo "Not installed: $*" >&2
}
