// SPDX-License-Identifier: MIT
// Stacks: rigid bodies that rest on one another, down to something that cannot move (PHYSICS.md 6.8).
//
// In an iteration each contact shares its depth between its two bodies, so an iteration transmits weight by a body or
// two, and a few iterations leave a high stack too soft to stand. Therefore, before and after the iterations, depths
// are removed from the ground up (after shock propagation: E. Guendelman, R. Bridson, R. Fedkiw, "Nonconvex Rigid
// Bodies with Stacking", 2003): each body is pushed out of the bodies below it, which do not move meanwhile. When all
// contacts of a stack hold, the result is that of infinitely many iterations.
//
// A body's level is one more than the level of a body that it rests on; immovable objects have level 0. A contact
// belongs to a stack when its normal is almost upright and its points meet slowly: a harder impact has to act on the
// bodies below. On a slope the iterations alone decide, since friction does. These pushes cause no friction themselves;
// they count for the friction of the iterations. Where no body rests on another, nothing is done.
#include "sim/body/stack.h"

#include "sim/body/body_relax.h"
#include "sim/contact/contact.h"

#define LEVELS_MAX 64u
#define PASSES 4u      // iterations over the contacts of a level
#define UPRIGHT 0.99f  // least cosine of the angle between a normal and up
#define SPEED_MAX 0.5f // m/s: greatest speed at which points of a stack meet
#define LEVEL_NONE UINT32_MAX

static bool is_free_body(const struct sim_world *world, uint32_t place) {
    if (place == CONTACT_NO_OBJECT || world->object[place].kind != SIM_KIND_BODY) {
        return false;
    }
    const uint32_t first = world->object[place].first;
    return world->w[first] > 0.0f && world->w[first + 1] > 0.0f && world->w[first + 2] > 0.0f &&
           world->w[first + 3] > 0.0f;
}

// True if the contact belongs to a stack when its points touch. Sets the upper and the lower side.
static bool may_be_stacked(const struct sim_world *world, const struct contact *contact, struct vec3 up,
                           struct stack_contact *found) {
    const float along = vec3_dot(contact->normal, up);
    const float fastest = SPEED_MAX * world_substep_seconds(world);
    if (contact->struck || contact->approach > fastest || scalar_abs(along) < UPRIGHT) {
        return false;
    }
    found->upper = along > 0.0f ? contact->object_a : contact->object_b;
    found->lower = along > 0.0f ? contact->object_b : contact->object_a;
    return is_free_body(world, found->upper) &&
           (found->lower == CONTACT_NO_OBJECT || world->object[found->lower].kind == SIM_KIND_BODY);
}

// Lists the contacts that may belong to a stack, in their order.
static void list_contacts(struct sim_world *world, struct vec3 up) {
    world->stack_contacts = 0;
    for (uint32_t i = 0; i < world->contacts; i++) {
        struct stack_contact found = {.contact = i};
        if (may_be_stacked(world, &world->contact[i], up, &found)) {
            world->stack_contact[world->stack_contacts] = found;
            world->stack_contacts++;
        }
    }
}

static bool touches(const struct sim_world *world, const struct contact *contact) {
    return contact->pushed > 0.0f || contact_depth(world, contact) > 0.0f;
}

static uint32_t level_of(const struct sim_world *world, uint32_t place) {
    return is_free_body(world, place) ? world->stack_level[place] : 0;
}

// Sets the level of every body of a stack. Returns the highest.
static uint32_t find_levels(struct sim_world *world) {
    uint32_t top = 0;
    bool changed = true;
    for (uint32_t i = 0; i < world->state.objects; i++) {
        world->stack_level[i] = LEVEL_NONE;
    }
    for (uint32_t round = 0; round < LEVELS_MAX && changed; round++) {
        changed = false;
        for (uint32_t i = 0; i < world->stack_contacts; i++) {
            const struct stack_contact at = world->stack_contact[i];
            if (world->stack_level[at.upper] != LEVEL_NONE) {
                continue;
            }
            const uint32_t below = level_of(world, at.lower);
            if (below < LEVELS_MAX && touches(world, &world->contact[at.contact])) {
                world->stack_level[at.upper] = below + 1;
                top = below + 1 > top ? below + 1 : top;
                changed = true;
            }
        }
    }
    return top;
}

// Pushes the upper body alone. Returns true if the contact was deep.
static bool push_up(struct sim_world *world, struct contact *contact, uint32_t upper) {
    const struct object *object = &world->object[upper];
    const float lambda = contact->lambda;
    float kept[CONTACT_CARRIERS_MAX] = {0};
    float inverse = 0.0f;
    for (uint32_t k = 0; k < contact->carriers; k++) {
        const uint32_t i = contact->slot[k];
        kept[k] = world->w[i];
        world->w[i] = i - object->first < object->particles ? kept[k] : 0.0f;
        inverse += world->w[i] * contact->weight[k] * contact->weight[k];
    }
    contact->lambda = 1.0f / inverse;
    const bool pushed = inverse > 0.0f && contact_push(world, contact);
    contact->lambda = lambda;
    contact->stacked = contact->stacked || pushed;
    for (uint32_t k = 0; k < contact->carriers; k++) {
        world->w[contact->slot[k]] = kept[k];
    }
    return pushed;
}

static bool push_level(struct sim_world *world, uint32_t level, bool backwards) {
    bool pushed = false;
    for (uint32_t i = 0; i < world->stack_contacts; i++) {
        const struct stack_contact at = world->stack_contact[backwards ? world->stack_contacts - 1 - i : i];
        if (world->stack_level[at.upper] == level && level_of(world, at.lower) < level &&
            touches(world, &world->contact[at.contact])) {
            pushed |= push_up(world, &world->contact[at.contact], at.upper);
        }
    }
    return pushed;
}

// Contacts push single points and bend the bodies; this restores their shapes.
static void straighten_level(struct sim_world *world, uint32_t level) {
    for (uint32_t i = 0; i < world->state.objects; i++) {
        if (world->stack_level[i] == level) {
            body_relax(world, &world->object[i]);
        }
    }
}

void stack_relax(struct sim_world *world) {
    const struct vec3 gravity = world->state.parameters.gravity;
    const float strength = vec3_length(gravity);
    bool any = false;
    for (uint32_t i = 0; i < world->contacts && !any; i++) {
        any = is_free_body(world, world->contact[i].object_a) && is_free_body(world, world->contact[i].object_b);
    }
    if (!any || !(strength > 0.0f)) {
        return;
    }
    const struct vec3 up = vec3_scale(gravity, -1.0f / strength);
    list_contacts(world, up);
    const uint32_t top = find_levels(world);
    for (uint32_t level = 1; level <= top && top > 1; level++) {
        bool pushed = true;
        for (uint32_t pass = 0; pass < PASSES && pushed; pass++) {
            pushed = push_level(world, level, pass % 2 == 1);
            if (pass + 1 < PASSES) {
                straighten_level(world, level);
            }
        }
    }
}
