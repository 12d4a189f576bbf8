// SPDX-License-Identifier: MIT
// What a program needs that is the host of a world (engine/weft.h, "hosts"): checking, members and events of its own,
// computing a past again, records and scenes as text.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/weft.h"

#define CLIENT 7u

static weft_world *make_with(weft_role role) {
    weft_options options = weft_options_default();
    weft_error error;
    weft_world *world = NULL;
    options.max_particles = 20000;
    options.max_sticks = 100000;
    assert_int_equal(weft_world_create(&options, &world, &error), WEFT_OK);
    assert_int_equal(weft_world_join(world, CLIENT, "Ada", role, &error), WEFT_OK);
    return world;
}

static void submit(weft_world *world, const char *json) {
    assert_int_equal(weft_world_submit(world, CLIENT, json, strlen(json)), WEFT_OK);
}

// The next text that holds `part`; NULL: none comes.
static const char *next_text(weft_world *world, const char *part) {
    static char text[1 << 16];
    weft_output output;
    while (weft_world_take(world, &output)) {
        if (output.kind == WEFT_OUTPUT_TEXT && output.length < sizeof text) {
            memcpy(text, output.bytes, output.length);
            text[output.length] = '\0';
            if (strstr(text, part) != NULL) {
                return text;
            }
        }
    }
    return NULL;
}

// Takes what there is; the bytes of the last record go to `record`.
static size_t take_record(weft_world *world, uint8_t *record, size_t room) {
    size_t length = 0;
    weft_output output;
    while (weft_world_take(world, &output)) {
        if (output.kind == WEFT_OUTPUT_RECORD && output.length <= room) {
            memcpy(record, output.bytes, output.length);
            length = output.length;
        }
    }
    return length;
}

static int check(weft_world *world, const char *json) {
    return weft_world_check(world, CLIENT, json, strlen(json));
}

static void a_request_of_the_host_is_checked_like_any_other(void **state) {
    (void)state;
    weft_world *world = make_with(WEFT_ROLE_EDITOR);
    assert_non_null(next_text(world, "\"hello\""));
    assert_int_equal(check(world, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"world.seek\",\"params\":{\"tick\":3}}"),
                     1);
    assert_null(next_text(world, ""));
    assert_int_equal(check(world, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"world.seek\",\"params\":{\"tick\":-3}}"),
                     0);
    assert_non_null(next_text(world, "\"id\":2,\"error\":{\"code\":-32602"));
    assert_int_equal(
        check(world, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"world.remove\",\"params\":{\"name\":\"x\"}}"), 0);
    assert_non_null(next_text(world, "\"id\":3,\"error\":{\"code\":-32001"));
    assert_int_equal(check(world, "{\"jsonrpc\""), 0);
    assert_non_null(next_text(world, "-32700"));
    weft_world_destroy(world);
}

static void members_of_the_host_are_told_until_they_are_removed(void **state) {
    (void)state;
    static const char get[] = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"world.get\"}";
    weft_world *world = make_with(WEFT_ROLE_VIEWER);
    weft_error error;
    assert_int_equal(weft_world_describe(world, WEFT_PLACE_CLOCK, "frozen", "null", &error), WEFT_OK);
    assert_int_equal(weft_world_describe(world, WEFT_PLACE_PHYSICS, "physics", "2", &error), WEFT_OK);
    assert_int_equal(weft_world_describe(world, WEFT_PLACE_PHYSICS, "physics", " 3 ", &error), WEFT_OK);
    assert_int_equal(weft_world_describe(world, WEFT_PLACE_PHYSICS, "physics", "{", &error), WEFT_INVALID);
    assert_string_equal(error.pointer, "/json");
    assert_int_equal(weft_world_describe(world, (weft_place)7, "physics", "2", &error), WEFT_INVALID);
    submit(world, get);
    weft_world_apply(world);
    const char *reply = next_text(world, "\"id\":1");
    assert_non_null(reply);
    assert_non_null(strstr(reply, "\"frozen\":null"));
    assert_non_null(strstr(reply, "\"physics\":3"));
    assert_int_equal(weft_world_describe(world, WEFT_PLACE_CLOCK, "frozen", NULL, &error), WEFT_OK);
    submit(world, get);
    weft_world_apply(world);
    reply = next_text(world, "\"id\":1");
    assert_non_null(reply);
    assert_null(strstr(reply, "frozen"));
    weft_world_destroy(world);
}

static void events_of_the_host_reach_who_asked_for_them(void **state) {
    (void)state;
    weft_world *world = make_with(WEFT_ROLE_EDITOR);
    weft_error error;
    submit(world,
           "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"events.subscribe\",\"params\":{\"events\":[\"world.changed\","
           "\"undo.progress\"]}}");
    weft_world_apply(world);
    weft_world_changed(world, "seek", CLIENT);
    const char *event = next_text(world, "\"method\":\"world.changed\"");
    assert_non_null(event);
    assert_non_null(strstr(event, "\"reason\":\"seek\""));
    assert_non_null(strstr(event, "\"name\":\"Ada\""));
    assert_int_equal(weft_world_event(world, "undo.progress", "{\"state\":\"done\"}", &error), WEFT_OK);
    assert_non_null(next_text(world, "\"params\":{\"state\":\"done\"}"));
    assert_int_equal(weft_world_event(world, "commands.lost", "{}", &error), WEFT_OK); // nobody wants it
    assert_null(next_text(world, "commands.lost"));
    assert_int_equal(weft_world_event(world, "no.event", "{}", &error), WEFT_INVALID);
    assert_int_equal(weft_world_event(world, "undo.progress", "3", &error), WEFT_INVALID);
    weft_world_destroy(world);
}

static void a_past_is_computed_again_in_silence_and_then_shown(void **state) {
    (void)state;
    uint8_t record[4096];
    weft_world *world = make_with(WEFT_ROLE_EDITOR);
    weft_error error;
    size_t size = 0;
    const uint8_t *bytes = weft_world_snapshot(world, &size);
    uint8_t *snapshot = malloc(size);
    assert_true(bytes != NULL && snapshot != NULL);
    memcpy(snapshot, bytes, size);
    submit(world, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"frames.subscribe\",\"params\":{\"encoding\":\"raw\"}}");
    submit(world,
           "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"rope.spawn\",\"params\":{\"from\":[0,2,0],\"to\":[1,2,0]}}");
    weft_world_tick(world);
    const size_t length = take_record(world, record, sizeof record);
    assert_true(length > 0);
    for (int tick = 1; tick < 20; tick++) {
        weft_world_tick(world);
    }
    const uint64_t hash = weft_world_hash(world);
    const uint32_t epoch = weft_world_epoch(world);
    (void)take_record(world, record, 0);
    assert_int_equal(weft_world_restore(world, snapshot, size, &error), WEFT_OK);
    assert_int_equal(weft_world_sequence(world), 0);
    assert_int_equal(weft_world_replay(world, record, length, 20, &error), WEFT_OK);
    assert_true(weft_world_hash(world) == hash);
    assert_int_equal(weft_world_sequence(world), 1);
    weft_output output;
    assert_int_equal(weft_world_take(world, &output), 0);
    weft_world_show(world, 1);
    assert_true(weft_world_epoch(world) > epoch);
    weft_world_apply(world);
    assert_int_equal(weft_world_take(world, &output), 1);
    assert_int_equal(output.kind, WEFT_OUTPUT_BINARY);
    assert_int_equal(weft_world_replay(world, record, length - 8, 0, &error), WEFT_DAMAGED);
    assert_int_equal(weft_world_running(world), 1);
    weft_world_set_running(world, 0);
    assert_int_equal(weft_world_running(world), 0);
    free(snapshot);
    weft_world_destroy(world);
}

static void records_and_scenes_are_told_as_text(void **state) {
    (void)state;
    static const char scene[] = "{\"title\":\"A rope\",\"description\":\"It "
                                "hangs.\",\"commands\":[{\"method\":\"rope.spawn\",\"params\":{\"from\":[0,2,0],"
                                "\"to\":[1,2,0],\"pin\":\"start\"}}]}";
    uint8_t record[4096];
    char text[4096];
    const char *found = NULL;
    size_t length = 0;
    uint32_t commands = 0;
    weft_error error;
    weft_world *world = make_with(WEFT_ROLE_EDITOR);
    assert_string_equal(weft_world_scene(world), "");
    assert_null(weft_world_scene_commands(world, &length));
    assert_int_equal(weft_world_load_scene(world, "a-rope", scene, strlen(scene), &error), WEFT_OK);
    assert_string_equal(weft_world_scene(world), "a-rope");
    found = weft_world_scene_commands(world, &length);
    assert_non_null(found);
    assert_true(length > 20 && memcmp(found, "{\"commands\":[", 13) == 0);
    found = weft_world_scene_text(world, "Again", &length, &commands);
    assert_true(found != NULL && length < sizeof text);
    memcpy(text, found, length);
    text[length] = '\0';
    assert_non_null(strstr(text, "\"Again\""));
    assert_int_equal(weft_world_load_scene(world, "again", text, length, &error), WEFT_OK);
    weft_world_apply(world);
    (void)take_record(world, record, 0);
    submit(world,
           "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"batch.run\",\"params\":{\"commands\":[{\"method\":\"world.set\","
           "\"params\":{\"damping\":0.1}},{\"method\":\"body.spawn\",\"params\":{\"color\":\"#aabbcc\"}}]}}");
    submit(world, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"world.pause\"}");
    weft_world_apply(world);
    const uint32_t sequence = weft_world_sequence(world);
    const size_t size = take_record(world, record, sizeof record);
    assert_int_equal(weft_world_record_text(world, record, size, &found, &length, &error), WEFT_OK);
    assert_true(length < sizeof text);
    memcpy(text, found, length);
    text[length] = '\0';
    char made[40];
    snprintf(made, sizeof made, "\"made\":[%u]", sequence);
    assert_non_null(strstr(text, made));
    assert_non_null(strstr(text, "\"method\":\"batch.run\",\"params\":{\"commands\":["));
    assert_non_null(strstr(text, "\"method\":\"world.pause\",\"params\":{},\"made\":[],\"clock\":true}]"));
    assert_int_equal(weft_world_record_text(world, record, size - 8, &found, &length, &error), WEFT_DAMAGED);
    weft_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_request_of_the_host_is_checked_like_any_other),
        cmocka_unit_test(members_of_the_host_are_told_until_they_are_removed),
        cmocka_unit_test(events_of_the_host_reach_who_asked_for_them),
        cmocka_unit_test(a_past_is_computed_again_in_silence_and_then_shown),
        cmocka_unit_test(records_and_scenes_are_told_as_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
