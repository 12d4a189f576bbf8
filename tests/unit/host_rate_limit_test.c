// SPDX-License-Identifier: MIT
// Token buckets by a clock of the test's own.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "host/connection/rate_limit.h"

#define SECOND 1000000000u
#define RATE 100.0 // units a second; 400 can be saved up

static uint32_t retry_ms;

static void a_bucket_gives_what_it_holds_and_fills_at_its_rate(void **state) {
    (void)state;
    struct rate_limit budget;
    rate_limit_init(&budget, RATE, SECOND);
    assert_true(rate_limit_take(&budget, 400.0, SECOND, &retry_ms));
    assert_false(rate_limit_take(&budget, 1.0, SECOND, &retry_ms));
    assert_in_range(retry_ms, 10, 11);
    assert_false(rate_limit_has(&budget, 50.0, SECOND, &retry_ms));
    assert_in_range(retry_ms, 500, 501);
    assert_false(rate_limit_take(&budget, 50.0, SECOND + SECOND / 2 - SECOND / 100, &retry_ms));
    assert_true(rate_limit_take(&budget, 50.0, SECOND + SECOND / 2, &retry_ms));
    assert_true(rate_limit_has(&budget, 400.0, 100u * (uint64_t)SECOND, &retry_ms));
    assert_true(
        rate_limit_has(&budget, 400.0, 50u * (uint64_t)SECOND, &retry_ms)); // a clock that steps back takes nothing
    assert_true(rate_limit_take(&budget, 400.0, 1000u * (uint64_t)SECOND, &retry_ms)); // no more is saved up
    assert_false(rate_limit_take(&budget, 1.0, 1000u * (uint64_t)SECOND, &retry_ms));
    rate_limit_free(&budget);
}

static void what_costs_more_than_a_full_bucket_is_owed(void **state) {
    (void)state;
    struct rate_limit budget;
    rate_limit_init(&budget, RATE, 0);
    assert_true(rate_limit_take(&budget, 1000.0, 0, &retry_ms));
    assert_false(rate_limit_take(&budget, 1.0, 0, &retry_ms));
    assert_in_range(retry_ms, 6010, 6011);
    assert_true(rate_limit_take(&budget, 1.0, 6u * (uint64_t)SECOND + SECOND / 50, &retry_ms));
    rate_limit_free(&budget);
}

static void without_a_rate_everything_is_taken(void **state) {
    (void)state;
    struct rate_limit budget;
    uint32_t hold_ms = 0;
    rate_limit_init(&budget, 0.0, 0);
    for (uint32_t i = 0; i < 10000; i++) {
        assert_true(rate_limit_take(&budget, 1e9, 0, &retry_ms));
        assert_int_equal(rate_limit_note_refusal(&budget, 0, &hold_ms), RATE_LIMIT_NOTHING);
    }
    rate_limit_free(&budget);
}

// Refuses so many a second until something else happens than a hold; returns that, and when.
static enum rate_limit_sanction provoke(struct rate_limit *budget, double per_second, uint64_t *now_ns,
                                        uint64_t until_ns) {
    enum rate_limit_sanction sanction = RATE_LIMIT_NOTHING;
    while (*now_ns < until_ns && sanction != RATE_LIMIT_CLOSE) {
        uint32_t hold_ms = 0;
        sanction = rate_limit_note_refusal(budget, *now_ns, &hold_ms);
        *now_ns += sanction == RATE_LIMIT_HOLD ? hold_ms * (uint64_t)1000000 : (uint64_t)(1e9 / per_second);
    }
    return sanction;
}

static void who_is_refused_now_and_then_is_left_alone(void **state) {
    (void)state;
    struct rate_limit budget;
    uint64_t now_ns = SECOND;
    rate_limit_init(&budget, RATE, now_ns);
    assert_int_equal(provoke(&budget, 0.9 * RATE, &now_ns, 300u * (uint64_t)SECOND), RATE_LIMIT_NOTHING);
    rate_limit_free(&budget);
}

static void who_goes_on_is_held_and_then_closed(void **state) {
    (void)state;
    struct rate_limit budget;
    uint64_t now_ns = SECOND;
    uint32_t hold_ms = 0, refusals = 0;
    rate_limit_init(&budget, RATE, now_ns);
    while (rate_limit_note_refusal(&budget, now_ns, &hold_ms) == RATE_LIMIT_NOTHING) {
        refusals++;
    }
    assert_in_range(refusals, 64, RATE);
    assert_in_range(hold_ms, 100, 1000);
    assert_int_equal(provoke(&budget, 100 * RATE, &now_ns, 60u * (uint64_t)SECOND), RATE_LIMIT_CLOSE);
    assert_in_range(now_ns, SECOND + RATE_LIMIT_PATIENCE_NS, SECOND + RATE_LIMIT_PATIENCE_NS + 2u * (uint64_t)SECOND);
    rate_limit_free(&budget);
}

static void who_calms_down_begins_anew(void **state) {
    (void)state;
    struct rate_limit budget;
    uint64_t now_ns = SECOND;
    rate_limit_init(&budget, RATE, now_ns);
    for (uint32_t bout = 0; bout < 10; bout++) {
        assert_int_not_equal(provoke(&budget, 100 * RATE, &now_ns, now_ns + 8u * (uint64_t)SECOND), RATE_LIMIT_CLOSE);
        now_ns += 2 * RATE_LIMIT_CALM_NS;
    }
    rate_limit_free(&budget);
}

static void a_command_costs_what_it_asks_for(void **state) {
    (void)state;
    const struct proto_cloth_spawn cloth = {.columns = 100, .rows = 50};
    const struct proto_world_step step = {.ticks = 1000};
    const struct proto_command commands[] = {{.method = PROTO_METHOD_CLOTH_SPAWN, .params = &cloth},
                                             {.method = PROTO_METHOD_WORLD_STEP, .params = &step},
                                             {.method = PROTO_METHOD_GRAB_MOVE}};
    const struct proto_batch_run batch = {.commands = {commands, 3}};
    const struct proto_command whole = {.method = PROTO_METHOD_BATCH_RUN, .params = &batch};
    const double cloth_cost = proto_methods[PROTO_METHOD_CLOTH_SPAWN].cost + 50.0;
    const double step_cost = proto_methods[PROTO_METHOD_WORLD_STEP].cost + 10.0;
    const double others = proto_methods[PROTO_METHOD_GRAB_MOVE].cost + proto_methods[PROTO_METHOD_BATCH_RUN].cost;
    assert_true(rate_limit_command_cost(&commands[0]) == cloth_cost); // whole numbers: no rounding
    assert_true(rate_limit_command_cost(&commands[1]) == step_cost);
    assert_true(rate_limit_command_cost(&whole) == cloth_cost + step_cost + others);
    assert_true(rate_limit_message_cost(16 << 20) == 16384.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bucket_gives_what_it_holds_and_fills_at_its_rate),
        cmocka_unit_test(what_costs_more_than_a_full_bucket_is_owed),
        cmocka_unit_test(without_a_rate_everything_is_taken),
        cmocka_unit_test(who_is_refused_now_and_then_is_left_alone),
        cmocka_unit_test(who_goes_on_is_held_and_then_closed),
        cmocka_unit_test(who_calms_down_begins_anew),
        cmocka_unit_test(a_command_costs_what_it_asks_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
