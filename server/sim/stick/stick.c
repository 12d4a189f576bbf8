// SPDX-License-Identifier: MIT
// Relaxes an object's own sticks in one iteration, colour after colour. Within a colour no two sticks share a particle,
// so a colour may be relaxed in any order, or many sticks at once, with the same bits. All sticks of a colour are of
// one kind (equal, at most, at least) and of one compliance.
#include "sim/stick/stick.h"

#include "sim/world/axes.h"

#define PLANT_PASSES 4u // iterations over a plant's sticks: a slender stem needs more than cloth

struct stick_span {
    const uint32_t *a, *b; // local
    const float *rest;     // m
    float *lambda;         // N·s², of compliant sticks
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

static void relax_one_sided(const struct kernel_particles *at, const struct stick_span *span, enum sim_stick_kind kind,
                            enum sim_projection projection) {
    for (uint32_t i = span->first; i < span->end; i++) {
        if (kernel_is_slack(at, span->a[i], span->b[i], span->rest[i], kind)) {
            continue;
        }
        if (projection == SIM_PROJECTION_START) {
            kernel_start(at, span->a[i], span->b[i], span->rest[i]);
        } else {
            kernel_exact(at, span->a[i], span->b[i], span->rest[i]);
        }
    }
}

static void relax_compliant(const struct kernel_particles *at, const struct stick_span *span, enum sim_stick_kind kind,
                            float alpha) {
    for (uint32_t i = span->first; i < span->end; i++) {
        kernel_compliant(at, span->a[i], span->b[i], span->rest[i], kind, alpha, &span->lambda[i]);
    }
}

static void relax_colour(const struct sim_world *world, const struct object *object, const struct kernel_particles *at,
                         const struct stick_span *span, uint8_t class, float compliance) {
    const enum sim_stick_kind kind = (enum sim_stick_kind)(class & COLOUR_KIND_MASK);
    if (compliance > 0.0f) {
        const float h = world_substep_seconds(world);
        relax_compliant(at, span, kind, compliance / (h * h));
    } else if (kind != SIM_STICK_EQUAL) {
        relax_one_sided(at, span, kind, object->projection);
    } else if (object->projection == SIM_PROJECTION_START) {
        relax_start(at, span);
    } else if (world->state.parameters.square_root == SIM_SQUARE_ROOT_EXACT) {
        relax_exact(at, span);
    } else {
        relax_approximate(at, span);
    }
}

float stick_compliance(const struct sim_world *world, const struct object *object, uint32_t colour) {
    const bool bends = (world->colour_class[object->first_colour + colour] & COLOUR_BEND) != 0;
    return bends ? object->bend_compliance : object->stretch_compliance;
}

uint32_t stick_passes(const struct object *object) {
    return object->kind == SIM_KIND_PLANT ? PLANT_PASSES : 1;
}

void stick_begin(struct sim_world *world) {
    world->lambda_h = world_substep_seconds(world);
    for (uint32_t i = 0; i < world->state.objects; i++) {
        const struct object *object = &world->object[i];
        const bool compliant = object->stretch_compliance > 0.0f || object->bend_compliance > 0.0f;
        if (compliant && object_is_active(object)) {
            memset(world->stick_lambda + object->first_stick, 0, object->sticks * sizeof *world->stick_lambda);
        }
    }
    memset(world->free_lambda, 0, world->state.free_sticks * sizeof *world->free_lambda);
}

static void relax_colours(const struct sim_world *world, const struct object *object, const struct kernel_particles *at,
                          struct stick_span span) {
    for (uint32_t colour = 0; colour < object->colours; colour++) {
        span.first = span.end;
        span.end = world->colour_end[object->first_colour + colour];
        relax_colour(world, object, at, &span, world->colour_class[object->first_colour + colour],
                     stick_compliance(world, object, colour));
    }
}

void stick_relax_object(const struct sim_world *world, const struct object *object) {
    const struct kernel_particles at = kernel_particles_of(world, object);
    const struct stick_span span = {
        .a = world->stick_a + object->first_stick,
        .b = world->stick_b + object->first_stick,
        .rest = world->stick_rest + object->first_stick,
        .lambda = world->stick_lambda + object->first_stick,
    };
    for (uint32_t pass = 0; pass < stick_passes(object); pass++) {
        relax_colours(world, object, &at, span);
    }
}

enum stick_form stick_form_of(const struct sim_world *world, const struct object *object) {
    if (object->projection == SIM_PROJECTION_START) {
        return STICK_START;
    }
    return world->state.parameters.square_root == SIM_SQUARE_ROOT_EXACT ? STICK_EXACT : STICK_APPROXIMATE;
}
