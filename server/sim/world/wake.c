// SPDX-License-Identifier: MIT
// Waking: an object that sleeps wakes together with all objects of its island.
#include "sim/world/wake.h"

#include "sim/simd/simd.h"
#include "sim/world/active.h"
#include "sim/world/box.h"
#include "sim/world/layout.h"

// m: objects nearer than this to something that appears or disappears wake.
#define NEAR 0.05f // m

void wake_mark_island(struct sim_world *world, const struct object *sleeper) {
    struct object *first = NULL;
    if (layout_find(world, sleeper->island, &first, NULL) == RESULT_OK) {
        world->island_marked[first - world->object] = true;
    }
}

static bool is_marked(const struct sim_world *world, const struct object *sleeper) {
    struct object *first = NULL;
    return layout_find(world, sleeper->island, &first, NULL) == RESULT_OK &&
           world->island_marked[first - world->object];
}

void wake_marked(struct sim_world *world) {
    for (uint32_t i = 0; i < world->state.objects; i++) {
        struct object *object = &world->object[i];
        if (object->asleep && is_marked(world, object)) {
            object->asleep = false;
            object->still_ticks = 0;
        }
    }
    memset(world->island_marked, 0, world->state.objects * sizeof *world->island_marked);
    active_changed(world);
}

void wake_place(struct sim_world *world, uint32_t place) {
    struct object *object = &world->object[place];
    object->still_ticks = 0;
    active_changed(world);
    if (object->asleep) {
        wake_mark_island(world, object);
        wake_marked(world);
    }
}

void wake_object(struct sim_world *world, uint32_t object) {
    struct object *found = NULL;
    if (layout_find(world, object, &found, NULL) == RESULT_OK) {
        wake_place(world, (uint32_t)(found - world->object));
    }
}

void wake_all(struct sim_world *world) {
    for (uint32_t i = 0; i < world->state.objects; i++) {
        world->object[i].asleep = false;
        world->object[i].still_ticks = 0;
    }
    active_changed(world);
}

// The box around an object's particles and embedded hull, widened by NEAR.
static struct box box_near(const struct sim_world *world, const struct object *object) {
    const struct box box = box_around_whole(world, object, SIMD_START);
    const float reach = object->radius + NEAR;
    const struct vec3 margin = vec3_of(reach, reach, reach);
    return (struct box){vec3_sub(box.min, margin), vec3_add(box.max, margin)};
}

void wake_box(struct sim_world *world, struct vec3 min, struct vec3 max) {
    bool any = false;
    for (uint32_t i = 0; i < world->state.objects; i++) {
        const struct object *object = &world->object[i];
        if (!object->asleep) {
            continue;
        }
        const struct box own = box_near(world, object);
        if (own.min.x <= max.x && own.max.x >= min.x && own.min.y <= max.y && own.max.y >= min.y &&
            own.min.z <= max.z && own.max.z >= min.z) {
            wake_mark_island(world, object);
            any = true;
        }
    }
    if (any) {
        wake_marked(world);
    }
}

void wake_near(struct sim_world *world, const struct object *object) {
    const struct box box = box_near(world, object);
    wake_box(world, box.min, box.max);
}
