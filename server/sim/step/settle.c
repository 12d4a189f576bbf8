// SPDX-License-Identifier: MIT
// After the last iteration: particles that relaxation has pushed through an obstacle go back (contact_guard), and the
// bones of figures get their lengths back (PHYSICS.md 11.3).
//
// Contacts come last in an iteration and push single particles. Bones that this leaves too long or too short are
// relaxed alone, in Jakobsen's direction, which converges from farther away, and together with the seventh constraint:
// a bone pressed flat finds its lengths only slowly, and maybe as its own mirror image. Particles that this moves into
// an obstacle come out in the next substep. A figure at rest is left alone.
//
// Guard and bones alternate until neither changes anything. A hand of a figure between the floor and a chest a dozen
// times as heavy would be pushed to and fro for long; so particles that the guard has moved back are heavy while bones
// are relaxed, and the chest gives way (after shock propagation; E. Guendelman, R. Bridson, R. Fedkiw, 2003).
#include "sim/step/settle.h"

#include "sim/contact/contact.h"
#include "sim/simd/kernel.h"
#include "sim/spawn/ragdoll.h"
#include "sim/step/contact_guard.h"
#include "sim/stick/stick.h"
#include "sim/world/axes.h"

#define ROUNDS 8u             // greatest number of rounds of guard and bones
#define PASSES 48u            // greatest number of iterations over a figure's sticks in a round
#define SETTLED_SHARE 0.0025f // share of a bone's length
#define GUARDED_SHARE 0.0625f // share of its own w that a particle keeps that was moved back

// True if an equal stick is farther than SETTLED_SHARE from its length, or a bone is flat or its own mirror image.
static bool is_strained(const struct sim_world *world, const struct object *object) {
    const struct kernel_particles at = kernel_particles_of(world, object);
    uint32_t stick = object->first_stick;
    for (uint32_t colour = object->first_colour; colour < object->first_colour + object->colours; colour++) {
        const uint32_t end = object->first_stick + world->colour_end[colour];
        for (; stick < end; stick++) {
            const struct vec3 delta = kernel_delta(&at, world->stick_a[stick], world->stick_b[stick]);
            const float rest_squared = world->stick_rest[stick] * world->stick_rest[stick];
            const float off = scalar_abs(vec3_dot(delta, delta) - rest_squared);
            if (world->colour_class[colour] == (uint8_t)SIM_STICK_EQUAL && off > 2.0f * SETTLED_SHARE * rest_squared) {
                return true;
            }
        }
    }
    return !ragdoll_bones_are_upright(world, object);
}

// Sets w of the particles that contacts from `first` on have pushed.
static void set_weight(struct sim_world *world, uint32_t first, float share) {
    for (uint32_t k = first; k < world->contacts; k++) {
        const struct contact *contact = &world->contact[k];
        for (uint32_t i = 0; contact->pushed > 0.0f && i < contact->carriers; i++) {
            const uint32_t slot = contact->slot[i];
            world->w[slot] = world->w[slot] > 0.0f ? share * world->own_w[slot] : 0.0f;
        }
    }
}

static void settle_bones(struct sim_world *world) {
    for (uint32_t i = 0; i < world->state.objects && world->figures_present; i++) {
        if (world->object[i].kind != SIM_KIND_RAGDOLL) {
            continue;
        }
        struct object bones = world->object[i];
        bones.projection = SIM_PROJECTION_CURRENT;
        const bool settles = object_is_active(&bones);
        for (uint32_t pass = 0; settles && pass < PASSES && is_strained(world, &bones); pass++) {
            ragdoll_relax_bones(world, &bones);
            stick_relax_object(world, &bones);
        }
    }
}

void settle_after_sweeps(struct sim_world *world) {
    const uint32_t first = world->contacts_found;
    bool pushed = true;
    for (uint32_t round = 0; round < ROUNDS && pushed; round++) {
        set_weight(world, first, GUARDED_SHARE);
        settle_bones(world);
        set_weight(world, first, 1.0f);
        pushed = contact_guard(world);
    }
}
