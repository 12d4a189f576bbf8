#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Runs a suite of tests, step by step: run.sh test|test-all|unit|core|physics|asan|tsan|fuzz|soak|cluster-test|reliability,
# with OUT the folder to build in.
#
# Each step is one runner. Its output is shown as it comes and kept in $OUT/log/STEP.log, where tally.awk reads how many
# tests passed and failed. A step also fails when its runner exits with an error, runs no test, takes too long or leaves
# a sanitizer's report. The last line is the sum: "N passed, N failed".
#
# What the tests are told: WEFT_BUILD, the folder with weftd and weftctl; WEFT_SANITIZER, "address" or "thread" when
# those are slow, instrumented builds, on which a load test takes a smaller load. What tests draw at random, `test`,
# `test-all` and `physics` draw with the same seed each time, so that a failure tells of a change; the other suites draw anew, unless
# WEFT_SEED is given.
set -u
cd "$(dirname "$0")/../.."
unset MAKEFLAGS MAKELEVEL MFLAGS # of the make that called; the makes below are their own

suite=${1:?which suite: test, test-all, unit, core, physics, asan, tsan, fuzz, soak, cluster-test or reliability}
mkdir -p "${OUT:=build}"
OUT=$(cd "$OUT" && pwd)
jobs=$(nproc)
logs=$OUT/log
terminal=
[ -t 0 ] && terminal=yes
mkdir -p "$logs"
rm -f "$logs/wrong"
passed=0 failed=0 summary=()
launcher=() # the command that starts the programs of this script

make_in() { ${launcher[@]+"${launcher[@]}"} "${MAKE:-make}" --no-print-directory -j "$jobs" OUT="$1" "${@:2}"; }

# What went wrong is said again at the end, where it is found, and in names once more below the sum.
finish() {
    [ ! -s "$logs/wrong" ] || { printf '\n==== what failed\n' && cat "$logs/wrong"; }
    printf '\n%-28s %8s %8s %8s\n' step passed failed seconds
    [ ${#summary[@]} -eq 0 ] || printf '%s\n' "${summary[@]}"
    [ ! -s "$logs/wrong" ] || grep -E '^(--|✖|\[  FAILED|FAILED|ERROR) ' "$logs/wrong" | grep -v 'failing tests:' | cut -c 1-110 | head -n 12
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
    exit
}

# The end of what node --test, cmocka and pytest say, cut short.
what_failed() { # what_failed NAME LOG
    echo "-- $1"
    awk '/^✖ failing tests:$/ { on = 1 } on || /^\[  (ERROR|FAILED) / || /^(FAILED|ERROR) / || /: (status|ended with|stopped)/' "$2" |
        cut -c 1-300 | head -n 40
}

# step NAME MINUTES COMMAND…: the command may be a function of this file.
step() {
    local name=$1 started=$SECONDS
    printf '\n==== %s\n' "$name"
    runner "$@" | tee "$logs/$name.log"
    count "$name" "${PIPESTATUS[0]}" $((SECONDS - started))
}

# begin NAME MINUTES COMMAND…: a step that leaves processors free runs beside those that follow, until `end NAME` waits
# for it and shows what it printed.
declare -A begun=() # process and start of each
begin() {
    runner "$@" >"$logs/$1.log" &
    begun[$1]="$! $SECONDS"
}
end() {
    local process started
    read -r process started <<<"${begun[$1]}"
    wait "$process"
    local status=$?
    printf '\n==== %s\n' "$1"
    cat "$logs/$1.log"
    count "$1" "$status" $((SECONDS - started))
}

runner() { # runner NAME MINUTES COMMAND…
    rm -f "$logs/$1.report".*
    REPORTS=$logs/$1.report MINUTES=$2 "${@:3}" 2>&1
}

count() { # count NAME STATUS SECONDS: a step that has ended
    local name=$1 status=$2 good bad report
    local log=$logs/$name.log reports=$logs/$name.report
    read -r good bad < <(awk -f tests/house/tally.awk "$log")
    if [ "$status" -eq 124 ] || [ "$status" -eq 137 ]; then
        echo "$name: stopped, it took too many minutes"
    elif [ "$status" -ne 0 ]; then
        echo "$name: ended with status $status"
    elif [ $((good + bad)) -eq 0 ]; then
        echo "$name: ran no tests"
        status=1
    fi
    [ "$status" -ne 0 ] && [ "$bad" -eq 0 ] && bad=1
    [ "$bad" -eq 0 ] || what_failed "$name" "$log" >>"$logs/wrong"
    for report in "$reports".*; do
        [ -s "$report" ] || continue
        echo "$name: $report"
        cat "$report"
        bad=$((bad + 1))
    done
    passed=$((passed + good)) failed=$((failed + bad))
    summary+=("$(printf '%-28s %8d %8d %8d' "$name" "$good" "$bad" "$3")")
}

# Runs a command for at most $MINUTES, and whatever it started with it. At a terminal it stays in the foreground, so
# that Ctrl-C reaches it.
limited() {
    if [ -n "$terminal" ]; then
        timeout --foreground --kill-after=10 "${MINUTES}m" ${launcher[@]+"${launcher[@]}"} "$@"
    else
        timeout --kill-after=10 "${MINUTES}m" ${launcher[@]+"${launcher[@]}"} "$@" </dev/null
    fi
}

# ---- the runners -----------------------------------------------------------------------------------------------------

# Sanitizers stop a program at its first report and leave it in a file, wherever the program's own output goes. RETURNS=1
# looks for uses of a stack after its function has returned, too, which takes a quarter of the time.
sanitized() {
    local common="halt_on_error=1:log_path=$REPORTS"
    ASAN_OPTIONS="$common:detect_stack_use_after_return=${RETURNS:-0}" \
    UBSAN_OPTIONS="$common:print_stacktrace=1" \
    TSAN_OPTIONS="$common:second_deadlock_stack=1" "$@"
}

# chosen NAME [NAME…|-NAME…]: whether it is one of these, or none of those that are left out.
chosen() {
    case " ${*:2} " in
    *" -$1 "*) return 1 ;;
    *" $1 "* | "  " | " -"*) ;;
    *) return 1 ;;
    esac
}

# As many at a time as there are processors, those that take longest first, and two more of those that mostly wait; the
# output of each is shown when it has ended.
LONGEST=(sim_random_worlds_test host_lives_test engine_lives_test sim_stack_test host_capsule_test sim_soft_test sim_self_test sim_fabric_test sim_drift_test sim_obstacle_test)
WAITING=(store_postgres_test store_postgres_fault_test store_clock_test store_fault_test store_budget_test store_nodes_test)
units() { # units BUILD [NAME…]: these, or all; [-NAME…]: all but these
    local name names=() waiting=() waiters=() outputs=$REPORTS-output status=0
    for name in "${LONGEST[@]}" "${WAITING[@]}" $(basename -s .c tests/unit/*_test.c); do
        case " ${names[*]-} ${waiting[*]-} " in *" $name "*) continue ;; esac
        [ -e "tests/unit/$name.c" ] && chosen "$name" "${@:2}" || continue
        case " ${WAITING[*]} " in *" $name "*) waiting+=("$name") ;; *) names+=("$name") ;; esac
    done
    rm -rf "$outputs" && mkdir "$outputs"
    while [ ${#waiters[@]} -lt 2 ]; do # each takes the next one that is left
        for name in ${waiting[@]+"${waiting[@]}"}; do
            ! mkdir "$outputs/$name.taken" 2>/dev/null || unit_program "$1/tests/$name" "$outputs/$name"
        done &
        waiters+=("$!")
    done
    for name in "${names[@]}"; do
        while [ "$(jobs -rp | grep -vcxE "${waiters[0]}|${waiters[1]}")" -ge "$jobs" ]; do wait -n; done
        unit_program "$1/tests/$name" "$outputs/$name" &
    done
    wait
    [ -z "$(find "$outputs" -name '*.failed')" ] || status=1
    rm -rf "$outputs"
    return $status
}
unit_program() { # unit_program PROGRAM OUTPUT
    local status=0 started=$SECONDS
    limited "$1" >"$2" 2>&1 || status=$?
    [ "$status" -eq 0 ] || echo "$(basename "$1"): status $status" | tee "$2.failed" >>"$2"
    { flock 9 && echo "-- ${1#"$PWD"/}" && cat "$2" && echo "($((SECONDS - started)) s)"; } 9>"$(dirname "$2")/turn" # not mixed with another's
}

# Programs that only compute run at the lowest priority, one at a time, while other steps wait for clocks more than they
# compute: from units_ahead on, until units_rest runs those that are left and tells of all.
AHEAD=$logs/ahead
units_ahead() { # units_ahead BUILD [-NAME…]: in the background
    local name file
    launcher=(tests/house/lowest.sh)
    rm -rf "$AHEAD" && mkdir "$AHEAD"
    for name in "${LONGEST[@]}" $(basename -s .c tests/unit/{engine,sim}_*_test.c); do
        file=tests/unit/$name.c
        [ ! -e "$AHEAD/stop" ] && [ -e "$file" ] && chosen "$name" "${@:2}" || continue
        ! grep -qE 'clock|_ns\(' "$file" && mkdir "$AHEAD/$name" 2>/dev/null || continue # none that looks at a clock
        MINUTES=10 unit_program "$1/tests/$name" "$AHEAD/$name/output" >>"$AHEAD.log" 2>&1
    done
    touch "$AHEAD/end"
}
units_rest() { # units_rest BUILD [-NAME…]: the others
    local status=0
    touch "$AHEAD/stop"
    units "$@" $(find "$AHEAD" -mindepth 1 -type d -printf '-%f\n') || status=1
    until [ -e "$AHEAD/end" ]; do sleep 0.2; done
    cat "$AHEAD.log"
    [ -z "$(find "$AHEAD" -name '*.failed')" ] && return $status
    return 1
}

# One program of libFuzzer's for so many seconds, from the corpus that is kept; what it finds new goes to a folder beside
# its program, what it finds wrong too. The last line is counted.
fuzzer() { # fuzzer BUILD NAME SECONDS
    local found=$1/fuzz/$2.found
    mkdir -p "$found"
    limited nice "$1/fuzz/$2" -max_total_time="$3" -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 \
        -artifact_prefix="$1/fuzz/$2.wrong-" "$found" "tests/fuzz/corpus/$2" 2>&1 |
        awk -v runs_file="$found.runs" '/^stat::number_of_executed_units/ { runs = $2 }
            !/^#[0-9]+[ \t]+(NEW|REDUCE|pulse)/ { print }
            END { print runs + 0 >runs_file }'
    local status=${PIPESTATUS[0]}
    if [ "$status" -eq 0 ] && [ "$(cat "$found.runs")" -gt 0 ]; then
        echo "fuzz $2: 0 findings in $(cat "$found.runs") runs, $3 s"
        echo '1 passed, 0 failed'
    else
        echo "fuzz $2: stopped after $(cat "$found.runs") runs"
        echo '0 passed, 1 failed'
    fi
    return "$status"
}

# damaged_in_wasm COUNT: so many damaged sequences of each seed of `follow` for the engine in WebAssembly.
damaged_in_wasm() {
    WEFT_MUTATIONS=$1 limited node --test --test-reporter=spec tests/client/fuzz_seeds.test.mjs
}

# In as many processes as there are processors.
random_worlds() { # random_worlds BUILD COUNT
    limited "$1/tests/fuzz_worlds" "$2" "${WEFT_SEED:-$((RANDOM * 1000000007))}" "$jobs"
}

node_tests() { # node_tests BUILD SANITIZER FOLDER [NAME…]: these, or all; [-NAME…]: all but these
    local files=() file options=(--test-reporter=spec)
    for file in "tests/$3"/*.test.mjs; do
        if chosen "$(basename "$file" .test.mjs)" "${@:4}"; then files+=("$file"); fi
    done
    [ ${#files[@]} -gt 0 ] || return 0 # "ran no tests" is said by step
    if node --help | grep -q -e --test-timeout; then # a file that hangs, where Node can tell
        options+=(--test-timeout=$((${FILE_MINUTES:-5} * 60000)))
    fi
    if { [ -n "$2" ] || [ -n "${BESIDE:-}" ]; } && node --help | grep -q -e --test-concurrency; then
        options+=(--test-concurrency="${BESIDE:-$jobs}") # nothing is timed on a slow build
    fi
    WEFT_BUILD=$1 WEFT_SANITIZER=$2 limited node --test "${options[@]}" "${files[@]}"
}

determinism() { WEFT_BUILD="$OUT" OUT="$OUT/determinism" limited tests/determinism/run.sh "$1"; } # in this order

# The Python package, installed in a virtual environment of its own.
python_tests() { # python_tests BUILD
    make_in "$1" python && WEFT_BUILD=$1 PYTHONDONTWRITEBYTECODE=1 limited "$1/venv/bin/python" -m pytest -p no:cacheprovider proto/python
}

# wheel_tests BUILD: the wheel, in a virtual environment of its own: proto/python/tests/try_wheel.py.
wheel_tests() { make_in "$1" wheel && OUT=$1 limited tests/house/wheel.sh here; }

# The package made by clang, whose worlds and tasks must have the bits of the one made by gcc, which the tests name.
python_by_clang() { # python_by_clang BUILD
    local folder=$1/clang
    make_in "$1" python && make_in "$folder" CC=clang lib || return 1
    rm -rf "$folder/python" "$folder/package"
    cp -R "$1/python" "$folder/python" && rm -rf "$folder/python/build"
    WEFT_SOURCE=$PWD WEFT_LIBRARY=$folder/lib/libweft.a CC=clang "$1/venv/bin/pip" install --quiet --disable-pip-version-check \
        --no-build-isolation --no-deps --no-index --target "$folder/package" "$folder/python" &&
        PYTHONPATH=$folder/package WEFT_BUILD=$1 PYTHONDONTWRITEBYTECODE=1 limited "$1/venv/bin/python" -m pytest -p no:cacheprovider proto/python -k bits
}

# What the named steps have measured, against its limits: physics STEP… [--write].
physics() { limited node tests/house/physics.mjs "$logs" "$@"; }

# ---- the suites ------------------------------------------------------------------------------------------------------

# By clang, whose instrumented programs run faster than gcc's.
ASAN=(CC=clang 'SANITISE=-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer')
TSAN=(CC=clang 'SANITISE=-fsanitize=thread -fno-omit-frame-pointer')
# What takes longest under a sanitizer and runs code that other tests run there too; `make asan` leaves nothing out.
LONG=(host_capsule_test host_parallel_for_test sim_air_test sim_archive_test sim_blade_test sim_bounce_settings_test sim_bounce_stick_test sim_bounce_test sim_compliance_test sim_contact_feature_test
    sim_contact_test sim_drift_test sim_equilibrium_test sim_incline_test sim_leave_test sim_moving_test sim_obstacle_test sim_pendulum_test sim_plant_test sim_plate_test sim_probe_test sim_quarantine_test
    sim_crease_test sim_fabric_test sim_gas_test sim_heap_test sim_joint_test sim_knot_test sim_ragdoll_test sim_round_test sim_self_test sim_soft_test sim_stack_test sim_string_test sim_tear_force_test sim_tear_variants_test sim_wake_test sim_wall_test store_crash_test store_postgres_test store_wal_test)
LONG_SYSTEM=(budget capsule cluster damage engine_wasm history history_budget load metrics monitoring motion nodes_database preview rebuild replay_interval scenes undo weftctl weftctl_load)
# Where something is timed: nothing runs beside them. The other files of tests/system and tests/browser run beside each
# other: twice as many as there are processors of those that wait more than they compute.
TIMED=(budget flood frames load metrics motion sharing hostile_clients stall weftctl_load grab_latency picture quality)
TIMED_CLIENT=(prediction)
TIMED_BROWSER=(cluster)

# Long runs, of whole clusters and pages and of every allocation: `test-all` makes them.
LONG_RUNS=(cluster memory)
LONG_BROWSER=(accessibility appearance build export lessons lessons_local lessons_server link lockstep_random site_scenes)
LONG_TIMED=(stranger)

build() { # build FOLDER [VARIABLE=VALUE…]: nothing can be tested without
    printf '\n==== build %s\n' "${1#"$PWD"/}"
    make_in "$1" "${@:2}" all programs tests/node_modules/.made && return
    failed=$((failed + 1))
    summary+=("$(printf '%-28s %8d %8d' "build ${1#"$PWD"/}" 0 1)")
    finish
}
# build_asan [NAME…]: only the unit tests that `units` would run, which saves minutes; make knows them as UNIT.
build_asan() {
    local file unit=()
    for file in tests/unit/*_test.c; do
        if chosen "$(basename "$file" .c)" "$@"; then unit+=("$file"); fi
    done
    build "$OUT/asan" "${ASAN[@]}" UNIT="${unit[*]}"
}
# The same at the lowest priority, in the background, while steps leave processors free; build_asan tells of its faults.
build_asan_ahead() { # build_asan_ahead [NAME…]
    launcher=(tests/house/lowest.sh)
    (build_asan "$@") >"$logs/asan-ahead.log" 2>&1
}
build_tsan() {
    build "$OUT/tsan" "${TSAN[@]}"
    # It wants its own place in memory, which a kernel that randomises addresses widely may have taken.
    "$OUT/tsan/weftd" --version >/dev/null 2>&1 || launcher=(setarch "$(uname -m)" -R)
}

store_soak() { # store_soak BUILD: kills, power cuts and failing allocations of the store, all of them
    limited env WEFT_KILLS=1000 WEFT_POWER_CUTS=200 "$1/tests/store_crash_test" &&
        limited env WEFT_EVERY_ALLOCATION=1 "$1/tests/store_memory_test"
}
time_soak() { # time_soak BUILD: kills of a server at random moments; seeks in ten minutes of the default scene
    WEFT_BUILD=$1 WEFT_KILLS=1000 WEFT_HISTORY_TICKS=36000 limited node --test --test-reporter=spec \
        tests/system/recovery.test.mjs tests/system/history.test.mjs
}
soak() { # soak BUILD SECONDS
    WEFT_BUILD=$1 limited node tests/soak/soak.mjs "$2"
}

soak_lockstep() { # soak_lockstep BUILD SECONDS
    WEFT_BUILD=$1 limited node tests/soak/lockstep.mjs "$2"
}

soak_gym() { # soak_gym BUILD: a million steps of random episodes of the tasks of gymnasium
    make_in "$1" python && limited "$1/venv/bin/python" proto/python/tests/soak_gym.py
}

cluster_runs() { # cluster_runs BUILD RUNS JOBS SEED: clusters under random faults
    WEFT_BUILD=$1 limited node tests/cluster/cluster_test.mjs RUNS="$2" JOBS="$3" SEED="$4"
}

# What steps of other runs have measured, written down: reliability [--write].
reliability() { limited node tests/house/reliability.mjs "$logs" "$@"; }

build_fuzz() {
    printf '\n==== build %s\n' "${OUT#"$PWD"/}/fuzzing"
    make_in "$OUT/fuzzing" CC=clang OPTIMISE=-O1 fuzzers \
        SANITISE='-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer -DWEFT_FUZZER' && return
    failed=$((failed + 1))
    summary+=("$(printf '%-28s %8d %8d' "build fuzzing" 0 1)")
    finish
}

case $suite in
test)
    export WEFT_SEED=${WEFT_SEED:-1}
    tests/house/install.sh run unit python test faults || { echo '0 passed, 1 failed'; exit 1; }
    build "$OUT"
    units_ahead "$OUT" -sim_random_worlds_test & # `test-all` runs the same worlds under ASan
    begin determinism 5 determinism own
    step house 5 node_tests "$OUT" '' house
    step python 5 python_tests "$OUT"
    end determinism
    BESIDE=$jobs step client 8 node_tests "$OUT" '' client "${TIMED_CLIENT[@]/#/-}"
    step client-timed 5 node_tests "$OUT" '' client "${TIMED_CLIENT[@]}"
    step system 15 node_tests "$OUT" '' system "${TIMED[@]}"
    step unit 10 units_rest "$OUT" -sim_random_worlds_test
    BESIDE=$((2 * jobs)) step system-rest 15 node_tests "$OUT" '' system "${TIMED[@]/#/-}" "${LONG_RUNS[@]/#/-}"
    cat "$logs/system-rest.log" >>"$logs/system.log" # whoever looks for figures finds both
    step cluster 5 node_tests "$OUT" '' cluster
    step browser 15 node_tests "$OUT" '' browser "${TIMED[@]}" "${TIMED_BROWSER[@]}"
    BESIDE=$((jobs + 1)) step browser-tools 20 node_tests "$OUT" '' browser "${TIMED[@]/#/-}" "${TIMED_BROWSER[@]/#/-}" "${LONG_BROWSER[@]/#/-}" "${LONG_TIMED[@]/#/-}"
    step physics 1 physics unit system determinism
    ;;
test-all) # what `test` leaves out
    export WEFT_SEED=${WEFT_SEED:-1}
    tests/house/install.sh run unit python test cluster || { echo '0 passed, 1 failed'; exit 1; }
    build "$OUT"
    build_asan_ahead "${LONG[@]/#/-}" &
    ahead=$!
    begin wheel 5 wheel_tests "$OUT"
    BESIDE=$jobs step system-long 15 node_tests "$OUT" '' system "${LONG_RUNS[@]}"
    end wheel
    step package 5 node_tests "$OUT" '' package
    BESIDE=$((jobs + 1)) step browser-long 20 node_tests "$OUT" '' browser "${LONG_BROWSER[@]}"
    wait "$ahead"
    build_asan "${LONG[@]/#/-}"
    step browser-long-timed 5 node_tests "$OUT" '' browser "${LONG_TIMED[@]}"
    step determinism-others 20 determinism others
    step python-clang 10 python_by_clang "$OUT"
    step unit-asan 25 sanitized units "$OUT/asan" "${LONG[@]/#/-}"
    BESIDE=$((2 * jobs)) step system-asan 15 sanitized node_tests "$OUT/asan" address system "${LONG_SYSTEM[@]/#/-}"
    step physics 1 physics unit-asan determinism-others
    ;;
unit)
    build "$OUT"
    step unit 10 units "$OUT"
    ;;
physics)
    export WEFT_SEED=1
    build "$OUT"
    step unit 10 units "$OUT"
    step determinism 5 determinism own
    step determinism-others 20 determinism others
    step system 10 node_tests "$OUT" '' system
    build_asan sim_random_worlds_test
    step unit-asan 10 sanitized units "$OUT/asan" sim_random_worlds_test
    step physics 1 physics unit determinism determinism-others system unit-asan --write
    ;;
soak)
    tests/house/install.sh run unit python test || { echo '0 passed, 1 failed'; exit 1; }
    build "$OUT"
    step soak-store 30 store_soak "$OUT"
    step soak-time 120 time_soak "$OUT"
    step soak $((${SECONDS_TO_SOAK:-1800} / 60 + 10)) soak "$OUT" "${SECONDS_TO_SOAK:-1800}"
    WEFT_PLAYS=100 FILE_MINUTES=30 step soak-links 30 node_tests "$OUT" '' client link
    WEFT_MACHINES=100 FILE_MINUTES=30 step soak-machine 30 node_tests "$OUT" '' client machine
    step soak-gym 60 soak_gym "$OUT"
    step soak-lockstep $((${SECONDS_TO_SOAK:-3600} / 60 + 30)) soak_lockstep "$OUT" "${SECONDS_TO_SOAK:-3600}"
    ;;
cluster-test)
    tests/house/install.sh run unit faults || { echo '0 passed, 1 failed'; exit 1; }
    build "$OUT"
    step cluster-test 600 cluster_runs "$OUT" "${RUNS:-300}" "${JOBS:-2}" "${SEED:-1}"
    ;;
reliability)
    step reliability 1 reliability --write
    ;;
core) # what needs neither a browser nor a second compiler
    build "$OUT"
    step unit 10 units "$OUT"
    step client 5 node_tests "$OUT" '' client
    step system 10 node_tests "$OUT" '' system
    ;;
asan)
    tests/house/install.sh run unit fuzz || { echo '0 passed, 1 failed'; exit 1; }
    build_asan
    export RETURNS=1
    step unit-asan 10 sanitized units "$OUT/asan"
    step system-asan 20 sanitized node_tests "$OUT/asan" address system
    ;;
tsan)
    tests/house/install.sh run unit fuzz || { echo '0 passed, 1 failed'; exit 1; }
    build_tsan
    step unit-tsan 10 sanitized units "$OUT/tsan"
    step system-tsan 20 sanitized node_tests "$OUT/tsan" thread system
    ;;
fuzz)
    tests/house/install.sh run unit fuzz || { echo '0 passed, 1 failed'; exit 1; }
    [ "${TARGET:-}" = wasm ] || build_fuzz
    for source in tests/fuzz/fuzz_*.c; do
        target=$(basename "$source" .c)
        target=${target#fuzz_}
        [ -z "${TARGET:-}" ] || [ "$TARGET" = "$target" ] || continue
        seconds=$(awk -v minutes="${MINUTES:-30}" 'BEGIN { print int(60 * minutes) }')
        RETURNS=1 step "fuzz-$target" $((seconds / 60 + 5)) sanitized fuzzer "$OUT/fuzzing" "$target" "$seconds"
    done
    if [ -z "${TARGET:-}" ] || [ "$TARGET" = wasm ]; then
        make_in "$OUT" all programs tests/node_modules/.made
        step fuzz-wasm 240 damaged_in_wasm "$((${WORLDS:-100000} / 2))"
    fi
    [ -z "${TARGET:-}" ] || finish
    build_asan
    step fuzz-lives 240 sanitized env WEFT_LIVES="$((${WORLDS:-100000} * 5))" WEFT_SEED="${WEFT_SEED:-$((RANDOM * 1000000007))}" \
        timeout 240m "$OUT/asan/tests/engine_lives_test"
    step fuzz-server-lives 240 sanitized env WEFT_LIVES="$((${WORLDS:-100000} / 20))" WEFT_SEED="${WEFT_SEED:-$((RANDOM * 1000000007))}" \
        timeout 240m "$OUT/asan/tests/host_lives_test"
    step fuzz 1440 sanitized random_worlds "$OUT/asan" "${WORLDS:-100000}"
    step fuzz-codec 240 sanitized env WEFT_FUZZ_ROUNDS="$((${WORLDS:-100000} / 5))" timeout 240m "$OUT/asan/tests/proto_codec_test"
    ;;
*)
    echo "No such suite: $suite. There are test, test-all, unit, core, physics, asan, tsan, fuzz, soak, cluster-test and reliability." >&2
    exit 2
    ;;
esac
finish
