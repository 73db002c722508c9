#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
#
# Does it work on a machine that has nothing? Makes a Debian tree of the base
# system alone, clones this repository into it as committed, and runs a command
# there. Run by hand, as root; needs debootstrap and git.

usage="usage: tests/fresh/debian.sh [option...] [-- command...]

  --suite NAME    the release [bookworm]
  --mirror URL    where packages come from [what apt on this machine uses]
  --user NAME     run as an ordinary user of this name, with sudo [root]
  --cache FOLDER  where base trees are kept [\${TMPDIR:-/tmp}/pawl-fresh]
  --keep          leave the tree behind and say where it is

The command is ./quickstart && ./run-tests unless given."

set -u
suite=bookworm
mirror=
user=root
cache=${TMPDIR:-/tmp}/pawl-fresh
keep=false
while [ $# -gt 0 ]; do
    case $1 in
    --suite) suite=${2?$usage}; shift ;;
    --mirror) mirror=${2?$usage}; shift ;;
    --user) user=${2?$usage}; shift ;;
    --cache) cache=${2?$usage}; shift ;;
    --keep) keep=true ;;
    --help) echo "$usage"; exit 0 ;;
    --) shift; break ;;
    *) echo "$usage" >&2; exit 2 ;;
    esac
    shift
done
[ $# -gt 0 ] || set -- sh -c './quickstart && ./run-tests'

fail()
{
    echo "debian.sh: $*" >&2
    exit 1
}

[ "$(id -u)" -eq 0 ] || fail "only root can make a system tree"
repository=$(cd "$(dirname "$0")/../.." && pwd) || exit
git -C "$repository" rev-parse -q --verify HEAD >/dev/null ||
    fail "not a clone: $repository"
[ -z "$(git -C "$repository" status --porcelain)" ] ||
    echo "debian.sh: what is not committed is not tested" >&2

# apt's own first source of this suite.
if [ -z "$mirror" ]; then
    mirror=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' \
        'Created-By: Packages' | awk -v suite="$suite" \
        '$2 == suite { print $1; exit }')
    [ -n "$mirror" ] || fail "apt here knows no $suite: use --mirror"
fi

# The base system, once.
mkdir -p "$cache" || exit
cache=$(cd "$cache" && pwd) || exit
base=$cache/$suite.tar
if [ ! -f "$base" ]; then
    rm -rf "$cache/making"
    debootstrap --variant=minbase --include=ca-certificates \
        "$suite" "$cache/making" "$mirror" >"$cache/debootstrap.log" 2>&1 ||
        fail "debootstrap failed: $cache/debootstrap.log"
    rm -f "$cache"/making/var/cache/apt/archives/*.deb
    tar -C "$cache/making" -c -f "$base.part" . && mv "$base.part" "$base" ||
        exit
    rm -rf "$cache/making"
fi

tree=$(mktemp -d "$cache/tree.XXXXXX") || exit
clean()
{
    if $keep; then
        echo "The tree is $tree"
    else
        rm -rf --one-file-system "$tree"
    fi
}
trap clean EXIT
trap 'exit 1' HUP INT TERM
chmod 755 "$tree"
tar -C "$tree" -x -f "$base" || exit

# The network as this machine has it: name servers, apt's sources, its proxy.
for file in /etc/resolv.conf /etc/hosts; do
    [ ! -f "$file" ] || cp -L "$file" "$tree$file"
done
if ! apt-get indextargets --format '$(RELEASE)' | grep -q -x "$suite"; then
    echo "deb $mirror $suite main" >"$tree/etc/apt/sources.list"
else
    rm -f "$tree/etc/apt/sources.list"
    for file in sources.list sources.list.d keyrings trusted.gpg.d; do
        [ ! -e "/etc/apt/$file" ] || cp -a "/etc/apt/$file" "$tree/etc/apt/"
    done
fi
cp -a /usr/share/keyrings/. "$tree/usr/share/keyrings/"
apt-config dump | grep -i -E '^Acquire::(http|https|ftp|Check|Retries)' \
    >"$tree/etc/apt/apt.conf.d/99fresh"

home=/root
if [ "$user" != root ]; then
    home=/home/$user
    chroot "$tree" sh -c 'apt-get -q update && apt-get -q -y install \
        --no-install-recommends sudo && useradd -m -s /bin/bash "$0" &&
        echo "$0 ALL=(ALL) NOPASSWD: ALL" >"/etc/sudoers.d/$0"' "$user" \
        >"$cache/user.log" 2>&1 </dev/null ||
        fail "no user: $cache/user.log"
fi
git clone -q --no-local "file://$repository" "$tree$home/pawl" || exit
[ "$user" = root ] || chroot "$tree" chown -R "$user:" "$home/pawl" || exit

# Processes and mounts of their own: when the command ends, so do all others.
echo "$suite, $(du -s -m "$tree" | cut -f 1) MB, as $user: $*"
start=$(date +%s)
unshare --mount --pid --fork --kill-child sh -c '
    tree=$1 user=$2 home=$3
    shift 3
    mount -t proc proc "$tree/proc" &&
        mount -t tmpfs -o mode=1777 tmpfs "$tree/dev/shm" &&
        mount -t devpts -o newinstance,ptmxmode=0666,mode=0620,gid=5 \
            devpts "$tree/dev/pts" &&
        ln -sf pts/ptmx "$tree/dev/ptmx" || exit
    if [ "$user" = root ]; then
        set -- sh -c "cd ~/pawl && exec \"\$@\"" sh "$@"
    else
        set -- setpriv --reuid "$user" --regid "$user" --init-groups \
            sh -c "cd ~/pawl && exec \"\$@\"" sh "$@"
    fi
    chroot "$tree" env -i HOME="$home" USER="$user" TERM="${TERM-dumb}" \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        ${http_proxy:+"http_proxy=$http_proxy"} \
        ${https_proxy:+"https_proxy=$https_proxy"} "$@"' \
    sh "$tree" "$user" "$home" "$@"
status=$?
echo "status $status after $(($(date +%s) - start)) s"
exit "$status"
