#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Builds the scenarios with every compiler, optimisation level and vector width at hand, and as WebAssembly, runs them
# and every scene that comes with Weft, and compares what each prints with golden.txt: a line for each scene and number
# of ticks, with the hash of the state. Scenes are loaded by the server, which writes what its simulation is told to a
# tape (tape.h) that all builds play; without optimisation they play no more than the beginning. Then capsules are made
# by one build and replayed by another.
#
#   tests/determinism/run.sh            prints a table; the last line is "N passed, N failed"
#   tests/determinism/run.sh own        the Makefile's own build only
#   tests/determinism/run.sh others     what `own` leaves out: the other compilers, levels and widths, and the capsules
#   tests/determinism/run.sh golden     writes golden.txt, by gcc without optimisation and the server
#   OUT=DIR tests/determinism/run.sh    builds into DIR instead of a temporary directory
#   WEFT_BUILD=DIR …                    where the Makefile builds the server's recorder (build)
#
# A change that is meant to alter results is committed together with the new golden hashes and the reason.
set -u
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.." || exit 1
unset MAKEFLAGS MAKELEVEL MFLAGS # of the make that called
selection=${1:-all}
early=30 late=300
golden=$here/golden.txt
build=${WEFT_BUILD:-build}
if [ -z "${OUT:-}" ]; then
    OUT=$(mktemp -d)
    trap 'rm -rf "$OUT"' EXIT
fi
mkdir -p "$OUT"

sources=(server/sim/*/*.c server/base/hash.c server/base/pages.c server/base/result.c)
for part in main scenario method scene tape; do sources+=("tests/determinism/$part.c"); done
flags=(-std=c17 -ffp-contract=off -fno-strict-aliasing -D_GNU_SOURCE -Iserver -Itests/determinism)

scenes() { for file in server/scenes/*.json; do basename "$file" .json; done; }

server() { # server TICKS
    local names
    mapfile -t names < <(scenes)
    "$build/tests/record" server/scenes "$1" "$OUT/tape.new" "${names[@]}" && mv "$OUT/tape.new" "$OUT/tape"
}
native() { # native PLACE TICKS COMPILER FLAGS…
    "$3" "${flags[@]}" "${@:4}" -o "$1" "${sources[@]}" -lm && "$1" "$2" <"$OUT/tape"
}
# As the Makefile builds it in a folder, whose objects other programs use too.
made() { # made FOLDER TICKS VARIABLE=VALUE… [TARGET]
    mkdir -p "$1" && "${MAKE:-make}" OUT="$1" "${@:3}" "$1/tests/scenarios" >"$1/made.txt" 2>&1 && "$1/tests/scenarios" "$2" <"$OUT/tape"
}
# A pair of hulls takes more of the stack than the 64 kB that a WebAssembly module has otherwise.
wasm() { # wasm PLACE TICKS FLAGS…
    clang --target=wasm32-wasi "${flags[@]}" "${@:3}" -Wl,-z,stack-size=1048576 \
        -o "$1.wasm" "${sources[@]}" -lm && node "$here/wasi.mjs" "$1.wasm" "$2" <"$OUT/tape"
}

# For each build its name, which is also how it is made, and the ticks after which it tells of its scenes. What takes
# longest comes first, so that no processor waits long for the last one.
builds=()
add() { [ "$selection" = own ] || builds+=("$1" "$2"); }
add 'clang -O0' "$early"
add 'wasm -O3' "$early $late"
add 'wasm -O0' "$early"
# clang 14's WebAssembly back end folds a scalar load into v128.load32_splat at the place of use, even past a memmove that
# overwrites it (seen in the object table's compaction; the IR is right). Only its SLP vectoriser makes such splats here.
add 'wasm -O3 -msimd128 -fno-slp-vectorize' "$early $late"
# To the end each compiler plays with one of the two wider vectors; with the other it plays the beginning.
avx2=("$early" "$early $late") avx512=("$early $late" "$early")
add 'clang -O3' "$early $late"
for compiler in gcc clang; do # `gcc -O3` is the Makefile's own
    if grep -qw avx2 /proc/cpuinfo 2>/dev/null; then
        add "$compiler -O3 -mavx2 -mfma" "${avx2[0]}"
    fi
    if grep -qw avx512f /proc/cpuinfo 2>/dev/null; then
        add "$compiler -O3 -mavx512f" "${avx512[0]}"
    fi
    avx2=("${avx2[@]:1}") avx512=("${avx512[@]:1}")
done
add 'gcc -O0' "$early"
[ "$selection" = others ] || builds+=(own "$early $late")

turn() { [ "$(jobs -rp | wc -l)" -lt "$(nproc)" ] || wait -n; } # for one more job

# run PLACE NAME TICKS: leaves what the build prints in PLACE.txt, which is empty if it fails.
run() {
    local words
    read -ra words <<<"$2"
    if [ "$2" = own ]; then
        "$build/tests/scenarios" "$3" <"$OUT/tape"
    elif [ "$2" = 'clang -O3' ]; then
        made "$build/clang" "$3" CC=clang
    elif [ "$2" = 'clang -O0' ]; then
        made "$plain" "$3" CC=clang OPTIMISE=-O0 "$plain/weftctl"
    elif [ "${words[0]}" = wasm ]; then
        wasm "$1" "$3" "${words[@]:1}"
    else
        native "$1" "$3" "${words[@]}"
    fi >"$1.txt" || : >"$1.txt"
}

passed=0 failed=0
# report NAME TICKS FILE PATTERN: what the golden lines of these ticks and of names like the pattern have to say to it.
report() {
    local wanted
    wanted=$(awk -v ticks=" 1000 $2 " -v pattern="$4" 'index(ticks, " " $2 " ") && $1 ~ pattern' "$golden")
    if [ -n "$wanted" ] && [ "$wanted" = "$(cat "$3")" ]; then
        passed=$((passed + 1))
        printf '%-44s %4d lines, %-14s ok\n' "$1" "$(wc -l <"$3")" "$2 ticks"
    else
        failed=$((failed + 1))
        printf '%-44s FAILED (< golden.txt, > this build)\n' "$1"
        diff <(echo "$wanted") "$3"
    fi
}

"${MAKE:-make}" --no-print-directory -s OUT="$build" "$build/tests/record" "$build/tests/scenarios" tests/node_modules/.made || exit 1
# The tape that `own` has recorded in the same folder, with the same recorder and scenes, is good for `others`.
is_recorded() {
    [ "$selection" = others ] && [ -s "$OUT/server.txt" ] && [ "$OUT/tape" -nt "$build/tests/record" ] &&
        [ -z "$(find server/scenes -newer "$OUT/tape")" ]
}
is_recorded || server "$early $late" >"$OUT/server.txt" || : >"$OUT/server.txt"

if [ "$selection" = golden ]; then
    native "$OUT/golden" 1 gcc -O0 </dev/null >"$OUT/commands.txt" && [ -s "$OUT/server.txt" ] || exit 1
    grep '^(' "$OUT/commands.txt" | cat - "$OUT/server.txt" >"$golden"
    exit
fi

plain=$OUT/plain
mkdir -p "$plain/capsules"
for ((i = 0; i < ${#builds[@]}; i += 2)); do
    turn
    run "$OUT/$i" "${builds[i]}" "${builds[i + 1]}" &
done
wait

[ "$selection" = others ] || report 'the server' "$early $late" "$OUT/server.txt" '^[^(]'
for ((i = 0; i < ${#builds[@]}; i += 2)); do
    report "${builds[i]}" "${builds[i + 1]}" "$OUT/$i.txt" .
done

echo "$failed of $((passed + failed)) builds disagree"

# count WHAT WORD: scenes in which what WORD counts is not 0; there has to be one.
count() {
    local scenes
    scenes=$(awk -v word="$2" '{ for (i = 4; i < NF; i++) if ($i == word && $(i + 1) > 0) seen[$1] } END { print length(seen) }' \
        "$OUT/server.txt")
    echo "$scenes scenes in which anything $1"
    if [ "$scenes" -gt 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}
if [ "$selection" != others ]; then
    count tears torn
    count 'falls asleep' slept
fi
if [ "$selection" = own ]; then
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ]
    exit
fi

# Capsules, of this machine's server and those that are kept of this physics version, replayed by one that another
# compiler made, without optimisation. Those of older versions cannot be verified: tests/system/capsule.test.mjs.
verify() { # verify CAPSULE: leaves what is said in CAPSULE.txt, in the folder of those made now
    "$plain/weftctl" replay "$1" --verify >"$plain/capsules/${1//\//_}.txt" 2>&1 || : >"$plain/capsules/${1//\//_}.failed"
}
[ -x "$plain/weftctl" ] || cat "$plain/made.txt"
WEFT_BUILD=$build node tests/capsules/record.mjs "$plain/capsules"
physics=$(awk '$2 == "SIM_PHYSICS_VERSION" { print $3 + 0 }' server/sim/sim.h)
shopt -s nullglob
capsules=("tests/capsules/physics-$physics"/*.capsule "$plain"/capsules/*.capsule)
for capsule in "${capsules[@]}"; do
    turn
    verify "$capsule" &
done
wait
cat "$plain"/capsules/*.txt
disagree=$(find "$plain/capsules" -name '*.failed' | wc -l)
passed=$((passed + ${#capsules[@]} - disagree)) failed=$((failed + disagree))

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
