// SPDX-License-Identifier: MIT
// Which particles time is spent on.
#include "sim/world/active.h"

void active_changed(struct sim_world *world) {
    world->spans_stale = true;
    world->free_sticks_stale = true;
}

// Sets `ahead` and off of inactive particles to their position, on which relaxation and `exchange` in step.c rely.
static void copy_position(struct sim_world *world, uint32_t first, uint32_t end) {
    const size_t bytes = (size_t)(end - first) * sizeof *world->x;
    memcpy(world->off_x + first, world->low_x + first, bytes);
    memcpy(world->off_y + first, world->low_y + first, bytes);
    memcpy(world->off_z + first, world->low_z + first, bytes);
    memcpy(world->ahead_x + first, world->x + first, bytes);
    memcpy(world->ahead_y + first, world->y + first, bytes);
    memcpy(world->ahead_z + first, world->z + first, bytes);
}

void active_resolve(struct sim_world *world) {
    if (!world->spans_stale) {
        return;
    }
    world->spans = world->active_objects = world->active_solids = 0;
    for (uint32_t i = 0; i < world->state.objects; i++) {
        const struct object *object = &world->object[i];
        const uint32_t end = object->first + object->particles;
        const bool is_solid = object->kind == SIM_KIND_BODY || object->kind == SIM_KIND_RAGDOLL;
        world->active_objects += object_is_active(object) ? 1 : 0;
        world->active_solids += object_is_active(object) && is_solid ? 1 : 0;
        if (!object_is_active(object)) {
            copy_position(world, object->first, end);
        } else if (world->spans > 0 && world->span[world->spans - 1].end == object->first) {
            world->span[world->spans - 1].end = end;
        } else {
            world->span[world->spans] = (struct slot_span){object->first, end};
            world->spans++;
        }
    }
    world->spans_stale = false;
}
