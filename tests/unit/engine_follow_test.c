// SPDX-License-Identifier: MIT
// Following a world in lockstep (weft_world_follow), predicting and going back (weft_world_predict, weft_world_keep):
// the follower has the hash of the world that it follows, whatever was predicted in between; messages that are damaged,
// of another snapshot or out of their order change nothing.
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
#include "engine/world/word_planes.h"

#define CLIENT 7u
#define SNAPSHOT 5u
#define TICKS 6u
#define MESSAGES_MAX 4096u

struct message {
    unsigned char *bytes;
    size_t length;
};

static weft_world *make(void) {
    weft_options options = weft_options_default();
    weft_world *world = NULL;
    options.max_particles = 20000;
    options.max_sticks = 100000;
    assert_int_equal(weft_world_create(&options, &world, NULL), WEFT_OK);
    return world;
}

static void submit(weft_world *world, const char *json) {
    assert_int_equal(weft_world_submit(world, CLIENT, json, strlen(json)), WEFT_OK);
}

static weft_world *make_leader(void) {
    weft_world *leader = make();
    assert_int_equal(weft_world_join(leader, CLIENT, "Ada", WEFT_ROLE_EDITOR, NULL), WEFT_OK);
    submit(leader, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"cloth.spawn\",\"params\":{\"columns\":12,\"rows\":9,"
                   "\"spacing\":0.1,\"position\":[0,2,0],\"pin\":\"topCorners\"}}");
    weft_world_tick(leader);
    submit(leader,
           "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"frames.subscribe\",\"params\":{\"encoding\":\"ticks\"}}");
    return leader;
}

// Takes the messages of lockstep that a world has for its client.
static uint32_t take(weft_world *leader, struct message *messages) {
    weft_output output;
    uint32_t count = 0;
    while (weft_world_take(leader, &output)) {
        if (output.kind == WEFT_OUTPUT_BINARY && (output.bytes[0] == SNAPSHOT || output.bytes[0] == TICKS)) {
            assert_true(count < MESSAGES_MAX);
            messages[count].bytes = malloc(output.length);
            assert_non_null(messages[count].bytes);
            memcpy(messages[count].bytes, output.bytes, output.length);
            messages[count++].length = output.length;
        }
    }
    return count;
}

static void drop(struct message *messages, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        free(messages[i].bytes);
    }
}

static void follow(weft_world *leader, weft_world *follower) {
    static struct message messages[MESSAGES_MAX];
    const uint32_t count = take(leader, messages);
    for (uint32_t i = 0; i < count; i++) {
        weft_error error;
        if (weft_world_follow(follower, messages[i].bytes, messages[i].length, &error) != WEFT_OK) {
            fail_msg("%s", error.message);
        }
    }
    drop(messages, count);
}

static void assert_equal_worlds(weft_world *leader, weft_world *follower) {
    assert_int_equal(weft_world_tick_count(leader), weft_world_tick_count(follower));
    assert_true(weft_world_hash(leader) == weft_world_hash(follower));
}

#define GRAB "{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"grab.start\",\"params\":{\"object\":1,\"particle\":50}}"
#define PAUSE "{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"world.pause\"}"

static void move(char *json, size_t size, unsigned grab, int step) {
    snprintf(json, size,
             "{\"jsonrpc\":\"2.0\",\"method\":\"grab.move\",\"params\":{\"grab\":%u,\"position\":[%.2f,2,0.5]}}", grab,
             step / 50.0);
}

static void a_follower_has_the_state_of_the_world_that_it_follows(void **unused) {
    (void)unused;
    weft_world *leader = make_leader(), *follower = make();
    char json[256];
    for (int step = 0; step < 130; step++) {
        if (step == 20) {
            submit(leader, GRAB);
        }
        if (step > 20 && step < 60) {
            move(json, sizeof json, 2, step);
            submit(leader, json);
        }
        weft_world_tick(leader);
        if (step % 7 == 0) {
            follow(leader, follower);
        }
    }
    submit(leader, PAUSE);
    weft_world_tick(leader); // the last tick may have waited for the next one
    follow(leader, follower);
    assert_equal_worlds(leader, follower);
    submit(leader, "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"world.reset\"}");
    submit(leader,
           "{\"jsonrpc\":\"2.0\",\"id\":6,\"method\":\"rope.spawn\",\"params\":{\"from\":[0,2,0],\"to\":[1,2,0]}}");
    weft_world_apply(leader);
    follow(leader, follower);
    assert_equal_worlds(leader, follower);
    weft_world_destroy(follower);
    weft_world_destroy(leader);
}

static void predict(weft_world *world, const char *json, char *text, size_t size) {
    const char *result;
    size_t length;
    weft_error error;
    if (weft_world_predict(world, 1, json, strlen(json), &result, &length, &error) != WEFT_OK) {
        fail_msg("%s", error.message);
    }
    assert_true(length < size);
    memcpy(text, result, length);
    text[length] = '\0';
}

static void what_was_predicted_is_taken_back(void **unused) {
    (void)unused;
    weft_world *leader = make_leader(), *follower = make();
    weft_state *state = NULL;
    char text[512], json[256];
    for (int step = 0; step < 20; step++) {
        weft_world_tick(leader);
    }
    submit(leader, PAUSE);
    weft_world_tick(leader);
    follow(leader, follower);
    assert_equal_worlds(leader, follower);
    assert_int_equal(weft_world_keep(follower, &state, NULL), WEFT_OK);
    for (int round = 0; round < 3; round++) {
        predict(follower, GRAB, text, sizeof text);
        assert_non_null(strstr(text, "\"grab\":2"));
        for (int step = 0; step < 10; step++) {
            move(json, sizeof json, 2, step * (round + 1));
            predict(follower, json, text, sizeof text);
            weft_world_step(follower);
        }
        predict(follower,
                "{\"jsonrpc\":\"2.0\",\"method\":\"rope.spawn\",\"params\":{\"from\":[0,2,0],\"to\":[1,2,0]}}", text,
                sizeof text);
        weft_world_step(follower);
        assert_true(weft_world_hash(leader) != weft_world_hash(follower));
        assert_int_equal(weft_world_return(follower, state, NULL), WEFT_OK);
        assert_equal_worlds(leader, follower);
        assert_int_equal(weft_world_object_count(follower), 1);
    }
    submit(leader, GRAB);
    submit(leader, "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"world.resume\"}");
    weft_world_tick(leader);
    submit(leader, PAUSE);
    weft_world_tick(leader);
    follow(leader, follower);
    assert_equal_worlds(leader, follower);
    weft_state_destroy(state);
    weft_world_destroy(follower);
    weft_world_destroy(leader);
}

static struct vec3_of_particle { float x, y, z; } particle(const weft_world *world, uint32_t index) {
    const weft_particles particles = weft_world_particles(world);
    assert_true(index < particles.count);
    return (struct vec3_of_particle){particles.x[index], particles.y[index], particles.z[index]};
}

static bool is_at(const weft_world *world, uint32_t index, struct vec3_of_particle place) {
    const struct vec3_of_particle now = particle(world, index);
    return now.x == place.x && now.y == place.y && now.z == place.z;
}

// Two cloths hang apart; a body falls onto one of them.
#define OTHER_CLOTH                                                                                                    \
    "{\"jsonrpc\":\"2.0\",\"method\":\"cloth.spawn\",\"params\":{\"columns\":12,\"rows\":9,"                           \
    "\"spacing\":0.1,\"position\":[5,2,0],\"pin\":\"topCorners\"}}"
#define OTHER_GRAB "{\"jsonrpc\":\"2.0\",\"method\":\"grab.start\",\"params\":{\"object\":2,\"particle\":50}}"
#define ONE_CLOTH 108u

static void what_is_not_touched_stands_still_when_isolated(void **unused) {
    (void)unused;
    static const uint32_t touched[] = {1, 77}; // there is no object 77
    weft_world *leader = make_leader(), *whole = make(), *follower = make();
    weft_state *state = NULL;
    char text[512], json[256];
    submit(leader, OTHER_CLOTH);
    for (int step = 0; step < 20; step++) {
        weft_world_tick(leader);
    }
    submit(leader, PAUSE);
    weft_world_tick(leader);
    follow(leader, follower);
    assert_int_equal(weft_world_keep(follower, &state, NULL), WEFT_OK);
    size_t length;
    const uint8_t *snapshot = weft_world_snapshot(leader, &length);
    assert_int_equal(weft_world_restore(whole, snapshot, length, NULL), WEFT_OK);
    const struct vec3_of_particle before = particle(follower, ONE_CLOTH + 90);

    assert_int_equal(weft_world_isolate(follower, 1, touched, 2, NULL), WEFT_OK);
    for (int step = 0; step < 10; step++) {
        weft_world_step(follower);
        weft_world_step(whole);
    }
    assert_true(is_at(follower, ONE_CLOTH + 90, before));
    assert_false(is_at(whole, ONE_CLOTH + 90, before));
    for (uint32_t i = 0; i < ONE_CLOTH; i++) {
        assert_true(is_at(follower, i, particle(whole, i))); // the one that is touched moves as it would
    }

    predict(follower, OTHER_GRAB, text, sizeof text); // wakes it
    move(json, sizeof json, 3, 40);
    predict(follower, json, text, sizeof text);
    weft_world_step(follower);
    assert_false(is_at(follower, ONE_CLOTH + 90, before));

    assert_int_equal(weft_world_isolate(follower, 1, NULL, 0, NULL), WEFT_OK); // what the client holds is touched
    const struct vec3_of_particle held = particle(follower, ONE_CLOTH + 90), first = particle(follower, 90);
    weft_world_step(follower);
    assert_false(is_at(follower, ONE_CLOTH + 90, held));
    assert_true(is_at(follower, 90, first));
    assert_int_equal(weft_world_isolate(follower, 2, NULL, 0, NULL), WEFT_OK); // but not what another one holds
    const struct vec3_of_particle stood = particle(follower, ONE_CLOTH + 90);
    weft_world_step(follower);
    assert_true(is_at(follower, ONE_CLOTH + 90, stood));

    assert_int_equal(weft_world_return(follower, state, NULL), WEFT_OK);
    assert_equal_worlds(leader, follower);
    for (int step = 0; step < 10; step++) {
        weft_world_step(follower);
    }
    assert_equal_worlds(whole, follower);
    weft_state_destroy(state);
    weft_world_destroy(whole);
    weft_world_destroy(follower);
    weft_world_destroy(leader);
}

#define FALLING_BODY                                                                                                   \
    "{\"jsonrpc\":\"2.0\",\"method\":\"body.spawn\",\"params\":{\"position\":[3,2.5,0],\"velocity\":[0,-5,0]}}"

// The island of what is touched: what it falls upon wakes.
static void what_is_touched_wakes_what_it_meets(void **unused) {
    (void)unused;
    weft_world *leader = make_leader();
    char text[512];
    submit(leader,
           "{\"jsonrpc\":\"2.0\",\"method\":\"cloth.spawn\",\"params\":{\"columns\":12,\"rows\":12,"
           "\"spacing\":0.1,\"position\":[3,1.8,0],\"rotation\":[0.7071068,0,0,0.7071068],\"pin\":\"corners\"}}");
    for (int step = 0; step < 20; step++) {
        weft_world_tick(leader);
    }
    assert_int_equal(weft_world_isolate(leader, 1, NULL, 0, NULL), WEFT_OK);
    const struct vec3_of_particle before = particle(leader, ONE_CLOTH + 66);
    weft_world_step(leader);
    assert_true(is_at(leader, ONE_CLOTH + 66, before));
    predict(leader, FALLING_BODY, text, sizeof text);
    for (int step = 0; step < 40; step++) {
        weft_world_step(leader);
    }
    assert_false(is_at(leader, ONE_CLOTH + 66, before));
    weft_world_destroy(leader);
}

static void what_cannot_be_predicted_is_refused(void **unused) {
    (void)unused;
    weft_world *world = make_leader();
    const uint64_t before = weft_world_hash(world);
    static const struct {
        const char *json;
        weft_result result;
    } refused[] = {{"{\"jsonrpc\":\"2.0\",\"method\":\"world.get\"}", WEFT_INVALID},
                   {"{\"jsonrpc\":\"2.0\",\"method\":\"world.pause\"}", WEFT_INVALID},
                   {"{\"jsonrpc\":\"2.0\",\"method\":\"world.reset\"}", WEFT_INVALID},
                   {"{\"jsonrpc\":\"2.0\",\"method\":\"world.undo\"}", WEFT_STATE},
                   {"{\"jsonrpc\":\"2.0\",\"method\":\"object.remove\",\"params\":{\"object\":99}}", WEFT_NOT_FOUND},
                   {"{\"jsonrpc\":", WEFT_PARSE}};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        const char *result;
        size_t length;
        weft_error error;
        assert_int_equal(
            weft_world_predict(world, 1, refused[i].json, strlen(refused[i].json), &result, &length, &error),
            refused[i].result);
        assert_true(error.message[0] != '\0');
    }
    assert_true(weft_world_hash(world) == before);
    weft_world_destroy(world);
}

static void damaged_messages_are_refused(void **unused) {
    (void)unused;
    static struct message messages[MESSAGES_MAX];
    weft_world *leader = make_leader(), *follower = make();
    weft_error error;
    for (int step = 0; step < 62; step++) {
        if (step == 3) {
            submit(leader, GRAB);
        }
        weft_world_tick(leader);
    }
    const uint32_t count = take(leader, messages);
    assert_true(count > 20 && messages[0].bytes[0] == SNAPSHOT);
    assert_int_equal(weft_world_follow(follower, messages[1].bytes, messages[1].length, &error), WEFT_STATE);
    assert_int_equal(weft_world_follow(follower, "", 0, &error), WEFT_DAMAGED);
    messages[0].bytes[1] = 1;
    assert_int_equal(weft_world_follow(follower, messages[0].bytes, messages[0].length, &error), WEFT_INVALID);
    messages[0].bytes[1] = 0;
    assert_int_equal(weft_world_follow(follower, messages[0].bytes, messages[0].length, &error), WEFT_OK);
    assert_int_equal(weft_world_follow(follower, messages[4].bytes, messages[4].length, &error), WEFT_STATE);
    for (uint32_t i = 1; i < count; i++) {
        unsigned char *bytes = messages[i].bytes;
        for (size_t cut = 0; cut < messages[i].length; cut++) { // none of these changes anything
            const weft_result result = weft_world_follow(follower, bytes, cut, &error);
            assert_true(result == WEFT_DAMAGED);
        }
        bytes[4] ^= 1;
        assert_int_equal(weft_world_follow(follower, bytes, messages[i].length, &error), WEFT_STATE);
        bytes[4] ^= 1;
        bytes[2] += 3;
        assert_int_equal(weft_world_follow(follower, bytes, messages[i].length, &error), WEFT_DAMAGED);
        bytes[2] -= 3;
        if (bytes[1] == 1) {
            bytes[16] ^= 1;
            assert_int_equal(weft_world_follow(follower, bytes, messages[i].length, &error), WEFT_DAMAGED);
            assert_non_null(strstr(error.message, "differs"));
            bytes[16] ^= 1;
        }
        assert_int_equal(weft_world_follow(follower, bytes, messages[i].length, &error), WEFT_OK);
        assert_int_equal(weft_world_follow(follower, bytes, messages[i].length, &error), WEFT_OK); // passed over
    }
    drop(messages, count);
    weft_world_destroy(follower);
    weft_world_destroy(leader);
}

static void a_snapshot_in_planes_is_the_same(void **unused) {
    (void)unused;
    static struct message messages[MESSAGES_MAX];
    weft_world *leader = make_leader(), *follower = make();
    weft_world_tick(leader);
    submit(leader, PAUSE);
    weft_world_tick(leader);
    const uint32_t count = take(leader, messages);
    assert_true(count > 0 && messages[0].bytes[0] == SNAPSHOT);
    for (size_t odd = 0; odd < 4; odd++) { // lengths that are no multiple of four
        unsigned char bytes[11], planes[11], again[11];
        memcpy(bytes, messages[0].bytes + 16, sizeof bytes);
        word_planes_pack(bytes, 8 + odd, planes);
        word_planes_unpack(planes, 8 + odd, again);
        assert_memory_equal(bytes, again, 8 + odd);
    }
    unsigned char *planes = malloc(messages[0].length);
    assert_non_null(planes);
    memcpy(planes, messages[0].bytes, 16);
    planes[1] = 2;
    word_planes_pack(messages[0].bytes + 16, messages[0].length - 16, planes + 16);
    assert_int_equal(weft_world_follow(follower, planes, messages[0].length, NULL), WEFT_OK);
    for (uint32_t i = 1; i < count; i++) {
        assert_int_equal(weft_world_follow(follower, messages[i].bytes, messages[i].length, NULL), WEFT_OK);
    }
    assert_equal_worlds(leader, follower);
    free(planes);
    drop(messages, count);
    weft_world_destroy(follower);
    weft_world_destroy(leader);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_snapshot_in_planes_is_the_same),
        cmocka_unit_test(a_follower_has_the_state_of_the_world_that_it_follows),
        cmocka_unit_test(what_was_predicted_is_taken_back),
        cmocka_unit_test(what_is_not_touched_stands_still_when_isolated),
        cmocka_unit_test(what_is_touched_wakes_what_it_meets),
        cmocka_unit_test(what_cannot_be_predicted_is_refused),
        cmocka_unit_test(damaged_messages_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
