#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Builds the Debian packages for Debian 12 and Debian 13 and tries them in a root of each, made by debootstrap below
# $OUT/debroots and entered with chroot: installs them, runs weftd as the unit says (its user, its variables, its
# folders; without systemd, which would have to be the first process), asks for the page, calls methods, rates the unit,
# removes and purges, and compares all files with those of before. The release that this machine runs is built here, the
# other one in a root of its own. Needs root, debootstrap and the network; keeps what it fetched.
# deb.sh [bookworm|trixie]: only this release.
set -euo pipefail
cd "$(dirname "$0")/../.."
for need in debootstrap unshare chroot curl; do
    command -v $need >/dev/null || { echo "Needs $need: apt-get install $need" >&2; exit 1; }
done
[ "$(id -u)" -eq 0 ] || { echo 'Needs root, to make and enter another Debian: sudo make test-deb' >&2; exit 1; }
releases=("$@")
[ $# -gt 0 ] || releases=(bookworm trixie)
for release in "${releases[@]}"; do
    [[ $release == @(bookworm|trixie) ]] || { echo "deb.sh [bookworm|trixie], got \"$release\"" >&2; exit 2; }
done
# Mounts made from here on are this script's own and end with it.
[ -n "${WEFT_UNSHARED:-}" ] || WEFT_UNSHARED=1 exec unshare --mount --propagation private "$0" "$@"

mkdir -p "${OUT:=build}/debroots"
OUT=$(cd "$OUT" && pwd)
roots=$OUT/debroots
mirror=$(grep -hEo 'https?://[^ ]+/debian/?( |$)' /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -n 1 || true)
mirror=${mirror:-http://deb.debian.org/debian}
here=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")

say() { printf '\n==== %s\n' "$*"; }
passed=0
check() { # check WHAT COMMAND…: ends the script where the command fails
    local what=$1
    shift
    "$@" || { echo "✖ $release: $what"; echo "$passed passed, 1 failed"; exit 1; }
    passed=$((passed + 1))
    echo "✔ $release: $what"
}

# enter ROOT COMMAND…: with the host's network, proxies and certificate authorities. `userspec` names who, `become` set
# to exec lets the command take this shell's place, so that a signal to a job reaches it.
enter() {
    local root=$1 pass=() name
    shift
    for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY npm_config_registry; do
        [ -z "${!name:-}" ] || pass+=("$name=${!name}")
    done
    if [ -r "${NODE_EXTRA_CA_CERTS:-}" ]; then
        cp -L "$NODE_EXTRA_CA_CERTS" "$root/etc/host-authorities.crt"
        pass+=(NODE_EXTRA_CA_CERTS=/etc/host-authorities.crt)
    fi
    cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
    mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
    mountpoint -q "$root/dev" || mount --rbind /dev "$root/dev"
    ${become:-} env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive ${pass[@]+"${pass[@]}"} chroot ${userspec:+--userspec="$userspec"} "$root" "$@" </dev/null
}
apt_in() { enter "$1" apt-get -q -y -o Dpkg::Use-Pty=0 "${@:2}"; }
copy_root() { # copy_root FROM TO: whole, or not there; without what is mounted in it
    rm -rf --one-file-system "$2.part"
    cp -ax "$1" "$2.part"
    mv "$2.part" "$2"
}

base() { # base RELEASE: a root is used only once it is whole
    [ -d "$roots/$1" ] && return
    say "fetch $1"
    rm -rf --one-file-system "$roots/$1.part"
    # Its mounts end with it, so that nothing copies them.
    unshare --mount --propagation private debootstrap --variant=minbase "$1" "$roots/$1.part" "${mirror% }"
    mv "$roots/$1.part" "$roots/$1"
}

build() { # build RELEASE: leaves its packages in $roots/RELEASE-packages
    local root=$roots/$1-build packages=$roots/$1-packages
    rm -rf "$packages" && mkdir "$packages"
    if [ "$1" = "$here" ]; then
        make --no-print-directory OUT="$OUT" deb
        cp "$OUT"/deb/*.deb "$packages"
        return
    fi
    [ -d "$root" ] || copy_root "$roots/$1" "$root"
    mkdir -p "$root/src"
    find "$root/src" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} +
    tar -c --exclude=./.git --exclude=./build --exclude=node_modules --exclude=./web/vendor --exclude='./web/*.gz' . | tar -x -C "$root/src"
    enter "$root" /src/docker/build.sh tools
    enter "$root" make -C /src --no-print-directory deb
    cp "$root"/src/build/deb/*.deb "$packages"
}

# Every file with its kind, owner, mode and content, without what the package manager itself writes and what the
# machine lends a root.
inventory() {
    (cd "$1" && find . -xdev \( -path ./var/lib/dpkg -o -path ./var/lib/apt -o -path ./var/cache -o -path ./var/log \
        -o -path ./tmp -o -path ./run -o -path ./proc -o -path ./dev \) -prune \
        -o ! -path ./etc/resolv.conf ! -path ./etc/hosts ! -type d -printf '%p %y %u %m %l ' -a \( -type f -exec sha256sum {} \; -o -printf '\n' \) \
        -o -type d -printf '%p %y %U %m\n' | sort)
}

in_unit() { sed -n "s/^$1=//p" "$unit"; } # what the unit says
answers() { curl -sf --max-time 5 "http://127.0.0.1:$port$1"; }
ready() {
    local try
    for try in $(seq 100); do
        answers /healthz >/dev/null && return
        kill -0 "$server" 2>/dev/null || return 1
        sleep 0.2
    done
    return 1
}
page_is_served() { answers / | grep -qi '<!doctype html>'; }
calls() { userspec= enter "$root" env WEFT_PORT="$port" weftctl call "$@"; }

start() { # weftd as the unit starts it
    local folder variables=()
    mapfile -t variables < <(in_unit Environment)
    for folder in $(in_unit StateDirectory); do
        enter "$root" install -d -o "$(in_unit User)" -g "$(in_unit Group)" -m "$(in_unit StateDirectoryMode)" "/var/lib/$folder"
    done
    become=exec userspec=$(in_unit User):$(in_unit Group) enter "$root" env "${variables[@]}" WEFT_PORT="$port" $(in_unit ExecStart) >"$log" 2>&1 &
    server=$!
}
stop() {
    kill -TERM "$server"
    wait "$server"
}
runs_as_its_user() { [ "$(stat -c %u "/proc/$server")" = "$(enter "$root" id -u weft)" ] && [ "$(stat -c %u "/proc/$server")" -ne 0 ]; }
keeps_its_scene() { [ -s "$root/var/lib/weft/scenes/tried.json" ] && [ -s "$root/var/lib/weft/worlds/weft.db" ]; }
has_the_rope() { calls object.list | grep -q tried-rope; }
only_these_left() { # what differs between before and after is the data and its owner
    local left
    left=$(diff "$roots/$release.before" "$roots/$release.after" | sed -nE 's/^[<>] (\.\S*) .*/\1/p' | sort -u |
        grep -vE '^\./var/lib/weft(/|$)|^\./etc/(passwd|group|shadow|gshadow)-?$' || true)
    [ -z "$left" ] || { echo "$left"; return 1; }
    [ "$(diff <(cut -d: -f1 "$roots/$release.passwd") <(cut -d: -f1 "$root/etc/passwd") | sed -n 's/^[<>] //p')" = weft ]
}
rated() { # by this release's own systemd, in tenths
    enter "$root" systemd-analyze security --offline=true --threshold=25 --no-pager "$1" | tail -n 1
    return "${PIPESTATUS[0]}"
}

for release in "${releases[@]}"; do
    say "$release: build the packages"
    base "$release"
    build "$release"
    root=$roots/$release-run log=$roots/$release.log port=${WEFT_DEB_PORT:-18081}

    say "$release: install"
    rm -rf --one-file-system "$root"
    copy_root "$roots/$release" "$root"
    mkdir "$root/packages"
    cp "$roots/$release-packages"/*.deb "$root/packages"
    apt_in "$root" update
    apt_in "$root" install --no-install-recommends systemd
    # What the packages need is installed first, so that what remains to compare is theirs.
    needed=$(enter "$root" sh -c 'apt-get -s install --no-install-recommends /packages/*.deb' | awk '/^Inst/ && $2 !~ /weft/ { print $2 }')
    [ -z "$needed" ] || apt_in "$root" install --no-install-recommends $needed
    inventory "$root" >"$roots/$release.before"
    cp "$root/etc/passwd" "$roots/$release.passwd"
    check 'the packages are installed' apt_in "$root" install --no-install-recommends $(cd "$root/packages" && printf '/packages/%s ' *.deb)
    unit=$(ls "$root"/{usr/,}lib/systemd/system/weftd.service 2>/dev/null | head -n 1)

    say "$release: run"
    check 'the unit has no mistake' enter "$root" systemd-analyze verify --man=no "${unit#"$root"}"
    check 'the unit is exposed no more than 2.5' rated "${unit#"$root"}"
    check 'completion is defined' enter "$root" bash -c '. /usr/share/bash-completion/completions/weftctl; . /usr/share/bash-completion/completions/weftd; complete -p weftctl weftd'
    start
    check 'weftd is ready' ready
    check 'weftd runs as its own user' runs_as_its_user
    check 'the page is served' page_is_served
    check 'weftctl makes a rope' calls rope.spawn from=0,3,0 to=1,3,0 name=tried-rope
    check 'a scene is saved' calls scene.save name=tried
    check 'weftd ends when it is told to' stop
    check 'worlds and scenes are in /var/lib/weft' keeps_its_scene
    start
    check 'weftd is ready again' ready
    check 'the world has its rope' has_the_rope
    check 'weftd ends again' stop

    say "$release: remove and purge"
    names=$(cd "$roots/$release-packages" && for package in *.deb; do echo "${package%%_*}"; done)
    check 'the packages are removed' apt_in "$root" remove $names
    check 'the configuration is kept' test -s "$root/etc/default/weftd"
    check 'the one with configuration is purged' apt_in "$root" purge weftd
    inventory "$root" >"$roots/$release.after"
    check 'nothing is left but the data and its owner' only_these_left
    check 'the data is left' keeps_its_scene
done
echo "$passed passed, 0 failed"
