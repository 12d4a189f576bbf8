// SPDX-License-Identifier: MIT
// The engine as a library (engine/weft.h): clients, commands, roles, records, snapshots, frames, bad input.
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

static weft_world *make(void) {
    weft_options options = weft_options_default();
    weft_error error;
    weft_world *world = NULL;
    options.max_particles = 20000;
    options.max_sticks = 100000;
    assert_int_equal(weft_world_create(&options, &world, &error), WEFT_OK);
    return world;
}

static weft_world *make_with(weft_role role) {
    weft_world *world = make();
    weft_error error;
    assert_int_equal(weft_world_join(world, CLIENT, "Ada", role, &error), WEFT_OK);
    return world;
}

static void submit(weft_world *world, const char *json) {
    assert_int_equal(weft_world_submit(world, CLIENT, json, strlen(json)), WEFT_OK);
}

// The next text for the client that holds `part`, as a string that stays until the next call; NULL: none comes.
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

static const char spawn[] =
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"cloth.spawn\",\"params\":{\"columns\":12,\"rows\":"
    "9,\"spacing\":0.1,\"position\":[0,2,0],\"pin\":\"topCorners\"}}";

static void a_client_is_greeted_and_its_command_is_answered(void **state) {
    (void)state;
    weft_world *world = make_with(WEFT_ROLE_EDITOR);
    const char *hello = next_text(world, "\"hello\"");
    assert_non_null(hello);
    assert_non_null(strstr(hello, "\"name\":\"Ada\""));
    submit(world, spawn);
    assert_int_equal(weft_world_object_count(world), 0); // until the next tick boundary
    assert_int_equal(weft_world_tick(world), 1);
    assert_non_null(next_text(world, "\"result\":{\"object\":1,\"particles\":108"));
    assert_int_equal(weft_world_particles(world).count, 108);
    assert_int_equal(weft_world_object_at(world, 0).particles, 108);
    assert_int_equal(weft_world_tick_count(world), 1);
    weft_world_destroy(world);
}

static void bad_input_gets_an_error_that_names_the_member(void **state) {
    (void)state;
    weft_world *world = make_with(WEFT_ROLE_EDITOR);
    const uint64_t before = weft_world_hash(world);
    submit(world, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"cloth.spwan\",\"params\":{}}");
    weft_world_apply(world);
    assert_non_null(next_text(world, "cloth.spawn")); // the name that was meant
    submit(world, "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"cloth.spawn\",\"params\":{\"rows\":1}}");
    weft_world_apply(world);
    assert_non_null(next_text(world, "/rows"));
    submit(world, "{\"jsonrpc\":");
    weft_world_apply(world);
    assert_non_null(next_text(world, "\"id\":null"));
    submit(world, "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"world.list\"}");
    weft_world_apply(world);
    assert_non_null(next_text(world, "needs a server"));
    assert_int_equal(weft_world_submit(world, CLIENT + 1, spawn, strlen(spawn)), WEFT_NOT_FOUND);
    assert_true(weft_world_hash(world) == before);
    weft_world_destroy(world);
}

static void a_viewer_may_look_and_not_touch(void **state) {
    (void)state;
    weft_world *world = make_with(WEFT_ROLE_VIEWER);
    submit(world, spawn);
    weft_world_tick(world);
    assert_non_null(next_text(world, "takes the role editor"));
    assert_int_equal(weft_world_object_count(world), 0);
    submit(world, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"world.get\"}");
    weft_world_tick(world);
    assert_non_null(next_text(world, "\"stateHash\""));
    weft_world_destroy(world);
}

static void a_standing_world_is_stepped_by_world_step_only(void **state) {
    (void)state;
    weft_world *world = make_with(WEFT_ROLE_EDITOR);
    submit(world, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"world.pause\"}");
    assert_int_equal(weft_world_tick(world), 0);
    submit(world, "{\"jsonrpc\":\"2.0\",\"id\":\"s\",\"method\":\"world.step\",\"params\":{\"ticks\":3}}");
    for (int tick = 0; tick < 3; tick++) {
        assert_null(next_text(world, "\"id\":\"s\""));
        assert_int_equal(weft_world_tick(world), 1);
    }
    assert_non_null(next_text(world, "\"id\":\"s\",\"result\":{\"tick\":3}"));
    assert_int_equal(weft_world_tick(world), 0);
    weft_world_destroy(world);
}

static void a_batch_lands_at_its_tick(void **state) {
    (void)state;
    weft_world *world = make_with(WEFT_ROLE_EDITOR);
    submit(world,
           "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"batch.run\",\"params\":{\"atTick\":5,\"commands\":[{\"method\":"
           "\"cloth.spawn\",\"params\":{\"columns\":4,\"rows\":4}}]}}");
    for (int tick = 0; tick < 4; tick++) {
        weft_world_tick(world);
        assert_int_equal(weft_world_object_count(world), 0);
    }
    weft_world_tick(world);
    assert_int_equal(weft_world_object_count(world), 1);
    submit(world,
           "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"batch.run\",\"params\":{\"atTick\":5,\"commands\":[{\"method\":"
           "\"cloth.spawn\",\"params\":{\"columns\":4,\"rows\":4}}]}}");
    weft_world_tick(world);
    assert_non_null(next_text(world, "/atTick"));
    weft_world_destroy(world);
}

static void the_records_of_a_world_make_another_one_equal(void **state) {
    (void)state;
    static const char *const script[] = {
        spawn,
        "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"grab.start\",\"params\":{\"object\":1,\"particle\":100}}",
        "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"grab.move\",\"params\":{\"grab\":2,\"position\":[0.5,1.5,0.4]}}",
        "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"world.set\",\"params\":{\"wind\":{\"velocity\":[3,0,1]}}}",
        "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"body.spawn\",\"params\":{\"shape\":\"box\",\"size\":[0.2,0.3,0.4],"
        "\"position\":[0.2,4,0]}"
        "}",
        "{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"object.remove\",\"params\":{\"object\":99}}",
    };
    weft_world *world = make_with(WEFT_ROLE_EDITOR), *mirror = make();
    weft_error error;
    weft_output output;
    static uint8_t last[1 << 16];
    size_t last_length = 0;
    uint32_t records = 0;
    for (unsigned tick = 0; tick < 120; tick++) {
        if (tick % 10 == 0 && tick / 10 < sizeof script / sizeof *script) {
            submit(world, script[tick / 10]);
        }
        if (tick == 80) {
            weft_world_leave(world, CLIENT); // its grab ends, which is recorded
        }
        weft_world_tick(world);
        while (weft_world_take(world, &output)) {
            if (output.kind == WEFT_OUTPUT_RECORD) {
                assert_int_equal(output.client, 0);
                assert_true(output.length <= sizeof last);
                memcpy(last, output.bytes, output.length);
                last_length = output.length;
                assert_int_equal(weft_world_record_apply(mirror, last, last_length, &error), WEFT_OK);
                records++;
            }
        }
        weft_world_tick(mirror);
        assert_true(weft_world_hash(mirror) == weft_world_hash(world));
    }
    assert_int_equal(records, 6); // five changes and the end of the grab; what was refused is none
    const uint64_t before = weft_world_hash(mirror);
    assert_int_equal(weft_world_record_apply(mirror, last, last_length, &error), WEFT_STATE); // a late one
    assert_int_equal(weft_world_record_apply(mirror, last, last_length - 8, &error), WEFT_STATE);
    assert_int_equal(weft_world_record_apply(mirror, "nonsense", 8, &error), WEFT_DAMAGED);
    assert_true(weft_world_hash(mirror) == before);
    for (size_t at = 0; at + 3 < last_length; at++) { // neither key nor address nor the request's id
        assert_true(memcmp(last + at, "\"id\"", 4) != 0);
    }
    weft_world_destroy(world);
    weft_world_destroy(mirror);
}

static void a_snapshot_brings_a_world_back_and_a_damaged_one_changes_nothing(void **state) {
    (void)state;
    weft_world *world = make_with(WEFT_ROLE_EDITOR), *other = make_with(WEFT_ROLE_EDITOR);
    weft_error error;
    submit(world, spawn);
    for (int tick = 0; tick < 30; tick++) {
        weft_world_tick(world);
    }
    size_t length = 0;
    const uint8_t *bytes = weft_world_snapshot(world, &length);
    assert_non_null(bytes);
    uint8_t *copy = malloc(length);
    assert_non_null(copy);
    memcpy(copy, bytes, length);
    const uint64_t hash = weft_world_hash(world);
    const weft_result restored = weft_world_restore(other, copy, length, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(restored, WEFT_OK);
    assert_true(weft_world_hash(other) == hash);
    for (int tick = 0; tick < 30; tick++) {
        weft_world_tick(world);
        weft_world_tick(other);
    }
    assert_true(weft_world_hash(other) == weft_world_hash(world));
    const uint64_t now = weft_world_hash(other);
    for (size_t at = 0; at < length; at += 1 + length / 97) {
        copy[at] ^= 0x40;
        if (weft_world_restore(other, copy, length, &error) != WEFT_OK) {
            assert_true(error.message[0] != '\0');
            assert_true(weft_world_hash(other) == now);
        } else {
            assert_int_equal(weft_world_restore(other, weft_world_snapshot(world, &length), length, &error), WEFT_OK);
        }
        copy[at] ^= 0x40;
    }
    assert_int_equal(weft_world_restore(other, copy, length / 2, &error), WEFT_DAMAGED);
    free(copy);
    weft_world_destroy(world);
    weft_world_destroy(other);
}

static void a_viewer_gets_a_topology_and_then_a_frame_a_tick(void **state) {
    (void)state;
    weft_world *world = make_with(WEFT_ROLE_VIEWER);
    weft_error error;
    weft_output output;
    const char scene[] =
        "{\"title\":\"One cloth\",\"commands\":[{\"method\":\"cloth.spawn\",\"params\":{\"columns\":4,\"rows\":4}}]}";
    assert_int_equal(weft_world_load_scene(world, "one", scene, strlen(scene), &error), WEFT_OK);
    const char bad[] = "{\"title\":\"x\",\"commands\":[{\"method\":\"no.such\",\"params\":{}}]}";
    assert_int_equal(weft_world_load_scene(world, "bad", bad, strlen(bad), &error), WEFT_METHOD);
    assert_string_equal(error.pointer, "/commands/0/method");
    submit(world,
           "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"frames.subscribe\",\"params\":{\"encoding\":\"motion\"}}");
    uint32_t frames = 0, topologies = 0;
    for (int tick = 0; tick < 50; tick++) {
        weft_world_tick(world);
        while (weft_world_take(world, &output)) {
            if (output.kind == WEFT_OUTPUT_BINARY) {
                assert_int_equal(output.client, CLIENT);
                frames += output.bytes[0] == 1;
                topologies += output.bytes[0] == 2;
            }
        }
    }
    assert_int_equal(topologies, 1);
    assert_in_range(frames, 50, 52);
    weft_world_destroy(world);
}

static void options_and_clients_are_checked(void **state) {
    (void)state;
    weft_options options = weft_options_default();
    weft_world *world = NULL;
    weft_error error;
    options.tick_hz = 0.0f;
    assert_int_equal(weft_world_create(&options, &world, &error), WEFT_INVALID);
    assert_string_equal(error.pointer, "/tick_hz");
    options = weft_options_default();
    options.lanes = 5;
    assert_int_equal(weft_world_create(&options, &world, &error), WEFT_INVALID);
    assert_string_equal(error.pointer, "/lanes");
    options = weft_options_default();
    options.size = 4;
    assert_int_equal(weft_world_create(&options, &world, &error), WEFT_INVALID);
    assert_null(world);
    world = make();
    assert_int_equal(weft_world_join(world, 0, NULL, WEFT_ROLE_EDITOR, &error), WEFT_INVALID);
    assert_int_equal(weft_world_join(world, 5, NULL, WEFT_ROLE_EDITOR, &error), WEFT_OK);
    assert_int_equal(weft_world_join(world, 5, NULL, WEFT_ROLE_EDITOR, &error), WEFT_INVALID);
    assert_int_equal(weft_world_join(world, 6, NULL, (weft_role)9, NULL), WEFT_INVALID);
    weft_world_leave(world, 1234); // there is none
    weft_world_destroy(world);
    weft_world_destroy(NULL);
}

static void a_client_may_not_hoard_the_future(void **state) {
    (void)state;
    weft_world *world = make_with(WEFT_ROLE_EDITOR);
    char json[256];
    for (int i = 0; i < 257; i++) {
        snprintf(json, sizeof json,
                 "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"world.set\",\"params\":{\"damping\":0.1,\"atTick\":50}}",
                 i);
        submit(world, json);
    }
    weft_world_tick(world);
    const char *refusal = next_text(world, "\"error\"");
    assert_non_null(refusal);
    assert_non_null(strstr(refusal, "\"id\":256"));
    assert_non_null(strstr(refusal, "256 requests of yours wait"));
    submit(world,
           "{\"jsonrpc\":\"2.0\",\"id\":300,\"method\":\"world.set\",\"params\":{\"damping\":0.1,\"atTick\":1}}");
    submit(world,
           "{\"jsonrpc\":\"2.0\",\"id\":301,\"method\":\"world.set\",\"params\":{\"damping\":0.1,\"atTick\":999}}");
    weft_world_tick(world);
    assert_non_null(next_text(world, "atTick must be at least 2, the next tick, got 1"));
    assert_non_null(next_text(world, "atTick must be at most 121, 2 s ahead, got 999"));
    while (weft_world_tick_count(world) < 50) {
        weft_world_tick(world);
    }
    assert_non_null(next_text(world, "\"id\":255,\"result\""));
    weft_world_destroy(world);
}

static void particles_are_matrices_whose_rows_lie_equally_far_apart(void **state) {
    (void)state;
    weft_world *world = make_with(WEFT_ROLE_EDITOR);
    submit(world, spawn);
    weft_world_tick(world);
    const weft_particles view = weft_world_particles(world);
    assert_int_equal(view.count, 108);
    const ptrdiff_t row = (const char *)view.y - (const char *)view.x;
    assert_true(row >= (ptrdiff_t)(20000 * sizeof(float)));
    assert_int_equal((const char *)view.z - (const char *)view.y, row);
    assert_int_equal((const char *)view.dy - (const char *)view.dx, row);
    assert_int_equal((const char *)view.dz - (const char *)view.dy, row);
    weft_world_destroy(world);
}

static void contacts_are_listed_up_to_the_given_number(void **state) {
    (void)state;
    weft_world *world = make_with(WEFT_ROLE_EDITOR);
    weft_contact contacts[8];
    weft_error error;
    uint32_t count = 9, total = 9;
    int complete = 0;
    submit(world, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"obstacle.add\",\"params\":{\"shape\":\"plane\"}}");
    submit(world, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"particles.spawn\",\"params\":"
                  "{\"positions\":[0,0.1,0,1,0.1,0,2,0.1,0,3,5,0],\"radius\":0.1}}");
    for (int tick = 0; tick < 3; tick++) {
        weft_world_tick(world);
    }
    assert_int_equal(weft_world_contacts(world, contacts, 8, &count, &total, &complete, &error), WEFT_OK);
    assert_int_equal(total, 3);
    assert_int_equal(count, 3);
    assert_int_equal(complete, 1);
    assert_int_equal(contacts[0].kind, WEFT_CONTACT_OBSTACLE);
    assert_int_equal(contacts[0].object, 2);
    assert_int_equal(contacts[0].other, 1);
    assert_float_equal(contacts[0].ny, 1.0f, 1e-6f);
    assert_float_equal(contacts[0].y, 0.0f, 1e-2f);
    assert_int_equal(weft_world_contacts(world, contacts, 2, &count, NULL, NULL, NULL), WEFT_OK);
    assert_true(count <= 2);
    assert_int_equal(weft_world_contacts(world, contacts, 1000001, &count, NULL, NULL, &error), WEFT_INVALID);
    assert_string_equal(error.pointer, "/most");
    weft_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_client_is_greeted_and_its_command_is_answered),
        cmocka_unit_test(bad_input_gets_an_error_that_names_the_member),
        cmocka_unit_test(a_viewer_may_look_and_not_touch),
        cmocka_unit_test(a_standing_world_is_stepped_by_world_step_only),
        cmocka_unit_test(a_batch_lands_at_its_tick),
        cmocka_unit_test(the_records_of_a_world_make_another_one_equal),
        cmocka_unit_test(a_snapshot_brings_a_world_back_and_a_damaged_one_changes_nothing),
        cmocka_unit_test(a_viewer_gets_a_topology_and_then_a_frame_a_tick),
        cmocka_unit_test(options_and_clients_are_checked),
        cmocka_unit_test(a_client_may_not_hoard_the_future),
        cmocka_unit_test(particles_are_matrices_whose_rows_lie_equally_far_apart),
        cmocka_unit_test(contacts_are_listed_up_to_the_given_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
