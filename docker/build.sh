#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The steps of the container image, on Debian 13 as root; the Dockerfile calls them, and so does `make test-debian13`,
# which needs no container engine. build.sh tools: what compiling needs. build.sh weft FOLDER: compiles the sources
# around this script and installs them below FOLDER. build.sh runtime: the shared libraries, openssl for the health check,
# and the user weftd runs as. build.sh saved: the folders that weftd writes to: /data, for the worlds and their history,
# and the one below the installed scenes in which it may save new ones.
set -euo pipefail

install_packages() {
    apt-get update -q
    DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "$@"
}

case ${1:-} in
tools)
    install_packages make
    "$(dirname "$0")/../tests/house/install.sh" run
    ;;
weft)
    cd "$(dirname "$0")/.."
    make -j "$(nproc)" all
    make install PREFIX=/usr/local DESTDIR="${2:?where to}"
    ;;
runtime)
    install_packages libwebsockets19t64 libssl3t64 libcjson1 libqrencode4 libsqlite3-0 libpq5 libzstd1 zlib1g openssl
    rm -rf /var/lib/apt/lists/*
    id weft >/dev/null 2>&1 || useradd --system --user-group --no-create-home --shell /usr/sbin/nologin weft
    ;;
saved)
    install -d -o weft -g weft "${2:-}/usr/local/share/weft/scenes/saved"
    install -d -o weft -g weft -m 700 "${2:-}/data"
    ;;
*)
    echo 'build.sh tools | weft FOLDER | runtime | saved [FOLDER]' >&2
    exit 2
    ;;
esac
