// SPDX-License-Identifier: MIT
// Storage of shapes: reserving, committing and removing spans.
#include "sim/world/shape.h"

#include "sim/world/world.h"

enum result shape_reserve(const struct sim_world *world, uint64_t reals, uint64_t indices, struct shape_span *span,
                          struct fault *fault) {
    const struct sim_state *state = &world->state;
    const uint64_t used = (uint64_t)state->shape_reals + state->shape_indices;
    const unsigned long long wanted = reals + indices;
    if (used + wanted > world->capacity.shape_words) {
        return fault_set(fault, RESULT_LIMIT, "",
                         "%llu more numbers of shapes would exceed this world's limit of %u, %llu are in use", wanted,
                         world->capacity.shape_words, (unsigned long long)used);
    }
    *span = (struct shape_span){
        .first_real = state->shape_reals,
        .reals = (uint32_t)reals,
        .first_index = state->shape_indices,
        .indices = (uint32_t)indices,
    };
    return RESULT_OK;
}

void shape_commit(struct sim_world *world, const struct shape_span *span) {
    world->state.shape_reals += span->reals;
    world->state.shape_indices += span->indices;
}

static void move_span(struct shape_span *span, const struct shape_span *gone) {
    if (span->first_real >= gone->first_real + gone->reals) {
        span->first_real -= gone->reals;
    }
    if (span->first_index >= gone->first_index + gone->indices) {
        span->first_index -= gone->indices;
    }
}

void shape_remove(struct sim_world *world, const struct shape_span *span) {
    const struct shape_span gone = *span;
    struct sim_state *state = &world->state;
    float *const real = world->shape_real + gone.first_real;
    memmove(real, real + gone.reals, (size_t)(state->shape_reals - gone.first_real - gone.reals) * sizeof *real);
    uint32_t *const index = world->shape_index + gone.first_index;
    memmove(index, index + gone.indices,
            (size_t)(state->shape_indices - gone.first_index - gone.indices) * sizeof *index);
    state->shape_reals -= gone.reals;
    state->shape_indices -= gone.indices;
    for (uint32_t i = 0; i < state->objects; i++) {
        move_span(&world->object[i].hull, &gone);
    }
    for (uint32_t i = 0; i < state->obstacles; i++) {
        move_span(&world->obstacle[i].data, &gone);
    }
}
