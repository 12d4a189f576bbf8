// SPDX-License-Identifier: MIT
// Adaptive relaxation (PHYSICS.md 3.7): whether another iteration would correct nothing by more than `tolerance`.
//
// A correction is a share: of the rest length for a stick, of the length of the first stick of the object for a contact
// (of its radius when it has no sticks). The search stops at the first larger correction, so that a world far from rest
// costs little; a tolerance of 0 costs nothing.
#include "sim/step/tolerance.h"

#include "sim/contact/contact.h"
#include "sim/simd/kernel.h"
#include "sim/stick/point_stick.h"
#include "sim/stick/stick_relax.h"
#include "sim/world/axes.h"

struct stick_at {
    uint32_t a, b; // slots
    float rest;    // m
    enum sim_stick_kind kind;
    float alpha;  // kg⁻¹, α/h²
    float lambda; // of a compliant stick
};

// Compares the change of length that relaxation would make, without a root where none is needed.
static bool is_satisfied(const struct kernel_particles *at, const struct stick_at *stick, float tolerance) {
    const float w = at->w[stick->a] + at->w[stick->b];
    const struct vec3 delta = kernel_delta(at, stick->a, stick->b);
    const float squared = vec3_dot(delta, delta);
    if (w == 0.0f) {
        return true;
    }
    if (stick->alpha > 0.0f) {
        const float wanted = stick->rest - sqrtf(squared) - stick->alpha * stick->lambda;
        const bool slack =
            (stick->kind == SIM_STICK_AT_MOST && wanted > 0.0f) || (stick->kind == SIM_STICK_AT_LEAST && wanted < 0.0f);
        return slack || scalar_abs(wanted) * w <= tolerance * stick->rest * (w + stick->alpha);
    }
    const float low = (1.0f - tolerance) * stick->rest;
    const float high = (1.0f + tolerance) * stick->rest;
    const bool short_of_it = squared < low * low && stick->kind != SIM_STICK_AT_MOST;
    const bool beyond_it = squared > high * high && stick->kind != SIM_STICK_AT_LEAST;
    return !short_of_it && !beyond_it;
}

// λ of the object's sticks is every `step`-th value from `lambda` on.
static bool is_object_satisfied(const struct sim_world *world, const struct object *object,
                                const struct kernel_particles *at, const float *lambda, uint32_t step) {
    const float h2 = world_substep_seconds(world) * world_substep_seconds(world);
    uint32_t i = 0;
    for (uint32_t colour = 0; colour < object->colours; colour++) {
        const uint8_t class = world->colour_class[object->first_colour + colour];
        const float compliance = (class & COLOUR_BEND) != 0 ? object->bend_compliance : object->stretch_compliance;
        const uint32_t end = world->colour_end[object->first_colour + colour];
        for (; i < end; i++) {
            const uint32_t index = object->first_stick + i;
            const struct stick_at stick = {
                .a = object->first + world->stick_a[index],
                .b = object->first + world->stick_b[index],
                .rest = world->stick_rest[index],
                .kind = (enum sim_stick_kind)(class & COLOUR_KIND_MASK),
                .alpha = compliance / h2,
                .lambda = lambda[(size_t)step * i],
            };
            if (!is_satisfied(at, &stick, world->state.parameters.tolerance)) {
                return false;
            }
        }
    }
    return true;
}

static bool are_free_sticks_satisfied(const struct sim_world *world, const struct kernel_particles *at) {
    const float h2 = world_substep_seconds(world) * world_substep_seconds(world);
    for (uint32_t i = 0; i < world->free_sticks_active; i++) {
        const uint32_t index = world->free_order[i];
        const struct free_stick *free_stick = &world->free_stick[index];
        if (world->point_stick[index].count > 0) {
            if (!point_stick_is_satisfied(world, index, (double)world->state.parameters.tolerance)) {
                return false;
            }
            continue;
        }
        const struct stick_at stick = {
            .a = world->free_slot_a[index],
            .b = world->free_slot_b[index],
            .rest = world->free_length[index],
            .kind = free_stick->kind,
            .alpha = free_stick->compliance / h2,
            .lambda = world->free_lambda[index],
        };
        if (!is_satisfied(at, &stick, world->state.parameters.tolerance)) {
            return false;
        }
    }
    return true;
}

static bool are_contacts_satisfied(const struct sim_world *world) {
    for (uint32_t i = 0; i < world->contacts; i++) {
        const struct contact *contact = &world->contact[i];
        const struct object *object = &world->object[contact->object_a];
        const float size = object->sticks > 0 ? world->stick_rest[object->first_stick] : object->radius;
        if (contact_depth(world, contact) > world->state.parameters.tolerance * size) {
            return false;
        }
    }
    return true;
}

// Fabric, soft bodies and gas are compliant in many ways at once: they take all iterations.
static bool needs_all(const struct object *object) {
    return object_is_active(object) && (object->panels > 0 || object->tetrahedra > 0 || object->gas_volume > 0.0f);
}

bool tolerance_is_met(const struct sim_world *world) {
    const struct kernel_particles at = kernel_particles_at(world, 0);
    uint32_t together = 1;
    for (uint32_t i = 0; i < world->state.objects; i += together) {
        together = stick_together(world, i);
        for (uint32_t k = 0; k < together; k++) {
            const struct object *object = &world->object[i + k];
            const float *lambda = world->stick_lambda + world->object[i].first_stick + k;
            if (needs_all(object)) {
                return false;
            }
            if (object_is_active(object) && !is_object_satisfied(world, object, &at, lambda, together)) {
                return false;
            }
        }
    }
    return are_free_sticks_satisfied(world, &at) && are_contacts_satisfied(world);
}
