// SPDX-License-Identifier: MIT
// Of the life of a server in host_lives_test.c: the world that follows the server's in lockstep.
#ifndef WEFT_TESTS_HOST_LIFE_FOLLOWER_H
#define WEFT_TESTS_HOST_LIFE_FOLLOWER_H

#include <zlib.h>

#include "engine/world/lockstep.h"
#include "host_life.h"

// ---- following in lockstep ---------------------------------------------------------------------------------------

static void make_follower(void) {
    weft_options options = weft_options_default();
    options.max_particles = life.config.max_particles;
    options.max_sticks = life.config.max_sticks;
    options.max_objects = life.config.max_objects;
    options.max_obstacles = life.config.max_obstacles;
    CASE(weft_world_create(&options, &life.follower, NULL) == WEFT_OK);
}

static uint32_t generation_of(const uint8_t *bytes) {
    uint32_t generation;
    memcpy(&generation, bytes + 4, sizeof generation);
    return generation;
}

static void follow(const uint8_t *bytes, size_t length) {
    weft_error error;
    weft_output output;
    if (weft_world_follow(life.follower, bytes, length, &error) != WEFT_OK) {
        fail_msg("%s; WEFT_SEED=%llu WEFT_LIVES=1 leads this life again", error.message,
                 (unsigned long long)lives_seed);
    }
    while (weft_world_take(life.follower, &output)) {
    }
}

static void follow_ticks(const struct letter *letter) {
    const uint8_t *bytes = message_data(letter->message);
    const uint64_t before = weft_world_tick_count(life.follower);
    uint64_t tick;
    memcpy(&tick, bytes + 8, sizeof tick);
    const bool is_passed = tick < before && tick + bytes[2] <= before;
    follow(bytes, message_length(letter->message));
    CASE(is_passed || weft_world_hash(life.follower) == letter->hash);
    total.followed += is_passed ? 0 : 1;
    total.records += is_passed ? 0 : bytes[3];
}

// What is deflated in a message with a snapshot.
static uint8_t *inflate_snapshot(const uint8_t *bytes, size_t length, size_t *inflated_length) {
    const size_t room = (size_t)4 << 20;
    uint8_t *out = malloc(room);
    uLongf inflated = room - LOCKSTEP_HEADER;
    CASE(out != NULL);
    memcpy(out, bytes, LOCKSTEP_HEADER);
    out[1] &= (uint8_t)~LOCKSTEP_DEFLATED;
    CASE(uncompress(out + LOCKSTEP_HEADER, &inflated, bytes + LOCKSTEP_HEADER, length - LOCKSTEP_HEADER) == Z_OK);
    *inflated_length = LOCKSTEP_HEADER + inflated;
    return out;
}

static void take_snapshot(const struct letter *letter) {
    size_t length = message_length(letter->message);
    const uint8_t *bytes = message_data(letter->message);
    uint8_t *inflated = (bytes[1] & LOCKSTEP_DEFLATED) != 0 ? inflate_snapshot(bytes, length, &length) : NULL;
    follow(inflated != NULL ? inflated : bytes, length);
    free(inflated);
    life.following = FOLLOWS_TICKS;
    life.generation = generation_of(bytes);
    struct letters kept = life.kept;
    life.kept = (struct letters){0};
    for (struct letter ticks; take(&kept, &ticks);) {
        const uint32_t generation = generation_of(message_data(ticks.message));
        if (generation > life.generation) {
            put(&life.kept, ticks);
            continue;
        }
        if (generation == life.generation) {
            follow_ticks(&ticks);
        }
        message_release(ticks.message);
    }
    total.renewals++;
}

// A message of ticks, or a snapshot. Returns true when it is kept.
static bool take_binary(const struct letter *letter) {
    const uint8_t *bytes = message_data(letter->message);
    if (life.following < FOLLOWS_WAITING || message_length(letter->message) < LOCKSTEP_HEADER) {
        return false;
    }
    if (bytes[0] == LOCKSTEP_SNAPSHOT_TYPE) {
        take_snapshot(letter);
    } else if (bytes[0] == LOCKSTEP_TICKS_TYPE) {
        const uint32_t generation = generation_of(bytes);
        if (life.following == FOLLOWS_WAITING || generation > life.generation) {
            put(&life.kept, *letter);
            return true;
        }
        if (generation == life.generation) {
            follow_ticks(letter);
        }
    }
    return false;
}

static void follow_nothing(void) {
    life.following = FOLLOWS_NOTHING;
    empty(&life.kept);
}

#endif
