// SPDX-License-Identifier: MIT
// What replaying a capsule says when the state is not what it was: at which tick it differs, and up to which it did
// not.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "host/history/capsule.h"
#include "host/history/capsule_file.h"
#include "read_file.h"
#include "sim/sim.h"

// A capsule that was made by physics version 1 (the file says nothing of it) and will always be.
#define OLD_CAPSULE "tests/capsules/physics-1/changes.capsule"

static struct store_capsule *unpack_old(void) {
    size_t size;
    struct fault fault;
    struct store_capsule *capsule = NULL;
    unsigned char *bytes = read_file(OLD_CAPSULE, &size);
    assert_int_equal(capsule_unpack(bytes, size, &capsule, &fault), RESULT_OK);
    free(bytes);
    return capsule;
}

// Packs what `capsule` is and replays it.
static enum result replay(const struct store_capsule *capsule, struct capsule_report *report, struct fault *fault) {
    size_t size;
    unsigned char *bytes = NULL;
    assert_int_equal(capsule_pack(capsule, &bytes, &size, fault), RESULT_OK);
    const enum result result = capsule_replay(bytes, size, report, fault);
    free(bytes);
    return result;
}

// The hash that the present physics version computes at a tick.
static uint64_t hash_at(const struct store_capsule *capsule, uint64_t tick) {
    struct fault fault;
    struct capsule_report report;
    struct store_history history = *capsule->history;
    const struct store_capsule part = {.meta = capsule->meta, .history = &history};
    history.tick = tick;
    history.hash_count = 0;
    while (history.entry_count > 0 && history.entries[history.entry_count - 1].entry.tick > tick) {
        history.entry_count--;
    }
    assert_int_equal(replay(&part, &report, &fault), RESULT_OK);
    return report.hash;
}

// The old capsule as the present physics version would have made it: the same snapshot and commands, its own hashes.
static struct store_capsule *make_capsule(void) {
    struct store_capsule *capsule = unpack_old();
    struct store_history *history = capsule->history;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < history->hash_count; i++) {
        if (i + 1 == history->hash_count || history->hashes[i + 1].tick != history->hashes[i].tick) {
            history->hashes[kept] = history->hashes[i]; // the last of a tick, when all its commands are applied
            history->hashes[kept].hash = hash_at(capsule, history->hashes[i].tick);
            kept++;
        }
    }
    history->snapshot.hash = hash_at(capsule, history->snapshot.tick);
    history->hash_count = kept;
    history->physics = history->newest_physics = SIM_PHYSICS_VERSION;
    return capsule;
}

static void replay_changed(void (*change)(struct store_history *), struct capsule_report *report, enum result expected,
                           struct fault *fault) {
    struct store_capsule *capsule = make_capsule();
    change(capsule->history);
    assert_int_equal(replay(capsule, report, fault), expected);
    store_capsule_free(capsule);
}

static void change_nothing(struct store_history *history) {
    (void)history;
}

static void change_a_hash(struct store_history *history) {
    for (uint32_t i = 0; i < history->hash_count; i++) {
        if (history->hashes[i].tick == 240) {
            history->hashes[i].hash ^= 1;
        }
    }
}

// As if commands had been applied a tick later from some tick on.
static void delay_commands(struct store_history *history) {
    for (uint32_t i = 0; i < history->entry_count; i++) {
        history->entries[i].entry.tick += history->entries[i].entry.tick > 200 ? 1 : 0;
    }
}

static void a_capsule_as_it_was_made_replays_to_its_end(void **unused) {
    (void)unused;
    struct fault fault;
    struct capsule_report report;
    replay_changed(change_nothing, &report, RESULT_OK, &fault);
    assert_int_equal(report.last_tick, 600);
    assert_int_equal(report.equal_until, 600);
}

static void a_difference_is_told_with_its_tick(void **unused) {
    (void)unused;
    struct fault fault;
    struct capsule_report report;
    replay_changed(change_a_hash, &report, RESULT_DAMAGED, &fault);
    assert_non_null(strstr(fault.message, "tick 240"));
    assert_in_range(report.equal_until, 220, 239);
    unsigned tick = 0;
    replay_changed(delay_commands, &report, RESULT_DAMAGED, &fault);
    assert_int_equal(sscanf(fault.message, "at tick %u", &tick), 1);
    assert_in_range(tick, 201, 600);
    assert_in_range(report.equal_until, 200, tick - 1);
}

static void what_is_no_capsule_is_refused(void **unused) {
    (void)unused;
    struct fault fault;
    struct capsule_report report;
    assert_int_equal(capsule_replay("no capsule", 10, &report, &fault), RESULT_INVALID);
    assert_int_equal(capsule_replay("", 0, &report, &fault), RESULT_INVALID);
}

static void a_capsule_of_an_older_physics_version_is_replayed_but_not_verified(void **unused) {
    (void)unused;
    struct fault fault;
    struct capsule_report report;
    struct store_capsule *capsule = unpack_old();
    assert_int_equal(capsule->history->physics, 1);
    assert_int_equal(replay(capsule, &report, &fault), RESULT_OK);
    assert_int_equal(report.physics, 1);
    assert_int_equal(report.last_tick, 600);
    assert_int_equal(report.equal_until, report.first_tick);
    assert_in_range(report.unchecked, 10, capsule->history->hash_count);
    store_capsule_free(capsule);
}

static void a_capsule_of_a_newer_physics_version_is_refused(void **unused) {
    (void)unused;
    struct fault fault;
    struct capsule_report report;
    struct store_capsule *capsule = unpack_old();
    capsule->history->newest_physics = SIM_PHYSICS_VERSION + 1;
    assert_int_equal(replay(capsule, &report, &fault), RESULT_INVALID);
    assert_non_null(strstr(fault.message, "physics version"));
    assert_non_null(strstr(fault.message, "newer"));
    store_capsule_free(capsule);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_capsule_as_it_was_made_replays_to_its_end),
        cmocka_unit_test(a_difference_is_told_with_its_tick),
        cmocka_unit_test(a_capsule_of_an_older_physics_version_is_replayed_but_not_verified),
        cmocka_unit_test(a_capsule_of_a_newer_physics_version_is_refused),
        cmocka_unit_test(what_is_no_capsule_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
