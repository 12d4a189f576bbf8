// SPDX-License-Identifier: MIT
// Sleep: an object at rest costs no time until something touches it (PHYSICS.md 13).
//
// When all objects of an island (island.c) have been still for SIM_SLEEP_SECONDS (still.c), and no grab, force or wind
// acts on them, they fall asleep: d = 0, and no substep processes them. In a world whose parameter `sleep` is false
// nothing falls asleep.
//
// They wake together: by a command on one of them, a change of the parameters, an obstacle or object that appears or
// disappears near one, or a contact with an object that is awake. A contact wakes objects within the substep that finds
// it, before it is relaxed, so that a sleeping object is hit with its full mass.
//
// Sleep and island are state: they are saved and hashed, and a tick depends on them.
#include "sim/step/sleep.h"

#include "sim/contact/contact.h"
#include "sim/step/island.h"
#include "sim/step/still.h"
#include "sim/stick/free_stick.h"
#include "sim/world/active.h"
#include "sim/world/event.h"
#include "sim/world/layout.h"
#include "sim/world/particle.h"
#include "sim/world/wake.h"

// ---- waking ------------------------------------------------------------------------------------------------------

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
            wake_mark_island(world, a->asleep ? a : b);
            any = true;
        }
    }
    if (any) {
        wake_marked(world);
        active_resolve(world);
        free_stick_resolve(world);
    }
    return any;
}

// ---- in the tick -------------------------------------------------------------------------------------------------

static void fall_asleep(struct sim_world *world, struct object *object, uint32_t island) {
    object->asleep = true;
    object->island = island;
    for (uint32_t i = 0; i < object->particles; i++) {
        particle_set_displacement(world, object->first + i, vec3_of(0.0f, 0.0f, 0.0f));
    }
    active_changed(world);
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

void sim_world_isolate(struct sim_world *world, const uint32_t *objects, uint32_t count) {
    island_find(world);
    for (uint32_t i = 0; i < count; i++) {
        struct object *object = NULL;
        if (layout_find(world, objects[i], &object, NULL) == RESULT_OK) {
            world->island_marked[island_root(world, (uint32_t)(object - world->object))] = true;
        }
    }
    for (uint32_t i = 0; i < world->state.objects; i++) {
        struct object *object = &world->object[i];
        if (object_is_active(object) && !world->island_marked[island_root(world, i)]) {
            fall_asleep(world, object, object->id); // what touches one of an island need not wake all the others
            object->told_asleep = true;
        }
    }
    memset(world->island_marked, 0, world->state.objects * sizeof *world->island_marked);
}

static void report_sleep(struct sim_world *world) {
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
    report_sleep(world);
}
