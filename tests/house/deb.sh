#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Builds the Debian packages for Debian 12 and Debian 13 and tries them in a root of each, made by debootstrap below
# $OUT/debroots and started with its own systemd (boot.sh): installs them, asks the service for the page, calls methods,
# kills and restarts it, gives it a wrong variable, rates its unit, removes and purges the packages, and compares all files
# with those of before. The release that this machine runs is built here, the other one in a root of its own. Needs root,
# debootstrap and the network; keeps what it fetched.
# deb.sh [bookworm|trixie]: only this release.
set -euo pipefail
cd "$(dirname "$0")/../.."
for need in debootstrap unshare nsenter chroot curl; do
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

# enter ROOT COMMAND…: with the host's network, proxies and certificate authorities.
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
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive ${pass[@]+"${pass[@]}"} chroot "$root" "$@" </dev/null
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

# boot ROOT, and in it: inside COMMAND…
boot() {
    local tries
    tests/house/boot.sh "$1" >"$roots/$release.boot.log" 2>&1 </dev/null &
    booted=$!
    for tries in $(seq 150); do
        sleep 0.2
        kill -0 "$booted" 2>/dev/null || break
        first=$(first_process)
        [ -n "$first" ] || continue
        case $(inside systemctl is-system-running 2>/dev/null || true) in running | degraded) return ;; esac
    done
    cat "$roots/$release.boot.log"
    return 1
}
first_process() { # of the new system: the child of unshare, the child of boot.sh
    local unshare
    unshare=$(cat "/proc/$booted/task/$booted/children" 2>/dev/null) || return 0
    for unshare in $unshare; do tr -d ' ' <"/proc/$unshare/task/$unshare/children" 2>/dev/null || true; done
}
shut_down() {
    [ -n "${booted:-}" ] || return 0
    [ -z "${first:-}" ] || kill -s RTMIN+4 "$first" 2>/dev/null || true
    for _ in $(seq 100); do kill -0 "$booted" 2>/dev/null || break; sleep 0.1; done
    [ -z "${first:-}" ] || kill -9 "$first" 2>/dev/null || true
    wait "$booted" 2>/dev/null || true
    booted=
}
trap shut_down EXIT
inside() {
    timeout 120 nsenter --target "$first" --mount --pid --net --uts --ipc --root --wd env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@" </dev/null
}
answer() { timeout 10 nsenter --target "$first" --net curl -sf --max-time 5 "http://127.0.0.1:8080$1"; }
ready() {
    local tries
    for tries in $(seq 100); do
        if answer /healthz >/dev/null; then return; fi
        sleep 0.2
    done
    inside systemctl status --no-pager weftd || true
    return 1
}
main_process() { inside systemctl show --property MainPID --value weftd; }
runs_as_its_user() { [ "$(inside stat -c %U "/proc/$(main_process)")" = weft ]; }
page_is_served() { grep -qi '<!doctype html>' <<<"$(answer /)"; }
keeps_its_data() { [ -s "$root/var/lib/weft/scenes/tried.json" ] && [ -s "$root/var/lib/weft/worlds/weft.db" ]; }
has_the_rope() { grep -q tried-rope <<<"$(inside weftctl call object.list)"; }
comes_back_after_a_kill() {
    inside kill -9 "$(main_process)"
    sleep 3
    ready && has_the_rope
}
tells_a_wrong_variable() { # and does not try again
    inside sh -c 'cp -p /etc/default/weftd /root/; echo WEFT_PORT=wrong >>/etc/default/weftd; systemctl restart weftd'
    sleep 3
    [ "$(inside systemctl is-active weftd || true)" = failed ] || return 1
    grep -q 'WEFT_PORT must be a whole number' <<<"$(inside journalctl --no-pager -u weftd -n 5)" || return 1
    inside sh -c 'mv /root/weftd /etc/default/weftd; systemctl reset-failed weftd; systemctl start weftd'
}
stops_in_time() { # within the 5 s that weftd has, and well
    local started=$SECONDS
    inside systemctl stop weftd
    [ "$(inside systemctl show --property Result --value weftd)" = success ] && [ $((SECONDS - started)) -le 6 ]
}
service_is_gone() { [ "$(inside systemctl show --property LoadState --value weftd)" != loaded ]; }
only_these_left() { # what differs between before and after is the data and its owner
    local left
    left=$(diff "$roots/$release.before" "$roots/$release.after" | sed -nE 's/^[<>] (\.\S*) .*/\1/p' | sort -u |
        grep -vE '^\./var/lib/weft(/|$)|^\./etc/(passwd|group|shadow|gshadow)-?$' || true)
    [ -z "$left" ] || { echo "$left"; return 1; }
    [ "$(diff <(cut -d: -f1 "$roots/$release.passwd") <(cut -d: -f1 "$root/etc/passwd") | sed -n 's/^[<>] //p')" = weft ]
}
rated() { # by this release's own systemd, in tenths
    local text
    text=$(inside systemd-analyze security --offline=true --threshold=25 --no-pager "$1") || { echo "$text"; return 1; }
    tail -n 1 <<<"$text"
}

for release in "${releases[@]}"; do
    say "$release: build the packages"
    base "$release"
    build "$release"
    root=$roots/$release-run

    say "$release: start a system"
    rm -rf --one-file-system "$root"
    copy_root "$roots/$release" "$root"
    mkdir "$root/packages"
    cp "$roots/$release-packages"/*.deb "$root/packages"
    apt_in "$root" update
    apt_in "$root" install --no-install-recommends systemd systemd-sysv dbus
    # What the packages need is installed first, so that what remains to compare is theirs.
    needed=$(enter "$root" sh -c 'apt-get -s install --no-install-recommends /packages/*.deb' | awk '/^Inst/ && $2 !~ /weft/ { print $2 }')
    [ -z "$needed" ] || apt_in "$root" install --no-install-recommends $needed
    check 'systemd starts' boot "$root"
    inventory "$root" >"$roots/$release.before"
    cp "$root/etc/passwd" "$roots/$release.passwd"

    say "$release: install and use"
    check 'the packages are installed' inside sh -c 'apt-get -q -y -o Dpkg::Use-Pty=0 install --no-install-recommends /packages/*.deb'
    unit=$(inside systemctl show --property FragmentPath --value weftd)
    check 'the unit has no mistake' inside systemd-analyze verify --man=no "$unit"
    check 'the unit is exposed no more than 2.5' rated "$unit"
    check 'the service is ready' ready
    check 'it runs as its own user' runs_as_its_user
    check 'the page is served' page_is_served
    check 'weftctl makes a rope' inside weftctl call rope.spawn from=0,3,0 to=1,3,0 name=tried-rope
    check 'a scene is saved' inside weftctl call scene.save name=tried
    check 'killed, it comes back with its rope' comes_back_after_a_kill
    check 'a wrong variable is told' tells_a_wrong_variable
    check 'put right, it is ready' ready
    check 'it stops in time' stops_in_time
    check 'worlds and scenes are in /var/lib/weft' keeps_its_data
    check 'it starts again' inside systemctl start weftd
    check 'it is ready again' ready
    check 'it has its rope' has_the_rope
    check 'completion is defined' inside bash -c '. /usr/share/bash-completion/completions/weftctl; . /usr/share/bash-completion/completions/weftd; complete -p weftctl weftd'

    say "$release: remove and purge"
    names=$(cd "$roots/$release-packages" && for package in *.deb; do echo "${package%%_*}"; done)
    check 'the packages are removed' inside apt-get -q -y -o Dpkg::Use-Pty=0 remove $names
    check 'the configuration is kept' test -s "$root/etc/default/weftd"
    check 'the one with configuration is purged' inside apt-get -q -y -o Dpkg::Use-Pty=0 purge weftd
    check 'the service is gone' service_is_gone
    check 'nobody answers' test -z "$(answer /healthz || true)"
    inventory "$root" >"$roots/$release.after"
    check 'nothing is left but the data and its owner' only_these_left
    check 'the data is left' keeps_its_data
    shut_down
done
echo "$passed passed, 0 failed"
