// SPDX-License-Identifier: MIT
// Energy, momentum and stretch of a world, and its sticks as the solver sees them. Computed in double, since small
// changes matter; nothing of it enters the world's state.
#include <assert.h>

#include "sim/geometry/point.h"
#include "sim/probe.h"
#include "sim/stick/muscle.h"
#include "sim/stick/point_stick.h"
#include "sim/stick/stick.h"
#include "sim/stick/stick_relax.h"
#include "sim/world/layout.h"
#include "sim/world/particle.h"

// ---- mass in motion ----------------------------------------------------------------------------------------------

struct particle {
    double mass;         // kg
    struct point at;     // m
    struct point motion; // m/s
};

// With all digits of a position (x + low).
static struct point position_of(const struct sim_world *world, uint32_t slot) {
    return point_add(point_of(particle_position(world, slot)), point_of(particle_low(world, slot)));
}

static struct particle particle_at(const struct sim_world *world, uint32_t slot, double per_second) {
    const struct vec3 d = particle_displacement(world, slot);
    return (struct particle){
        .mass = 1.0 / (double)world->own_w[slot],
        .at = position_of(world, slot),
        .motion = point_scale(point_of(d), per_second),
    };
}

static struct sim_triple triple_of(struct point p) {
    return (struct sim_triple){p.x, p.y, p.z};
}

static void measure_motion(const struct sim_world *world, struct sim_measure *measure) {
    const double per_second = 1.0 / (double)world_substep_seconds(world);
    struct point moment = {0};   // Σ m·x
    struct point momentum = {0}; // Σ m·v
    struct point spin = {0};     // Σ x × m·v
    for (uint32_t slot = 0; slot < world->state.particles; slot++) {
        if (!(world->own_w[slot] > 0.0f)) {
            continue;
        }
        const struct particle p = particle_at(world, slot, per_second);
        const struct point carried = point_scale(p.motion, p.mass);
        measure->mass += p.mass;
        measure->kinetic += 0.5 * point_dot(carried, p.motion);
        moment = point_add(moment, point_scale(p.at, p.mass));
        momentum = point_add(momentum, carried);
        spin = point_add(spin, point_cross(p.at, carried));
    }
    const struct point centre = measure->mass > 0.0 ? point_scale(moment, 1.0 / measure->mass) : moment;
    measure->potential = -point_dot(point_of(world->state.parameters.gravity), moment);
    measure->centre = triple_of(centre);
    measure->momentum = triple_of(momentum);
    measure->angular_momentum = triple_of(point_sub(spin, point_cross(centre, momentum)));
}

// ---- stretch -----------------------------------------------------------------------------------------------------

static void measure_length(double length, const struct sim_stick_end ends[2], float rest, struct sim_measure *measure) {
    const double stretch = length / (double)rest - 1.0;
    const double amount = stretch < 0.0 ? -stretch : stretch;
    const double worst = measure->worst_stretch < 0.0 ? -measure->worst_stretch : measure->worst_stretch;
    measure->sticks++;
    measure->mean_stretch += amount; // the sum, until all are measured
    if (amount > worst) {
        measure->worst_stretch = stretch;
        measure->worst[0] = ends[0];
        measure->worst[1] = ends[1];
    }
}

static void measure_stick(const struct sim_world *world, const uint32_t slots[2], const struct sim_stick_end ends[2],
                          float rest, struct sim_measure *measure) {
    const struct point delta = point_sub(position_of(world, slots[1]), position_of(world, slots[0]));
    measure_length(point_length(delta), ends, rest, measure);
}

static void measure_object(const struct sim_world *world, const struct object *object, uint32_t step,
                           struct sim_measure *measure) {
    uint32_t begin = 0;
    for (uint32_t colour = 0; colour < object->colours; colour++) {
        const uint32_t end = world->colour_end[object->first_colour + colour];
        const bool keeps_length = world->colour_class[object->first_colour + colour] == (uint8_t)SIM_STICK_EQUAL;
        for (uint32_t i = begin; keeps_length && i < end; i += step) {
            const uint32_t stick = object->first_stick + i;
            const uint32_t a = world->stick_a[stick];
            const uint32_t b = world->stick_b[stick];
            measure_stick(world, (uint32_t[2]){object->first + a, object->first + b},
                          (struct sim_stick_end[2]){{object->id, a}, {object->id, b}}, world->stick_rest[stick],
                          measure);
        }
        begin = end;
    }
}

static uint32_t slot_of(const struct sim_world *world, struct sim_stick_end end) {
    struct object *object = NULL;
    return layout_find(world, end.object, &object, NULL) == RESULT_OK ? object->first + end.particle : 0;
}

static void measure_free_sticks(const struct sim_world *world, struct sim_measure *measure) {
    for (uint32_t i = 0; i < world->state.free_sticks; i++) {
        const struct free_stick *stick = &world->free_stick[i];
        const float rest = muscle_length(stick, (double)world->state.tick / (double)world->tick_hz);
        const uint32_t slots[2] = {slot_of(world, stick->a), slot_of(world, stick->b)};
        if (stick->kind != SIM_STICK_EQUAL || !(rest > 0.0f)) {
            continue;
        }
        if (stick->a_point.carriers + stick->b_point.carriers > 0) {
            const struct point_stick points = point_stick_of(stick, slots);
            const double length = point_length(point_stick_span(world, &points));
            measure_length(length, (struct sim_stick_end[2]){stick->a, stick->b}, rest, measure);
        } else {
            measure_stick(world, slots, (struct sim_stick_end[2]){stick->a, stick->b}, rest, measure);
        }
    }
}

// ---- compliance --------------------------------------------------------------------------------------------------

struct springs {
    uint32_t sticks;
    double force, missing; // N, sums
};

// λ is negative where a stick pulls.
static void add_spring(const struct sim_world *world, uint32_t a, uint32_t b, double rest, enum sim_stick_kind kind,
                       float compliance, float lambda, struct springs *springs) {
    const struct vec3 p = particle_position(world, a);
    const struct vec3 q = particle_position(world, b);
    double longer = point_length(point_sub(point_of(q), point_of(p))) - rest;
    longer = kind == SIM_STICK_AT_MOST && longer < 0.0 ? 0.0 : longer;
    longer = kind == SIM_STICK_AT_LEAST && longer > 0.0 ? 0.0 : longer;
    // Rounding of coordinates and lengths in float32.
    const double rounding = 1e-6 * ((double)vec3_reach(p) + (double)vec3_reach(q) + rest);
    const double size = longer < 0.0 ? -longer : longer;
    const double h = (double)world->lambda_h;
    const double missing = longer / (double)compliance + (double)lambda / (h * h);
    springs->sticks++;
    if (size > rounding) {
        springs->force += size / (double)compliance;
        springs->missing += missing < 0.0 ? -missing : missing;
    }
}

static void add_springs(const struct sim_world *world, const struct object *object, const float *lambda, uint32_t step,
                        struct springs *springs) {
    uint32_t i = 0;
    for (uint32_t colour = 0; colour < object->colours; colour++) {
        const uint8_t class = world->colour_class[object->first_colour + colour];
        const uint32_t end = world->colour_end[object->first_colour + colour];
        const float compliance = stick_compliance(world, object, colour);
        for (; i < end; i++) {
            const uint32_t stick = object->first_stick + i;
            if (compliance > 0.0f) {
                add_spring(world, object->first + world->stick_a[stick], object->first + world->stick_b[stick],
                           (double)world->stick_rest[stick], (enum sim_stick_kind)(class & COLOUR_KIND_MASK),
                           compliance, lambda[(size_t)step * i], springs);
            }
        }
    }
}

static void measure_compliance(const struct sim_world *world, struct sim_measure *measure) {
    struct springs springs = {0};
    uint32_t together = 1;
    if (!(world->lambda_h > 0.0f) || world->stick_plans_stale || world->spans_stale || world->free_sticks_stale) {
        return; // λ belongs to an earlier state
    }
    for (uint32_t i = 0; i < world->state.objects; i += together) {
        together = stick_together(world, i);
        for (uint32_t k = 0; k < together; k++) {
            if (object_is_active(&world->object[i + k])) {
                const float *lambda = world->stick_lambda + world->object[i].first_stick + k;
                add_springs(world, &world->object[i + k], lambda, together, &springs);
            }
        }
    }
    for (uint32_t i = 0; i < world->free_sticks_active; i++) {
        const uint32_t index = world->free_order[i];
        const struct free_stick *stick = &world->free_stick[index];
        if (stick->compliance > 0.0f && world->point_stick[index].count == 0) {
            add_spring(world, world->free_slot_a[index], world->free_slot_b[index], (double)world->free_length[index],
                       stick->kind, stick->compliance, world->free_lambda[index], &springs);
        }
    }
    measure->compliant_sticks = springs.sticks;
    measure->compliance_residual = springs.force > 0.0 ? springs.missing / springs.force : 0.0;
}

struct sim_measure sim_world_measure(const struct sim_world *world) {
    struct sim_measure measure = {0};
    measure_motion(world, &measure);
    const uint32_t step = world->state.sticks / SIM_MEASURE_STICKS_MAX + 1;
    for (uint32_t i = 0; i < world->state.objects; i++) {
        measure_object(world, &world->object[i], step, &measure);
    }
    measure_free_sticks(world, &measure);
    measure_compliance(world, &measure);
    measure.mean_stretch /= measure.sticks > 0 ? (double)measure.sticks : 1.0;
    return measure;
}

// ---- sticks ------------------------------------------------------------------------------------------------------

struct sim_sticks_view sim_object_sticks(const struct sim_world *world, uint32_t index) {
    assert(index < world->state.objects);
    const struct object *object = &world->object[index];
    return (struct sim_sticks_view){
        .count = object->sticks,
        .a = world->stick_a + object->first_stick,
        .b = world->stick_b + object->first_stick,
        .rest = world->stick_rest + object->first_stick,
        .batches = object->colours,
        .batch_end = world->colour_end + object->first_colour,
    };
}

float sim_object_stick_length(const struct sim_world *world, uint32_t index, uint32_t stick) {
    assert(index < world->state.objects && stick < world->object[index].sticks);
    const struct object *object = &world->object[index];
    const uint32_t a = object->first + world->stick_a[object->first_stick + stick];
    const uint32_t b = object->first + world->stick_b[object->first_stick + stick];
    return vec3_length(vec3_sub(particle_position(world, b), particle_position(world, a)));
}

struct sim_batch_view sim_object_batch(const struct sim_world *world, uint32_t index, uint32_t batch) {
    assert(index < world->state.objects && batch < world->object[index].colours);
    const struct object *object = &world->object[index];
    const uint8_t class = world->colour_class[object->first_colour + batch];
    return (struct sim_batch_view){
        .kind = (enum sim_stick_kind)(class & COLOUR_KIND_MASK),
        .bends = (class & COLOUR_BEND) != 0,
        .compliance = stick_compliance(world, object, batch),
    };
}
