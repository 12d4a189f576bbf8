// SPDX-License-Identifier: MIT
// The order of the tetrahedra of a soft body. They are relaxed one after the other; where many in a row share no
// particle (a batch), their order does not matter, and threads divide them. New bodies are sorted by colours, so that
// the batches are long; what no colour is left for comes last. The order is part of the state, the batches follow from
// it.
#include "sim/volume/tetrahedron_plan.h"

#include "sim/stick/colour.h"

#define COLOURS 64u

void tetrahedron_sort(const uint32_t *corner, uint32_t count, uint64_t *taken, uint32_t *colour, uint32_t *order) {
    uint32_t end[COLOURS + 1];
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *at = corner + 4 * (size_t)i;
        const uint64_t used = taken[at[0]] | taken[at[1]] | taken[at[2]] | taken[at[3]];
        colour[i] = COLOURS;
        if (used != UINT64_MAX) {
            const uint64_t lowest = ~used & (used + 1);
            colour[i] = (uint32_t)__builtin_ctzll(lowest);
            for (unsigned k = 0; k < 4; k++) {
                taken[at[k]] |= lowest;
            }
        }
    }
    for (size_t i = 0; i < 4 * (size_t)count; i++) {
        taken[corner[i]] = 0;
    }
    colour_sort(colour, count, COLOURS + 1, end, order);
}

static bool is_apart(const struct sim_world *world, const struct object *object, const uint32_t *corner) {
    const uint64_t *taken = world->colours_taken + object->first;
    return (taken[corner[0]] | taken[corner[1]] | taken[corner[2]] | taken[corner[3]]) == 0;
}

static void mark(struct sim_world *world, const struct object *object, uint32_t from, uint32_t end, uint64_t value) {
    const uint32_t *corner = world->tetrahedron + 4 * (size_t)object->first_tetrahedron;
    for (size_t i = 4 * (size_t)from; i < 4 * (size_t)end; i++) {
        world->colours_taken[object->first + corner[i]] = value;
    }
}

static void plan_object(struct sim_world *world, struct object *object) {
    const uint32_t *corner = world->tetrahedron + 4 * (size_t)object->first_tetrahedron;
    uint32_t *end = world->tetrahedron_batch_end + object->first_batch;
    uint32_t first = 0;
    object->batches = 0;
    for (uint32_t i = 0; i < object->tetrahedra; i++) {
        if (!is_apart(world, object, corner + 4 * (size_t)i)) {
            mark(world, object, first, i, 0);
            end[object->batches++] = i;
            first = i;
        }
        mark(world, object, i, i + 1, 1);
    }
    mark(world, object, first, object->tetrahedra, 0);
    end[object->batches++] = object->tetrahedra;
}

void tetrahedron_plan_resolve(struct sim_world *world) {
    if (!world->tetrahedron_plan_stale) {
        return;
    }
    world->tetrahedron_plan_stale = false;
    uint32_t batches = 0;
    for (uint32_t i = 0; i < world->state.objects && world->state.tetrahedra > 0; i++) {
        struct object *object = &world->object[i];
        object->first_batch = batches;
        object->batches = 0;
        if (object->tetrahedra > 0) {
            plan_object(world, object);
        }
        batches += object->batches;
    }
}
