#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Installs what is missing to run, test or check Weft, after saying what and why: install.sh run|unit|python|test|cluster|faults|check|…
#
# What counts is that a thing works (a command answers, a header compiles), not which package it came from. Debian is
# helped through apt-get; elsewhere the list is printed and the script stops with status 1. Nothing missing: no output.
set -eu

header() { # does it compile, with all that it includes itself?
    command -v "${CC:-gcc}" >/dev/null && printf '#include <stddef.h>\n#include <%s>\n' "$1" |
        "${CC:-gcc}" -fsyntax-only -x c - 2>/dev/null
}
cmocka() { # its header wants three others before it
    command -v gcc >/dev/null && printf '#include <%s>\n' stdarg.h stddef.h setjmp.h stdint.h cmocka.h |
        gcc -fsyntax-only -x c - 2>/dev/null
}
wasm() { # clang, linker, libc and builtins together
    command -v clang >/dev/null && echo '#include <string.h>
        int main(void) { return 0; }' | clang --target=wasm32-wasi -x c - -o /dev/null 2>/dev/null
}
fuzzer() { # clang with libFuzzer
    command -v clang >/dev/null && echo 'int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return d == 0 && n > 1; }' |
        clang -fsanitize=fuzzer,address -x c - -o /dev/null 2>/dev/null
}
bullet() { command -v g++ >/dev/null && [ -e /usr/include/bullet/BulletSoftBody/btSoftBody.h ]; }
authorities() { [ -s /etc/ssl/certs/ca-certificates.crt ] || [ -s /etc/pki/tls/certs/ca-bundle.crt ]; }
fonts() { ls -d /usr/share/fonts/*/* >/dev/null 2>&1; }
python_websockets() { /usr/bin/python3 -c "import websockets" 2>/dev/null; } # the one that Debian has packages for
python_venv() { /usr/bin/python3 -c "import ensurepip, venv" 2>/dev/null; }
python_headers() { ls /usr/include/python3*/Python.h >/dev/null 2>&1; }
needs() { command -v "$1" >/dev/null; }
postgres() { ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; }
essential() { dpkg-query -W -f '${db:Status-Status}' build-essential 2>/dev/null | grep -qx installed; } # Debian's tools insist
python_yaml() { /usr/bin/python3 -c "import yaml" 2>/dev/null; }
faketime_library() { ls /usr/lib/*/faketime/libfaketimeMT.so.1 >/dev/null 2>&1; }
daemon() { PATH=$PATH:/usr/sbin needs "$1"; } # not in everybody's path

# set | package | how to see that it is there | why
table='
run   | gcc                | needs gcc               | compiles the server
run   | libc6-dev          | header stdio.h          | the C library to compile against
run   | libwebsockets-dev  | header libwebsockets.h  | HTTP and WebSockets
run   | libssl-dev         | header openssl/ssl.h    | TLS, and hashes of tokens
run   | libcjson-dev       | header cjson/cJSON.h    | reads and writes JSON
run   | libsqlite3-dev     | header sqlite3.h        | keeps the history of worlds
run   | libpq-dev          | header postgresql/libpq-fe.h | keeps the history of worlds in PostgreSQL, if told to
run   | libzstd-dev        | header zstd.h           | compresses its snapshots
run   | zlib1g-dev         | header zlib.h           | compresses capsules
run   | libqrencode-dev    | header qrencode.h       | the QR code that invites a second device
run   | nodejs             | needs node              | writes the protocol files; runs the tests of the page
run   | npm                | needs npm               | fetches three.js
run   | ca-certificates    | authorities             | lets npm trust its registry
unit  | libcmocka-dev      | cmocka                  | the C unit tests
unit  | openssl            | needs openssl           | certificates for the tests of TLS
unit  | curl               | needs curl              | posts requests as people do
unit  | python3-websockets | python_websockets      | runs the Python that the page copies
unit  | postgresql         | postgres                | the server that the tests of the store run on, in a folder of their own
unit  | python3-yaml       | python_yaml             | reads what Compose, Prometheus and Grafana are given
unit  | pkg-config         | needs pkg-config        | how programs find the library that was installed
unit  | libccd-dev         | header ccd/ccd.h        | collisions the tests compare ours with
python | python3-venv      | python_venv             | an environment for the Python package
python | python3-dev       | python_headers          | compiles its extension module
test  | clang              | needs clang             | the second compiler that must give the same bits
test  | libclang-rt-dev    | fuzzer                  | its sanitizers
test  | lld                | needs wasm-ld           | links the core for WebAssembly
test  | wasi-libc          | wasm                    | the C library of WebAssembly
test  | WASM_BUILTINS      | wasm                    | arithmetic helpers of WebAssembly
test  | chromium           | needs chromium          | the tests of the page, in a real browser
test  | fonts-dejavu-core  | fonts                   | text in that browser
test  | nginx              | daemon nginx            | a cache in front of broadcasts
test  | varnish            | daemon varnishd         | another one
test  | prometheus         | needs promtool          | answers the queries of the dashboard, tries the alerts
cluster | postgresql       | postgres                | keeps the worlds of a cluster, and its standby does
cluster | nginx            | daemon nginx            | stands in front of its nodes
cluster | prometheus       | needs prometheus        | watches them
faults | postgresql        | postgres                | keeps the worlds of clusters whose faults are tested
faults | iproute2          | daemon ip               | gives their machines networks of their own
faults | nftables          | daemon nft              | cuts those networks
faults | faketime          | faketime_library        | sets their clocks
bench | nginx              | daemon nginx            | a cache in front of broadcasts
bench | postgresql         | postgres                | what it costs to keep worlds there, and to take them over
check | clang-format       | needs clang-format      | the layout of the C code
check | clang-tidy         | needs clang-tidy        | finds mistakes in C
check | cppcheck           | needs cppcheck          | finds other mistakes in C
deb   | build-essential    | essential               | builds Debian packages
deb   | debhelper          | needs dh                | the steps of building them
fuzz  | clang              | needs clang             | compiles the fuzzers
fuzz  | libclang-rt-dev    | fuzzer                  | libFuzzer, which drives them
bench | g++                | needs g++               | compiles what Weft is measured against
bench | libbullet-dev      | bullet                  | Bullet: a solver to measure ours against
bench | libmeshoptimizer-dev | header meshoptimizer.h | codecs to measure ours against: meshoptimizer
bench | zlib1g-dev         | header zlib.h           | codecs to measure ours against: zlib
bench | chromium           | needs chromium          | what the page costs, in a real browser
'

packages=() reasons=()
while IFS='|' read -r set package probe why; do
    [[ " $* " == *" ${set// /} "* ]] || continue
    read -r -a probe <<<"$probe"
    "${probe[@]}" && continue
    packages+=("${package// /}")
    reasons+=("${why# }")
done < <(grep '|' <<<"$table")
[ ${#packages[@]} -gt 0 ] || exit 0

list() { # list NAME_OF_WASM_BUILTINS
    local i
    packages=("${packages[@]/WASM_BUILTINS/$1}")
    for i in "${!packages[@]}"; do printf '  %-28s %s\n' "${packages[i]}" "${reasons[i]}"; done
}

distribution=$(. /etc/os-release 2>/dev/null && echo "${ID:-unknown}" || echo unknown)
if [ "$distribution" != debian ] || ! command -v apt-get >/dev/null; then
    {
        echo 'Weft needs what is missing here, by the names of its Debian packages:'
        list libclang-rt-dev-wasm32
        echo 'Only on Debian does this script install it. Install the same with your own package manager, and try again.'
    } >&2
    exit 1
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if command -v sudo >/dev/null; then
        as_root=(sudo)
    else
        {
            echo 'Weft needs these packages, and there is no sudo to install them with:'
            list libclang-rt-dev-wasm32
            echo "Run as root: apt-get install --no-install-recommends ${packages[*]}"
        } >&2
        exit 1
    fi
fi
apt() { ${as_root[@]+"${as_root[@]}"} env DEBIAN_FRONTEND=noninteractive apt-get -q -o Dpkg::Use-Pty=0 "$@" </dev/null; }
known() { apt-cache policy "$1" 2>/dev/null | grep -q 'Candidate: [^(]'; }

# Lists that know none of what is asked for are empty or from before: a fresh machine or container.
for package in "${packages[@]/WASM_BUILTINS/clang}"; do
    known "$package" || { echo 'Reading the package lists first.'; apt update; break; }
done
wasm_builtins=libclang-rt-dev-wasm32 # follows the default clang where a release has that name
known "$wasm_builtins" || wasm_builtins=libclang-rt-14-dev-wasm32

echo "Weft needs ${#packages[@]} Debian packages that are not installed yet:"
list "$wasm_builtins"
apt install -y --no-install-recommends "${packages[@]}" || {
    echo 'The package lists may be out of date: reading them anew and trying once more.'
    apt update
    apt install -y --no-install-recommends "${packages[@]}"
}
