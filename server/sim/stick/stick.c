// SPDX-License-Identifier: MIT
// Relaxes an object's own sticks in one iteration, colour after colour. Within a colour no two sticks share a particle,
// so a colour may be relaxed in any order, or many sticks at once, with the same bits. All sticks of a colour are of
// one kind (equal, at most, at least) and of one compliance.
#include "sim/stick/stick.h"

#include "sim/stick/panel_relax.h"
#include "sim/stick/stick_plan.h"
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

// The pull of a stick that is relaxed by a kernel that keeps none, in N·s²: what it has moved an end by, over the mass.
struct measured {
    const struct kernel_particles *at;
    uint32_t end;       // one that it can move
    struct vec3 before; // its offset
    struct vec3 along;  // unit vector from it to the other end
};

static struct vec3 offset_of(const struct kernel_particles *at, uint32_t i) {
    return vec3_of(at->ox[i], at->oy[i], at->oz[i]);
}

static struct measured measure_begin(const struct kernel_particles *at, uint32_t a, uint32_t b) {
    const uint32_t end = at->w[a] > at->w[b] ? a : b;
    const struct vec3 delta = kernel_delta(at, end, end == a ? b : a);
    const float length = vec3_length(delta);
    return (struct measured){at, end, offset_of(at, end), vec3_scale(delta, length > 0.0f ? 1.0f / length : 0.0f)};
}

static float measure_end(const struct measured *measured) {
    const float w = measured->at->w[measured->end];
    const struct vec3 moved = vec3_sub(offset_of(measured->at, measured->end), measured->before);
    return w > 0.0f ? vec3_dot(moved, measured->along) / w : 0.0f;
}

// One stick at a time, so that each is measured.
static void relax_measured(const struct sim_world *world, const struct object *object,
                           const struct kernel_particles *at, const struct stick_span *span) {
    for (uint32_t i = span->first; i < span->end; i++) {
        const struct measured measured = measure_begin(at, span->a[i], span->b[i]);
        struct stick_span one = *span;
        one.first = i;
        one.end = i + 1;
        if (object->projection == SIM_PROJECTION_START) {
            relax_start(at, &one);
        } else if (world->state.parameters.square_root == SIM_SQUARE_ROOT_EXACT) {
            relax_exact(at, &one);
        } else {
            relax_approximate(at, &one);
        }
        span->lambda[i] -= measure_end(&measured);
    }
}

static void relax_colour(const struct sim_world *world, const struct object *object, const struct kernel_particles *at,
                         const struct stick_span *span, uint8_t class, float compliance) {
    const enum sim_stick_kind kind = (enum sim_stick_kind)(class & COLOUR_KIND_MASK);
    if (compliance > 0.0f) {
        const float h = world_substep_seconds(world);
        relax_compliant(at, span, kind, compliance / (h * h));
    } else if (object->tear_force > 0.0f) {
        relax_measured(world, object, at, span);
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
    panel_begin(world);
    memset(world->free_lambda, 0, world->state.free_sticks * sizeof *world->free_lambda);
}

void stick_begin_object(const struct sim_world *world, const struct object *object) {
    if (object->stretch_compliance > 0.0f || object->bend_compliance > 0.0f || object->tear_force > 0.0f) {
        memset(world->stick_lambda + object->first_stick, 0, object->sticks * sizeof *world->stick_lambda);
    }
    world->stick_plan[object - world->object].gaps_kept = false;
}

void stick_begin_tick(struct sim_world *world) {
    for (uint32_t i = 0; i < world->state.objects; i++) {
        const struct object *object = &world->object[i];
        if (object->tear_force > 0.0f) {
            memset(world->stick_pull + object->first_stick, 0, object->sticks * sizeof *world->stick_pull);
        }
    }
}

void stick_measure(struct sim_world *world) {
    for (uint32_t i = 0; i < world->state.objects && world->tear_force_present; i++) {
        const struct object *object = &world->object[i];
        if (!(object->tear_force > 0.0f) || !object_is_active(object)) {
            continue;
        }
        for (uint32_t k = object->first_stick; k < object->first_stick + object->sticks; k++) {
            world->stick_pull[k] -= world->stick_lambda[k];
        }
    }
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
