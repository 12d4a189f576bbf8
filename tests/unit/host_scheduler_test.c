// SPDX-License-Identifier: MIT
// The workers: one owner at a time, wakes are never lost, tasks do not run before they are due.
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "host/run/scheduler.h"

#define TASKS 4u
#define TURNS 50u
#define PERIOD_NS 2000000u

struct counted_task {
    atomic_uint inside, runs, overlaps, early;
    uint64_t next_ns;
    uint32_t turns;
};

static void sleep_ns(uint64_t nanoseconds) {
    struct timespec time = {.tv_sec = (time_t)(nanoseconds / 1000000000u),
                            .tv_nsec = (long)(nanoseconds % 1000000000u)};
    nanosleep(&time, NULL);
}

static void wait_for(atomic_uint *value, uint32_t wanted) {
    for (int i = 0; i < 10000 && atomic_load(value) < wanted; i++) {
        sleep_ns(1000000);
    }
    assert_true(atomic_load(value) >= wanted);
}

static uint64_t run_periodic(void *context, uint64_t now_ns) {
    struct counted_task *task = context;
    if (atomic_fetch_add(&task->inside, 1) != 0) {
        atomic_fetch_add(&task->overlaps, 1);
    }
    if (now_ns < task->next_ns) {
        atomic_fetch_add(&task->early, 1);
    }
    sleep_ns(200000);
    atomic_fetch_sub(&task->inside, 1);
    atomic_fetch_add(&task->runs, 1);
    task->next_ns = now_ns + PERIOD_NS;
    return ++task->turns < TURNS ? task->next_ns : SCHEDULER_NEVER;
}

static void a_task_has_one_owner_at_a_time_and_never_runs_early(void **unused) {
    (void)unused;
    struct scheduler *scheduler = NULL;
    struct counted_task tasks[TASKS] = {0};
    assert_int_equal(scheduler_create(3, TASKS, &scheduler), RESULT_OK);
    for (uint32_t i = 0; i < TASKS; i++) {
        scheduler_add(scheduler, run_periodic, &tasks[i]);
    }
    assert_int_equal(scheduler_start(scheduler), RESULT_OK);
    for (uint32_t i = 0; i < TASKS; i++) {
        wait_for(&tasks[i].runs, TURNS);
    }
    scheduler_destroy(scheduler);
    for (uint32_t i = 0; i < TASKS; i++) {
        assert_int_equal(atomic_load(&tasks[i].runs), TURNS);
        assert_int_equal(atomic_load(&tasks[i].overlaps), 0);
        assert_int_equal(atomic_load(&tasks[i].early), 0);
    }
}

// A mailbox: the task takes what is there; every letter must be seen though wakes come while it runs.
struct mailbox {
    atomic_uint letters, taken, inside, overlaps;
};

static uint64_t take_letters(void *context, uint64_t now_ns) {
    (void)now_ns;
    struct mailbox *mailbox = context;
    if (atomic_fetch_add(&mailbox->inside, 1) != 0) {
        atomic_fetch_add(&mailbox->overlaps, 1);
    }
    atomic_fetch_add(&mailbox->taken, atomic_exchange(&mailbox->letters, 0));
    atomic_fetch_sub(&mailbox->inside, 1);
    return SCHEDULER_NEVER;
}

static void no_wake_is_lost(void **unused) {
    (void)unused;
    struct scheduler *scheduler = NULL;
    struct mailbox mailbox = {0};
    assert_int_equal(scheduler_create(2, 1, &scheduler), RESULT_OK);
    uint32_t task = scheduler_add(scheduler, take_letters, &mailbox);
    assert_int_equal(scheduler_start(scheduler), RESULT_OK);
    for (uint32_t i = 0; i < 20000; i++) {
        atomic_fetch_add(&mailbox.letters, 1);
        scheduler_wake(scheduler, task);
    }
    wait_for(&mailbox.taken, 20000);
    scheduler_destroy(scheduler);
    assert_int_equal(atomic_load(&mailbox.taken), 20000);
    assert_int_equal(atomic_load(&mailbox.overlaps), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_task_has_one_owner_at_a_time_and_never_runs_early),
                                       cmocka_unit_test(no_wake_is_lost)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
