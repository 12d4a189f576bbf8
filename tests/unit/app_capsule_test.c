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

#include "app/capsule.h"

static unsigned char *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    *size = (size_t)ftell(file);
    rewind(file);
    unsigned char *bytes = malloc(*size);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *size, file), *size);
    fclose(file);
    return bytes;
}

// The same capsule with what `change` makes of its history.
static void replay_changed(void (*change)(struct store_history *), struct capsule_report *report, enum result expected,
                           struct fault *fault) {
    size_t size;
    struct store_capsule *capsule = NULL;
    unsigned char *changed = NULL;
    unsigned char *bytes = read_file("tests/capsules/changes.capsule", &size);
    assert_int_equal(store_capsule_unpack(bytes, size, &capsule, fault), RESULT_OK);
    free(bytes);
    change(capsule->history);
    assert_int_equal(store_capsule_pack(&capsule->meta, capsule->history, &changed, &size, fault), RESULT_OK);
    store_capsule_free(capsule);
    assert_int_equal(capsule_replay(changed, size, report, fault), expected);
    free(changed);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_capsule_as_it_was_made_replays_to_its_end),
        cmocka_unit_test(a_difference_is_told_with_its_tick),
        cmocka_unit_test(what_is_no_capsule_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
