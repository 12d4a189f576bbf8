#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Runs a command in namespaces of its own: isolated.sh COMMAND [ARGUMENT…]
#
# The command sees no other process and no network, and has an empty /run and /dev/shm in memory. All that it makes
# there, processes, network namespaces, bridges, mounts and files, is gone when the command has ended, or when this
# process is killed or its parent has ended, by whatever signal: the kernel sees to it.
set -eu
[ "$(id -u)" -eq 0 ] || { echo 'only root makes network namespaces' >&2; exit 3; }
exec setpriv --pdeathsig KILL unshare --mount --net --pid --ipc --fork --kill-child=KILL --mount-proc sh -c '
    set -eu
    mount -t tmpfs -o mode=755 tmpfs /run
    mount -t tmpfs -o mode=1777 tmpfs /dev/shm
    mkdir -p /run/netns /run/weft
    exec "$@"' sh "$@"
