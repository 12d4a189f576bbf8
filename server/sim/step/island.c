// SPDX-License-Identifier: MIT
// Islands: objects joined by contacts or free sticks, found by union and find (R. E. Tarjan, 1975).
//
// The root of an island is its object that was created first, whatever the order of the joins. The contacts are those
// of the tick's last substep.
#include "sim/step/island.h"

#include "sim/cloth_contact/cloth_contact.h"
#include "sim/contact/contact.h"
#include "sim/world/layout.h"

// Halves the path on the way.
static uint32_t find(uint32_t *parent, uint32_t place) {
    while (parent[place] != place) {
        parent[place] = parent[parent[place]];
        place = parent[place];
    }
    return place;
}

// Sleeping and quarantined objects join nothing: they are as immovable as an obstacle.
static void join(struct sim_world *world, uint32_t a, uint32_t b) {
    if (!object_is_active(&world->object[a]) || !object_is_active(&world->object[b])) {
        return;
    }
    const uint32_t root_a = find(world->island_parent, a);
    const uint32_t root_b = find(world->island_parent, b);
    if (root_a < root_b) {
        world->island_parent[root_b] = root_a;
    } else {
        world->island_parent[root_a] = root_b;
    }
}

static uint32_t place_of(const struct sim_world *world, uint32_t id) {
    struct object *object = NULL;
    return layout_find(world, id, &object, NULL) == RESULT_OK ? (uint32_t)(object - world->object) : 0;
}

void island_find(struct sim_world *world) {
    for (uint32_t i = 0; i < world->state.objects; i++) {
        world->island_parent[i] = i;
    }
    for (uint32_t i = 0; i < world->contacts; i++) {
        if (world->contact[i].object_b != CONTACT_NO_OBJECT) {
            join(world, world->contact[i].object_a, world->contact[i].object_b);
        }
    }
    for (uint32_t i = 0; i < world->cloth_contacts->contacts; i++) {
        join(world, world->cloth_contacts->contact[i].object_a, world->cloth_contacts->contact[i].object_b);
    }
    for (uint32_t i = 0; i < world->state.free_sticks; i++) {
        const struct free_stick *stick = &world->free_stick[i];
        if (stick->a.object != stick->b.object) {
            join(world, place_of(world, stick->a.object), place_of(world, stick->b.object));
        }
    }
}

uint32_t island_root(const struct sim_world *world, uint32_t place) {
    return find(world->island_parent, place);
}
