#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Goes through the Dockerfile on a machine without a container engine: both of its stages are Debian 13 roots made by
# debootstrap below $OUT/debian13 and entered with chroot. Then runs the unit, client and system tests in the first, and
# the server with its health check in the second. Needs root, debootstrap and the network; keeps what it fetched.
set -euo pipefail
cd "$(dirname "$0")/../.."
for need in debootstrap unshare chroot; do
    command -v $need >/dev/null || { echo "Needs $need: apt-get install $need" >&2; exit 1; }
done
[ "$(id -u)" -eq 0 ] || { echo 'Needs root, to make and enter another Debian: sudo make test-debian13' >&2; exit 1; }
# Mounts made from here on are this script's own and end with it.
[ -n "${WEFT_UNSHARED:-}" ] || WEFT_UNSHARED=1 exec unshare --mount --propagation private "$0"
unset MAKEFLAGS MAKELEVEL MFLAGS

mkdir -p "${OUT:=build}/debian13"
roots=$(cd "$OUT/debian13" && pwd)
mirror=$(grep -hEo 'https?://[^ ]+/debian/?( |$)' /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -n 1 || true)
mirror=${mirror:-http://deb.debian.org/debian}

say() { printf '\n==== %s\n' "$*"; }

# A root is used only once it is whole.
base() {
    [ -d "$roots/base" ] && return
    say 'fetch a Debian 13'
    rm -rf "$roots/base.part"
    debootstrap --variant=minbase trixie "$roots/base.part" "${mirror% }"
    mv "$roots/base.part" "$roots/base"
}

# enter ROOT COMMAND…: with the host's network, proxies and certificate authorities. `userspec` names who; with `become`
# set to exec the command takes this shell's place, so that a signal to a job reaches it.
enter() {
    local root=$1 pass=() name
    shift
    for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY npm_config_registry; do
        [ -z "${!name:-}" ] || pass+=("$name=${!name}")
    done
    cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
    if [ -r "${NODE_EXTRA_CA_CERTS:-}" ]; then
        cp -L "$NODE_EXTRA_CA_CERTS" "$root/etc/host-authorities.crt"
        pass+=(NODE_EXTRA_CA_CERTS=/etc/host-authorities.crt)
    fi
    mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
    mountpoint -q "$root/dev" || mount --rbind /dev "$root/dev"
    ${become:-} env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
        ${pass[@]+"${pass[@]}"} chroot ${userspec:+--userspec="$userspec"} "$root" "$@" </dev/null
}

base
build=$roots/build image=$roots/image

say 'first stage: docker/build.sh tools'
if [ ! -d "$build" ]; then
    cp -a "$roots/base" "$build.part"
    mv "$build.part" "$build"
fi
mkdir -p "$build/src"
find "$build/src" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
tar -c --exclude=./.git --exclude=./build --exclude=node_modules --exclude=./web/vendor --exclude='./web/*.gz' . | tar -x -C "$build/src"
enter "$build" /src/docker/build.sh tools

say 'first stage: docker/build.sh weft'
rm -rf --one-file-system "$build/image"
enter "$build" /src/docker/build.sh weft /image

say 'second stage: docker/build.sh runtime'
rm -rf --one-file-system "$image"
cp -a "$roots/base" "$image"
mkdir -p "$image/usr/local/lib/weft"
cp docker/build.sh docker/healthcheck.sh "$image/usr/local/lib/weft/"
enter "$image" /usr/local/lib/weft/build.sh runtime
cp -a "$build/image/." "$image/"
enter "$image" /usr/local/lib/weft/build.sh saved

say 'the image: weftd as the user weft, and its health check'
port=${WEFT_IMAGE_PORT:-18080}
become=exec userspec=weft:weft enter "$image" env WEFT_HOST=0.0.0.0 WEFT_PORT="$port" WEFT_INSECURE_PUBLIC=1 WEFT_DATA=/data container=docker weftd &
server=$!
healthy=no
for _ in $(seq 50); do
    sleep 0.2
    userspec=weft:weft enter "$image" env WEFT_PORT="$port" /usr/local/lib/weft/healthcheck.sh 2>/dev/null || continue
    healthy=yes
    break
done
kill -TERM "$server"
wait "$server" && stopped=0 || stopped=$?
echo "healthy: $healthy; exit status after SIGTERM: $stopped"
[ "$healthy" = yes ] && [ "$stopped" -eq 0 ]

say 'tests, with the libraries of Debian 13'
enter "$build" /src/tests/house/install.sh run unit
enter "$build" dpkg-query -W libwebsockets-dev libcjson-dev libcmocka-dev nodejs gcc
enter "$build" env OUT=build bash /src/tests/house/run.sh core
