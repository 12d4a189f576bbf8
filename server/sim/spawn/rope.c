// SPDX-License-Identifier: MIT
// Rope: a chain of particles, straight or as given, with a stick between neighbours, in two colours (even sticks, odd
// sticks).
#include "sim/world/check.h"
#include "sim/world/layout.h"
#include "sim/world/particle.h"

#define THICKNESS_MAX 1.0f // m

struct sim_rope_desc sim_rope_desc_default(void) {
    return (struct sim_rope_desc){.particles = 20,
                                  .mass = 0.5f,
                                  .pins = {.preset = SIM_PIN_START},
                                  .friction = 0.5f,
                                  .projection = SIM_PROJECTION_CURRENT};
}

static enum result check_places(const struct sim_rope_desc *desc, struct fault *fault) {
    if (desc->positions != NULL) {
        return check_array(desc->positions, 3 * desc->particles, -SIM_POSITION_MAX, SIM_POSITION_MAX, "m", "/positions",
                           fault);
    }
    enum result result = check_vector(desc->from, SIM_POSITION_MAX, "m", "/from", fault);
    return result == RESULT_OK ? check_vector(desc->to, SIM_POSITION_MAX, "m", "/to", fault) : result;
}

static enum result check_desc(const struct sim_rope_desc *desc, struct fault *fault) {
    if (desc->particles < 2) {
        return fault_set(fault, RESULT_INVALID, desc->positions != NULL ? "/positions" : "/particles",
                         "a rope needs at least 2 particles, got %u", desc->particles);
    }
    enum result result = check_places(desc, fault);
    if (result == RESULT_OK && desc->masses == NULL) {
        result = check_range(desc->mass, 1e-6f, 1e6f, "kg", "/mass", fault);
    }
    if (result == RESULT_OK && desc->masses != NULL) {
        result = check_array(desc->masses, desc->particles, SIM_MASS_MIN, SIM_MASS_MAX, "kg", "/masses", fault);
    }
    const enum sim_pin_preset pin = desc->pins.preset;
    const bool known = pin == SIM_PIN_NONE || pin == SIM_PIN_START || pin == SIM_PIN_END || pin == SIM_PIN_BOTH;
    if (result == RESULT_OK && !known) {
        result = fault_set(fault, RESULT_INVALID, "/pin", "pin of a rope must be start, end, both or none");
    }
    if (result == RESULT_OK) {
        result = check_range(desc->restitution, 0.0f, 1.0f, "", "/restitution", fault);
    }
    if (result == RESULT_OK) {
        result = check_range(desc->thickness, 0.0f, THICKNESS_MAX, "m", "/thickness", fault);
    }
    if (result == RESULT_OK && desc->collision && !(0.5f * desc->thickness > 0.0f)) {
        result = fault_set(fault, RESULT_INVALID, "/thickness", "collision needs a thickness above 0 m");
    }
    if (result == RESULT_OK) {
        result = check_compliance(desc->stretch_compliance, "/stretchCompliance", fault);
    }
    if (result == RESULT_OK) {
        result = check_tear_force(desc->tear_force, fault);
    }
    if (result == RESULT_OK) {
        result = check_projection(desc->projection, fault);
    }
    return result == RESULT_OK ? check_friction(desc->friction, fault) : result;
}

static struct vec3 place_of(const struct sim_rope_desc *desc, uint32_t particle) {
    const float *p = desc->positions + 3 * (size_t)particle;
    return (struct vec3){p[0], p[1], p[2]};
}

static enum result measure_given(const struct sim_rope_desc *desc, struct fault *fault) {
    for (uint32_t i = 0; i + 1 < desc->particles; i++) {
        const struct vec3 a = place_of(desc, i), b = place_of(desc, i + 1);
        const float rest = vec3_length(vec3_sub(b, a));
        if (!(rest > 1e-6f * scalar_max(vec3_reach(a), vec3_reach(b))) || !(rest >= 1e-6f)) {
            return fault_set(fault, RESULT_INVALID, "/positions",
                             "particles %u and %u of the rope would lie %g m apart, too close to tell apart", i, i + 1,
                             (double)rest);
        }
    }
    return RESULT_OK;
}

// The length of each stick of a straight rope.
static enum result measure(const struct sim_rope_desc *desc, float *rest_length, struct fault *fault) {
    if (desc->positions != NULL) {
        return measure_given(desc, fault);
    }
    const float length = vec3_length(vec3_sub(desc->to, desc->from));
    const float rest = length / (float)(desc->particles - 1);
    const float reach = scalar_max(vec3_reach(desc->from), vec3_reach(desc->to));
    if (!(rest > 1e-6f * reach) || !(rest >= 1e-6f)) {
        return fault_set(fault, RESULT_INVALID, "/to",
                         "neighbours on the rope would lie %g m apart, too close to tell apart; set `to` further from "
                         "`from` or use fewer particles",
                         (double)rest);
    }
    *rest_length = rest;
    return RESULT_OK;
}

static void add_particles(struct sim_world *world, const struct object *object, const struct sim_rope_desc *desc) {
    const float last = (float)(desc->particles - 1);
    const struct vec3 way = vec3_sub(desc->to, desc->from);
    for (uint32_t i = 0; i < desc->particles; i++) {
        const float t = (float)i / last;
        const float mass = desc->masses != NULL ? desc->masses[i] : desc->mass / (float)desc->particles;
        if (desc->positions != NULL) {
            particle_init(world, object->first + i, place_of(desc, i), 1.0f / mass);
        } else {
            particle_init_apart(world, object->first + i, desc->from, vec3_scale(way, t), 1.0f / mass);
        }
    }
}

static void add_sticks(struct sim_world *world, struct object *object, const struct sim_rope_desc *desc,
                       float rest_length) {
    const uint32_t links = object->sticks;
    uint32_t stick = 0;
    for (uint32_t parity = 0; parity < 2 && parity < links; parity++) {
        for (uint32_t i = parity; i < links; i += 2) {
            world->stick_a[object->first_stick + stick] = i;
            world->stick_b[object->first_stick + stick] = i + 1;
            world->stick_rest[object->first_stick + stick] =
                desc->positions == NULL ? rest_length : vec3_length(vec3_sub(place_of(desc, i + 1), place_of(desc, i)));
            stick++;
        }
        world->colour_end[object->first_colour + parity] = stick;
        world->colour_class[object->first_colour + parity] = SIM_STICK_EQUAL;
        object->colours++;
    }
}

enum result sim_rope_spawn(struct sim_world *world, const struct sim_rope_desc *desc, uint32_t *object,
                           struct fault *fault) {
    struct object made = {0};
    float rest_length = 0.0f;
    const uint64_t links = desc->particles > 0 ? desc->particles - 1 : 0;
    enum result result =
        layout_reserve(world, (struct object_size){.particles = desc->particles, .sticks = links}, &made, fault);
    if (result == RESULT_OK) {
        result = check_desc(desc, fault);
    }
    if (result == RESULT_OK) {
        result = measure(desc, &rest_length, fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    made.kind = SIM_KIND_ROPE;
    made.friction = desc->friction;
    made.restitution = desc->restitution;
    made.radius = 0.5f * desc->thickness;
    made.self_collision = desc->collision;
    made.stretch_compliance = desc->stretch_compliance;
    made.projection = desc->projection;
    made.tear_force = desc->tear_force;
    add_particles(world, &made, desc);
    add_sticks(world, &made, desc, rest_length);
    if (desc->pins.preset == SIM_PIN_START || desc->pins.preset == SIM_PIN_BOTH) {
        particle_set_pinned(world, &made, 0, true);
    }
    if (desc->pins.preset == SIM_PIN_END || desc->pins.preset == SIM_PIN_BOTH) {
        particle_set_pinned(world, &made, made.particles - 1, true);
    }
    *object = layout_commit(world, &made);
    return RESULT_OK;
}
