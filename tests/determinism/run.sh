#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds the scenarios with every compiler, optimisation level and vector width at hand, and as WebAssembly, runs each
# for 1,000 ticks and compares the hashes with the committed ones (golden.txt): one column for each scenario.
#
#   tests/determinism/run.sh            prints a table; the last line is "N passed, N failed"
#   OUT=DIR tests/determinism/run.sh    builds into DIR instead of a temporary directory
#
# A change that is meant to alter results is committed together with the new golden hashes and the reason.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
ticks=1000
golden=$(cat "$here/golden.txt")
if [ -z "${OUT:-}" ]; then
    OUT=$(mktemp -d)
    trap 'rm -rf "$OUT"' EXIT
fi
mkdir -p "$OUT"
cd "$root" || exit 1

sources="$(echo server/sim/*.c) server/base/hash.c server/base/result.c $(echo tests/determinism/*.c)"
flags="-std=c17 -ffp-contract=off -fno-strict-aliasing -D_GNU_SOURCE -Iserver -Itests/determinism"
passed=0
failed=0

# report NAME HASH
report() {
    if [ "$2" = "$golden" ]; then
        passed=$((passed + 1))
        printf '%-44s %-34s ok\n' "$1" "$2"
    else
        failed=$((failed + 1))
        printf '%-44s %-34s FAILED, expected %s\n' "$1" "${2:-none}" "$golden"
    fi
}

# native COMPILER FLAGS…
native() {
    name="$*"
    compiler=$1
    shift
    hash=
    # The lists are words on purpose.
    # shellcheck disable=SC2086
    if $compiler $flags "$@" -o "$OUT/scenario" $sources -lm; then
        hash=$("$OUT/scenario" "$ticks")
    fi
    report "$name" "$hash"
}

# wasm FLAGS…
wasm() {
    hash=
    # A pair of hulls takes more of the stack than the 64 kB it has there otherwise.
    # shellcheck disable=SC2086
    if clang --target=wasm32-wasi $flags "$@" -Wl,-z,stack-size=1048576 -o "$OUT/scenario.wasm" $sources -lm; then
        hash=$(node --no-warnings "$here/wasi.mjs" "$OUT/scenario.wasm" "$ticks")
    fi
    report "wasm clang $*" "$hash"
}

for compiler in gcc clang; do
    native $compiler -O0
    native $compiler -O3
    if grep -qw avx2 /proc/cpuinfo 2>/dev/null; then
        native $compiler -O3 -mavx2 -mfma
    fi
    if grep -qw avx512f /proc/cpuinfo 2>/dev/null; then
        native $compiler -O3 -mavx512f
    fi
done
wasm -O0
wasm -O3
# clang 14's WebAssembly back end folds a scalar load into v128.load32_splat at the place of use, even past a memmove that
# overwrites it (seen in the object table's compaction; the IR is right). Only its SLP vectoriser makes such splats here.
wasm -O3 -msimd128 -fno-slp-vectorize

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
