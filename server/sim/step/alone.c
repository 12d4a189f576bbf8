// SPDX-License-Identifier: MIT
// Objects that are alone in a substep: nothing but their own sticks, obstacles and bounds acts on their particles,
// since they have no contact in the list, no hand holds them and no added stick ends on them.
//
// All steps of such an object, from its sticks to the prediction of the next substep, depend on nothing else. So they
// are done object by object rather than step by step over the whole world: while an object's particles are in a core's
// cache. A large world does not fit the cache, and is walked twice in a substep instead of seven times: once while
// sticks are relaxed (stick_relax.c) and once at the end (motion.c).
#include "sim/step/alone.h"

#include "sim/cloth_contact/cloth_contact.h"
#include "sim/contact/contact.h"
#include "sim/stick/stick_relax.h"
#include "sim/world/layout.h"
#include "sim/world/work.h"

// Larger objects do not fit the cache of a core, and are divided among threads.
#define ALONE_PARTICLES_MAX (2 * WORK_SHARE_MIN - 1)

static void choose(struct sim_world *world, uint32_t place, const void *context) {
    struct object *object = &world->object[place];
    const bool is_solid = object->kind == SIM_KIND_BODY || object->kind == SIM_KIND_RAGDOLL;
    const bool is_tied = object->on_stick || object->tethers || object->tetrahedra > 0 || object->gas_volume > 0.0f;
    (void)context;
    object->settled = object->ahead = object->extent_known = false;
    object->alone = object_is_active(object) && !is_solid && !is_tied && object->tear_force == 0.0f &&
                    object->particles <= ALONE_PARTICLES_MAX && !stick_is_divided(world, place);
    object->start_late = object->alone;
}

static void take_out(struct sim_world *world, uint32_t place) {
    if (place != CONTACT_NO_OBJECT) {
        world->object[place].alone = world->object[place].start_late = false;
    }
}

void alone_choose(struct sim_world *world) {
    world->objects_settled = world->objects_ahead = 0;
    work_objects(world, choose, NULL);
    for (uint32_t i = 0; i < world->contacts; i++) {
        take_out(world, world->contact[i].object_a);
        take_out(world, world->contact[i].object_b);
    }
    for (uint32_t i = 0; i < world->state.grabs; i++) {
        struct object *object = NULL;
        if (layout_find(world, world->grab[i].object, &object, NULL) == RESULT_OK) {
            take_out(world, (uint32_t)(object - world->object));
        }
    }
    const struct cloth_contacts *cloth = world->cloth_contacts;
    for (uint32_t m = 0; m < cloth->members && !cloth->idle; m++) {
        take_out(world, cloth->member[m]);
    }
}
