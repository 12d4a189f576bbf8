// SPDX-License-Identifier: MIT
// Messages of a server, from anybody, as a viewer takes them that follows a world in lockstep (weft_world_follow and
// weft_world_record_apply): each is refused, or followed; whatever comes, a world remains that steps, has a hash and is
// written as a snapshot. A second world takes the same messages with vectors of another width, and its snapshots coded
// as planes: both have the same hash at any time.
//
// The worlds are made once, which takes longer than all else, and each input begins with both following an empty world.
// The input is messages of types 4, 5 and 6, each after its length (u32). The hash within a snapshot would stop most of
// what a fuzzer tries, so each snapshot is tried with the right one too.
#include "fuzz.h"

#include <string.h>

#include "base/hash.h"
#include "engine/weft.h"
#include "engine/weft_world.h"
#include "engine/world/lockstep.h"
#include "engine/world/tick_message.h"
#include "engine/world/word_planes.h"
#include "follow_mutator.h"
#include "sim/sim.h"

#define STEPS 3u
#define SUBSTEPS_MOST 2u
#define ITERATIONS_MOST 2u

static weft_world *create_world(uint32_t lanes) {
    weft_options options = weft_options_default();
    weft_world *world = NULL;
    options.max_particles = 2000;
    options.max_sticks = 8000;
    options.max_objects = 64;
    options.max_obstacles = 64;
    options.lanes = lanes;
    FUZZ_CHECK(weft_world_create(&options, &world, NULL) == WEFT_OK);
    return world;
}

static uint8_t *copy_of(const uint8_t *bytes, size_t length) {
    uint8_t *copy = malloc(length + (length == 0 ? 1 : 0)); // so that a sanitizer sees what lies behind it
    FUZZ_CHECK(copy != NULL);
    memcpy(copy, bytes, length);
    return copy;
}

static weft_result take(weft_world *world, const uint8_t *bytes, size_t length) {
    weft_error error = {.result = WEFT_DAMAGED};
    const uint64_t tick = weft_world_tick_count(world), hash = weft_world_hash(world);
    const bool is_record = length > 0 && bytes[0] == TICK_MESSAGE_TYPE;
    const bool is_snapshot = length > 0 && bytes[0] == LOCKSTEP_SNAPSHOT_TYPE;
    const weft_result result = is_record ? weft_world_record_apply(world, bytes, length, &error)
                                         : weft_world_follow(world, bytes, length, &error);
    FUZZ_CHECK(error.result == result && (error.message[0] != '\0') == (result != WEFT_OK));
    if (result == WEFT_OK && is_record) {
        weft_world_step(world); // the next records are of the next tick
    } else if (result != WEFT_OK && is_snapshot) {
        FUZZ_CHECK(weft_world_tick_count(world) == tick && weft_world_hash(world) == hash);
    }
    return result;
}

// A tick may be asked to take 64 substeps of 256 iterations each, and two cloths that touch everywhere take many rounds
// of each, with which a fuzzer soon does nothing else.
static void limit_work(weft_world *world) {
    struct sim_parameters parameters = *sim_world_parameters(world->engine->sim);
    struct fault fault;
    if (parameters.substeps > SUBSTEPS_MOST || parameters.iterations > ITERATIONS_MOST) {
        parameters.substeps = parameters.substeps < SUBSTEPS_MOST ? parameters.substeps : SUBSTEPS_MOST;
        parameters.iterations = parameters.iterations < ITERATIONS_MOST ? parameters.iterations : ITERATIONS_MOST;
        FUZZ_CHECK(sim_world_set_parameters(world->engine->sim, &parameters, &fault) == RESULT_OK);
    }
}

static weft_result take_both(weft_world *world, weft_world *second, const uint8_t *bytes, size_t length) {
    uint8_t *copy = copy_of(bytes, length);
    const weft_result result = take(world, copy, length);
    if (follow_is_plain_snapshot(bytes, length)) {
        word_planes_pack(bytes + LOCKSTEP_HEADER, length - LOCKSTEP_HEADER, copy + LOCKSTEP_HEADER);
        copy[1] = LOCKSTEP_PLANES;
    }
    FUZZ_CHECK(take(second, copy, length) == result);
    FUZZ_CHECK(weft_world_tick_count(world) == weft_world_tick_count(second));
    FUZZ_CHECK(weft_world_hash(world) == weft_world_hash(second));
    limit_work(world);
    limit_work(second);
    free(copy);
    return result;
}

static void take_mended(weft_world *world, weft_world *second, const uint8_t *bytes, size_t length) {
    struct follow_snapshot parts;
    if (!follow_find_parts(bytes, length, &parts) || parts.state_size < sizeof(uint64_t)) {
        return;
    }
    uint8_t *mended = copy_of(bytes, length);
    const uint64_t hash = hash64_of(bytes + parts.state, parts.state_size - sizeof hash, 0);
    memcpy(mended + parts.state + parts.state_size - sizeof hash, &hash, sizeof hash);
    (void)take_both(world, second, mended, length);
    free(mended);
}

static void check_snapshot(weft_world *world, weft_world *again) {
    size_t length = 0;
    const uint8_t *snapshot = weft_world_snapshot(world, &length);
    FUZZ_CHECK(snapshot != NULL);
    weft_error error = {0};
    if (weft_world_restore(again, snapshot, length, &error) != WEFT_OK) {
        fprintf(stderr, "%s\n", error.message);
        FUZZ_CHECK(error.result == WEFT_OK);
    }
    FUZZ_CHECK(weft_world_hash(again) == weft_world_hash(world));
}

// The world follows an empty one, from its generation 0 on.
static void begin(weft_world *world, const uint8_t *empty, size_t length) {
    weft_error error = {0};
    if (weft_world_follow(world, empty, length, &error) != WEFT_OK) {
        fprintf(stderr, "%s\n", error.message);
        FUZZ_CHECK(error.result == WEFT_OK);
    }
}

void fuzz_follow(const uint8_t *data, size_t size) {
    static weft_world *world, *second, *again;
    static uint8_t empty[1024] = {LOCKSTEP_SNAPSHOT_TYPE};
    static size_t empty_length;
    struct follow_messages messages;
    if (world == NULL) {
        world = create_world(0);
        second = create_world(4);
        again = create_world(0);
        const uint8_t *snapshot = weft_world_snapshot(again, &empty_length);
        FUZZ_CHECK(snapshot != NULL && empty_length <= sizeof empty - LOCKSTEP_HEADER);
        memcpy(empty + LOCKSTEP_HEADER, snapshot, empty_length);
        empty_length += LOCKSTEP_HEADER;
    }
    begin(world, empty, empty_length);
    begin(second, empty, empty_length);
    follow_split(data, size, &messages);
    for (uint32_t i = 0; i < messages.count; i++) {
        if (take_both(world, second, messages.at[i].bytes, messages.at[i].length) != WEFT_OK) {
            take_mended(world, second, messages.at[i].bytes, messages.at[i].length);
        }
    }
    check_snapshot(world, again);
    for (uint32_t step = 0; step < STEPS; step++) {
        weft_world_step(world);
        weft_world_step(second);
        FUZZ_CHECK(weft_world_hash(world) == weft_world_hash(second));
    }
}

FUZZ_ENTRY(fuzz_follow)
