// SPDX-License-Identifier: MIT
// A world as bytes, from anybody: either it is refused, or it is a world that steps, has a hash, and is written as
// bytes that are read as the same world. The hash at the end would stop most of what a fuzzer tries, so each is tried
// with the right one too.
#include "fuzz.h"

#include <string.h>

#include "base/hash.h"
#include "sim/archive.h"
#include "sim/sim.h"

#define TICKS 3u

static struct sim_world *create_world(float tick_hz) {
    struct sim_capacity capacity = sim_capacity_default();
    capacity.particles = 2000;
    capacity.sticks = 8000;
    capacity.triangles = 4000;
    capacity.objects = 64;
    capacity.obstacles = 64;
    capacity.shape_words = 20000;
    struct sim_world *world = NULL;
    FUZZ_CHECK(sim_world_create(&capacity, tick_hz, &world) == RESULT_OK);
    return world;
}

static uint8_t *archive(const struct sim_world *world, size_t *length) {
    *length = sim_world_archive_length(world);
    uint8_t *bytes = malloc(*length);
    FUZZ_CHECK(bytes != NULL);
    sim_world_archive(world, bytes);
    return bytes;
}

static void check_again(const struct sim_world *world, float tick_hz) {
    size_t length = 0, again_length = 0;
    struct fault fault;
    struct sim_world *second = create_world(tick_hz);
    uint8_t *bytes = archive(world, &length);
    FUZZ_CHECK(sim_world_unarchive(second, bytes, length, &fault) == RESULT_OK);
    FUZZ_CHECK(sim_world_hash(second) == sim_world_hash(world));
    uint8_t *again = archive(second, &again_length);
    FUZZ_CHECK(again_length == length && memcmp(again, bytes, length) == 0);
    free(bytes);
    free(again);
    sim_world_destroy(second);
}

static void load(const uint8_t *data, size_t size) {
    struct fault fault = {0};
    struct sim_archive_info info = {.tick_hz = 60.0f};
    (void)!sim_archive_look(data, size, &info, &fault);
    struct sim_world *world = create_world(info.tick_hz);
    const enum result result = sim_world_unarchive(world, data, size, &fault);
    if (result == RESULT_OK) {
        check_again(world, info.tick_hz);
    } else {
        FUZZ_CHECK(fault.cause == result && fault.message[0] != '\0');
    }
    for (uint32_t tick = 0; tick < TICKS; tick++) {
        sim_world_step(world);
    }
    (void)sim_world_hash(world);
    sim_world_destroy(world);
}

void fuzz_snapshot(const uint8_t *data, size_t size) {
    uint64_t hash = 0;
    uint8_t *mended = malloc(size + 1);
    FUZZ_CHECK(mended != NULL);
    memcpy(mended, data, size);
    if (size >= sizeof hash) {
        hash = hash64_of(data, size - sizeof hash, 0);
        memcpy(mended + size - sizeof hash, &hash, sizeof hash);
    } else {
        load(data, size);
    }
    load(mended, size);
    free(mended);
}

FUZZ_ENTRY(fuzz_snapshot)
