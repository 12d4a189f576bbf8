#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Starts the systemd of another Debian root, in namespaces of its own: boot.sh ROOT, as root. It stays until that systemd
# ends (kill -s RTMIN+4 its first process). It has no network but its own loopback, and cannot change settings of the kernel.
# Needs cgroups of version 2, mounted anywhere.
set -euo pipefail
fail() { echo "boot.sh: $*" >&2; exit 1; }

if [ "${1:-}" != --inside ]; then
    root=$(cd "${1:?which root}" && pwd)
    [ -x "$root/lib/systemd/systemd" ] || fail "there is no systemd in $root"
    mounted=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
    [ -n "$mounted" ] || fail 'needs cgroups of version 2: mount -t cgroup2'
    own=$(sed -n 's/^0:://p' /proc/self/cgroup)
    group=$mounted${own%/}/weft-boot-$$
    mkdir "$group"
    echo $$ >"$group/cgroup.procs"
    status=0
    unshare --mount --pid --fork --kill-child --uts --ipc --net --cgroup --propagation private "$0" --inside "$root" || status=$?
    echo $$ >"$mounted$own/cgroup.procs"
    find "$group" -depth -type d -exec rmdir {} +
    exit $status
fi

cd "$2"
mount --bind . .
cd "$PWD" # what is mounted there now
ip link set lo up
mount -t proc proc proc
mount --bind proc/sys proc/sys
mount -o remount,bind,ro proc/sys
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs dev
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
for name in null zero full random urandom tty; do
    touch dev/$name
    mount --bind /dev/$name dev/$name
done
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs tmpfs tmp
mkdir run/before
pivot_root . run/before
umount -l /run/before
rmdir /run/before
mount --make-rshared /
exec env -i container=weft PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --unit=multi-user.target --log-target=journal
