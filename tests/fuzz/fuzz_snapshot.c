// SPDX-License-Identifier: MIT
// A world as bytes, from anybody: either it is refused, or it is a world that steps, has a hash, and is written again
// as the same bytes. The hash at its end would stop most of what a fuzzer tries, so each is tried with the right one
// too.
#include "fuzz.h"

#include <string.h>

#include "base/hash.h"
#include "sim/archive.h"
#include "sim/sim.h"

#define TICKS 3u

static void load(const uint8_t *data, size_t size) {
    struct sim_capacity capacity = sim_capacity_default();
    capacity.particles = 2000;
    capacity.sticks = 8000;
    capacity.triangles = 4000;
    capacity.objects = 64;
    capacity.obstacles = 64;
    capacity.shape_words = 20000;
    struct sim_world *world = NULL;
    struct fault fault = {0};
    float tick_hz = 60.0f;
    const enum result known = sim_archive_tick_hz(data, size, &tick_hz, &fault);
    FUZZ_CHECK(sim_world_create(&capacity, known == RESULT_OK ? tick_hz : 60.0f, &world) == RESULT_OK);
    const enum result result = sim_world_unarchive(world, data, size, &fault);
    if (result == RESULT_OK) {
        const size_t length = sim_world_archive_length(world);
        uint8_t *again = malloc(length);
        FUZZ_CHECK(again != NULL && length == size);
        sim_world_archive(world, again);
        FUZZ_CHECK(memcmp(again, data, size) == 0);
        free(again);
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
