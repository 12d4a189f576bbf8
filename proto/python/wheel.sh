#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Packs the wheel of weft-world from the files that make has built in $OUT: the extension module, and in weft_world/server the
# server's program, the page and the scenes, as `make install` copies them. auditwheel adds the shared libraries that they
# need, under names of their own, and names the wheel after the oldest C library it runs on: that of this machine.
# `make wheel` calls it. The wheel is left in $OUT/wheel.
set -euo pipefail
cd "$(dirname "$0")/../.."
OUT=$(cd "${OUT:=build}" && pwd)
wheel=$OUT/wheel package=$OUT/wheel/package
server=$package/src/weft_world/server

rm -rf "$wheel"
mkdir "$wheel"
cp -R proto/python "$package"
cp -R "$OUT/notebook" "$package/src/weft_world/notebook"
mkdir -p "$server/scenes"
strip -o "$server/weftd" "$OUT/weftd"
cp -R "$OUT/web" "$server/web"
install -m 644 server/scenes/*.json "$server/scenes"

# The licences: Weft's own, and those of the libraries that travel along, with the texts of licences that Debian's notices
# only refer to. setuptools takes all files of such names. The C library and zlib stay those of the machine.
cp LICENSE "$package/LICENSE"
owner() { dpkg-query -S "$1" 2>/dev/null || dpkg-query -S "/usr$1"; } # of a file, by either of its two paths
packages=$(ldd "$OUT/weftd" | awk '$2 == "=>" { print $3 }' | while read -r library; do owner "$library"; done |
    sed 's/:.*//' | sort -u | grep -vxE 'libc6|zlib1g')
{
    echo 'Shared libraries of Debian in this wheel. Notices of their licences are in the files LICENSE.PACKAGE beside this'
    printf 'one, their sources at https://snapshot.debian.org/package/SOURCE/VERSION/.\n\n'
    dpkg-query -W -f '${Package} of the source ${source:Package} ${source:Version}\n' $packages
} >"$package/NOTICE"
for name in $packages; do cp -L "/usr/share/doc/$name/copyright" "$package/LICENSE.$name"; done
grep -ohE '/usr/share/common-licenses/[A-Za-z0-9]+(-[0-9]+(\.[0-9]+)?)?' "$package"/LICENSE.* | sort -u | while read -r text; do
    cp -L "$text" "$package/LICENSE.common.$(basename "$text")"
done

export PATH=$OUT/venv/bin:$PATH PIP_DISABLE_PIP_VERSION_CHECK=1
WEFT_SOURCE=$PWD WEFT_LIBRARY=$OUT/lib/libweft.a LDFLAGS=-s pip wheel --quiet --no-build-isolation --no-deps --no-index \
    --wheel-dir "$wheel/plain" "$package"
platform=manylinux_$(getconf GNU_LIBC_VERSION | sed 's/glibc //; s/\./_/')_$(uname -m)
auditwheel repair --only-plat --plat "$platform" --wheel-dir "$wheel" "$wheel"/plain/*.whl >"$wheel/auditwheel.log" 2>&1 ||
    { cat "$wheel/auditwheel.log"; exit 1; }
rm -r "$wheel/plain"
