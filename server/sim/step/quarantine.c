// SPDX-License-Identifier: MIT
// Quarantine (PHYSICS.md 14.2): an object with a displacement that is not finite is frozen at its last good place, that
// of the substep's start, and reported; the rest of the world goes on.
//
// A frozen particle has w = 0, so that sticks to other objects treat it as a pin; contacts ignore it, and grabs release
// it. It stays frozen until the object is removed. Positions are checked by their displacements: d ← d' + (p − …) is
// not finite when p is not.
#include "sim/step/quarantine.h"

#include "sim/force/force.h"
#include "sim/force/grab.h"
#include "sim/stick/free_stick.h"
#include "sim/world/active.h"
#include "sim/world/event.h"
#include "sim/world/parameters.h"
#include "sim/world/particle.h"

static bool is_sound(const struct sim_world *world, const struct object *object) {
    bool sound = true;
    const uint32_t end = object->first + object->particles;
    for (uint32_t i = object->first; i < end; i++) {
        sound = sound && vec3_is_finite(particle_displacement(world, i)) && vec3_is_finite(particle_position(world, i));
    }
    return sound;
}

// A position that was not finite before becomes the corner of the bounds.
static void freeze(struct sim_world *world, struct object *object, float *const good[3]) {
    const struct vec3 zero = {0};
    const uint32_t end = object->first + object->particles;
    for (uint32_t i = object->first; i < end; i++) {
        const struct vec3 last = vec3_of(good[0][i], good[1][i], good[2][i]);
        particle_place(world, i, vec3_is_finite(last) ? last : world_within_bounds(world, last));
        particle_set_displacement(world, i, zero);
        world->fx[i] = 0.0f;
        world->fy[i] = 0.0f;
        world->fz[i] = 0.0f;
        world->flags[i] |= PARTICLE_FROZEN;
        particle_refresh(world, i);
    }
    object->quarantined = true;
    object->still_ticks = 0;
    event_add(world, SIM_EVENT_QUARANTINED, object->id, 0, 0);
}

void quarantine_find(struct sim_world *world, float *const good[3]) {
    for (uint32_t i = 0; i < world->state.objects; i++) {
        struct object *object = &world->object[i];
        if (object_is_active(object) && !object->ahead && !is_sound(world, object)) {
            grab_drop_object(world, object->id);
            force_drop_object(world, object->id);
            freeze(world, object, good);
            active_changed(world);
        }
    }
    active_resolve(world);
    free_stick_resolve(world);
}
