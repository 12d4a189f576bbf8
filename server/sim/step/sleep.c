// SPDX-License-Identifier: MIT
// Sleep: an object at rest costs no time until something touches it.
//
// When all objects of an island (island.c) have been still for SIM_SLEEP_SECONDS (still.c), and no hand, force or wind
// acts on them, they fall asleep: d = 0, and no substep looks at them. In a world whose parameter `sleep` is false
// nothing falls asleep.
//
// They wake together: by a command on one of them, a change of the parameters, an obstacle or object that appears or
// goes near one, or a contact with something awake. A contact wakes within the substep that finds it, before it is
// relaxed, so that a sleeper is hit with its full mass.
//
// Sleep and island are state: saved, hashed, part of what a tick computes from.
#include "sim/contact/contact.h"
#include "sim/world/box.h"

// Nearer than this to something that appears or goes is near.
#define NEAR 0.05f // m

// ---- waking ------------------------------------------------------------------------------------------------------

// Islands are marked at the place of the object they are named after.
static void mark_island(struct sim_world *world, const struct object *sleeper) {
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

static void resolve_later(struct sim_world *world) {
    world->spans_stale = true;
    world->free_sticks_stale = true;
}

static void wake_marked(struct sim_world *world) {
    for (uint32_t i = 0; i < world->state.objects; i++) {
        struct object *object = &world->object[i];
        if (object->asleep && is_marked(world, object)) {
            object->asleep = false;
            object->still_ticks = 0;
        }
    }
    memset(world->island_marked, 0, world->state.objects * sizeof *world->island_marked);
    resolve_later(world);
}

void sleep_wake_place(struct sim_world *world, uint32_t place) {
    struct object *object = &world->object[place];
    object->still_ticks = 0;
    resolve_later(world);
    if (object->asleep) {
        mark_island(world, object);
        wake_marked(world);
    }
}

void sleep_wake(struct sim_world *world, uint32_t object) {
    struct object *found = NULL;
    if (layout_find(world, object, &found, NULL) == RESULT_OK) {
        sleep_wake_place(world, (uint32_t)(found - world->object));
    }
}

void sleep_wake_all(struct sim_world *world) {
    for (uint32_t i = 0; i < world->state.objects; i++) {
        world->object[i].asleep = false;
        world->object[i].still_ticks = 0;
    }
    resolve_later(world);
}

// Around its particles and the hull that is embedded in them, and as far as NEAR around those.
static struct box box_near(const struct sim_world *world, const struct object *object) {
    const struct box box = box_around_whole(world, object, SIMD_START);
    const float reach = object->radius + NEAR;
    const struct vec3 margin = vec3_of(reach, reach, reach);
    return (struct box){vec3_sub(box.min, margin), vec3_add(box.max, margin)};
}

void sleep_wake_box(struct sim_world *world, struct vec3 min, struct vec3 max) {
    bool any = false;
    for (uint32_t i = 0; i < world->state.objects; i++) {
        const struct object *object = &world->object[i];
        if (!object->asleep) {
            continue;
        }
        const struct box own = box_near(world, object);
        if (own.min.x <= max.x && own.max.x >= min.x && own.min.y <= max.y && own.max.y >= min.y &&
            own.min.z <= max.z && own.max.z >= min.z) {
            mark_island(world, object);
            any = true;
        }
    }
    if (any) {
        wake_marked(world);
    }
}

void sleep_wake_near(struct sim_world *world, const struct object *object) {
    const struct box box = box_near(world, object);
    sleep_wake_box(world, box.min, box.max);
}

bool sleep_wake_touched(struct sim_world *world) {
    bool any = false;
    for (uint32_t i = 0; i < world->contacts; i++) {
        const struct contact *contact = &world->contact[i];
        if (contact->object_b == CONTACT_NO_OBJECT) {
            continue;
        }
        const struct object *a = &world->object[contact->object_a];
        const struct object *b = &world->object[contact->object_b];
        if (a->asleep != b->asleep) {
            mark_island(world, a->asleep ? a : b);
            any = true;
        }
    }
    if (any) {
        wake_marked(world);
        sleep_resolve(world);
        free_stick_resolve(world);
    }
    return any;
}

// ---- in the tick -------------------------------------------------------------------------------------------------

// Of what does not move, what relaxation and `exchange` in step.c count on.
static void copy_position(struct sim_world *world, uint32_t first, uint32_t end) {
    const size_t bytes = (size_t)(end - first) * sizeof *world->x;
    memcpy(world->off_x + first, world->low_x + first, bytes);
    memcpy(world->off_y + first, world->low_y + first, bytes);
    memcpy(world->off_z + first, world->low_z + first, bytes);
    memcpy(world->ahead_x + first, world->x + first, bytes);
    memcpy(world->ahead_y + first, world->y + first, bytes);
    memcpy(world->ahead_z + first, world->z + first, bytes);
}

void sleep_resolve(struct sim_world *world) {
    if (!world->spans_stale) {
        return;
    }
    world->spans = 0;
    for (uint32_t i = 0; i < world->state.objects; i++) {
        const struct object *object = &world->object[i];
        const uint32_t end = object->first + object->particles;
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

static void fall_asleep(struct sim_world *world, struct object *object, uint32_t island) {
    object->asleep = true;
    object->island = island;
    for (uint32_t i = 0; i < object->particles; i++) {
        particle_set_displacement(world, object->first + i, vec3_of(0.0f, 0.0f, 0.0f));
    }
    resolve_later(world);
}

static void put_to_sleep(struct sim_world *world) {
    const uint32_t enough = still_ticks_until_sleep(world);
    island_find(world);
    for (uint32_t i = 0; i < world->state.objects; i++) {
        if (world->object[i].still_ticks < enough) {
            world->island_marked[island_root(world, i)] = true; // restless
        }
    }
    for (uint32_t i = 0; i < world->state.objects; i++) {
        const uint32_t root = island_root(world, i);
        if (object_is_active(&world->object[i]) && !world->island_marked[root]) {
            fall_asleep(world, &world->object[i], world->object[root].id);
        }
    }
    memset(world->island_marked, 0, world->state.objects * sizeof *world->island_marked);
}

static void tell(struct sim_world *world) {
    for (uint32_t i = 0; i < world->state.objects; i++) {
        struct object *object = &world->object[i];
        if (object->asleep != object->told_asleep) {
            event_add(world, object->asleep ? SIM_EVENT_SLEPT : SIM_EVENT_WOKE, object->id, 0, 0);
            object->told_asleep = object->asleep;
        }
    }
}

void sleep_update(struct sim_world *world) {
    if (world->state.parameters.sleep && still_count(world)) {
        put_to_sleep(world);
    }
    tell(world);
}
