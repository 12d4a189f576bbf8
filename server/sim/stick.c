// SPDX-License-Identifier: MIT
// Relaxing an object's own sticks: one sweep, colour after colour. Within a colour no two sticks share a particle, so a
// colour may be relaxed in any order, or many sticks at once, with the same bits.
#include "sim/kernel.h"
#include "sim/world.h"

struct stick_span {
    const uint32_t *a, *b; // local
    const float *rest;     // m
    uint32_t first, end;
};

static void relax_exact(const struct kernel_particles *at, const struct stick_span *span) {
    for (uint32_t i = span->first; i < span->end; i++) {
        kernel_exact(at, span->a[i], span->b[i], span->rest[i]);
    }
}

static void relax_approximate(const struct kernel_particles *at, const struct stick_span *span) {
    for (uint32_t i = span->first; i < span->end; i++) {
        kernel_approximate(at, span->a[i], span->b[i], span->rest[i]);
    }
}

static void relax_start(const struct kernel_particles *at, const struct stick_span *span) {
    for (uint32_t i = span->first; i < span->end; i++) {
        kernel_start(at, span->a[i], span->b[i], span->rest[i]);
    }
}

static void relax_colour(const struct sim_world *world, const struct object *object, const struct kernel_particles *at,
                         const struct stick_span *span) {
    if (object->projection == SIM_PROJECTION_START) {
        relax_start(at, span);
    } else if (world->state.parameters.square_root == SIM_SQUARE_ROOT_EXACT) {
        relax_exact(at, span);
    } else {
        relax_approximate(at, span);
    }
}

void stick_relax_object(struct sim_world *world, const struct object *object) {
    const uint32_t first = object->first;
    const struct kernel_particles at = {
        .px = world->px + first,
        .py = world->py + first,
        .pz = world->pz + first,
        .w = world->w + first,
        .x = world->x + first,
        .y = world->y + first,
        .z = world->z + first,
    };
    struct stick_span span = {
        .a = world->stick_a + object->first_stick,
        .b = world->stick_b + object->first_stick,
        .rest = world->stick_rest + object->first_stick,
    };
    for (uint32_t colour = 0; colour < object->colours; colour++) {
        span.first = span.end;
        span.end = world->colour_end[object->first_colour + colour];
        relax_colour(world, object, &at, &span);
    }
}
