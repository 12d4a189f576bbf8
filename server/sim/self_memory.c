// SPDX-License-Identifier: MIT
// The memory of cloth that collides: reserved with the world, zeroed pages that cost nothing until there is such cloth.
#include "sim/memory.h"
#include "sim/self.h"

#include <stdlib.h>

uint32_t self_contacts_most(uint32_t triangles) {
    const uint64_t most = (uint64_t)triangles * SELF_CONTACTS_PER_TRIANGLE + SELF_CONTACTS_LEAST;
    return most < SELF_CONTACTS_MAX ? (uint32_t)most : SELF_CONTACTS_MAX;
}

uint32_t self_candidates_most(uint32_t triangles) {
    const uint64_t most = (uint64_t)triangles * SELF_CANDIDATES_PER_TRIANGLE + SELF_CANDIDATES_LEAST;
    return most < SELF_CANDIDATES_MAX ? (uint32_t)most : SELF_CANDIDATES_MAX;
}

#define SELF_ARRAYS 31

struct self_array {
    void **address;
    size_t count, size;
};

#define ARRAY(member, count)                                                                                           \
    { (void **)&self->member, (count), sizeof *self->member }

static void list_arrays(const struct sim_world *world, struct self_array arrays[SELF_ARRAYS]) {
    struct self *self = world->self;
    const size_t faces = world->capacity.triangles;
    const size_t slots = world->capacity.particles;
    const struct self_array all[] = {
        ARRAY(face, faces),
        ARRAY(owned, faces),
        ARRAY(fan_first, slots + 1),
        ARRAY(fan, 3 * faces),
        ARRAY(member, world->capacity.objects),
        ARRAY(key, faces),
        ARRAY(order, faces),
        ARRAY(key_spare, faces),
        ARRAY(order_spare, faces),
        ARRAY(node, 2 * faces + 8), // two for each of a power of two leaves of two faces
        ARRAY(node_loose, 2 * faces + 8),
        ARRAY(patch, faces),
        ARRAY(candidate, self_candidates_most(world->capacity.triangles)),
        ARRAY(near, self_contacts_most(world->capacity.triangles)),
        ARRAY(contact, self_contacts_most(world->capacity.triangles)),
        ARRAY(from_x, slots),
        ARRAY(from_y, slots),
        ARRAY(from_z, slots),
        ARRAY(plan_x, slots),
        ARRAY(plan_y, slots),
        ARRAY(plan_z, slots),
        ARRAY(start_x, slots),
        ARRAY(start_y, slots),
        ARRAY(start_z, slots),
        ARRAY(moved, slots),
        ARRAY(skin, slots),
        ARRAY(way, slots),
        ARRAY(loose, slots),
        ARRAY(foreseen_x, slots),
        ARRAY(foreseen_y, slots),
        ARRAY(foreseen_z, slots),
    };
    _Static_assert(sizeof all / sizeof all[0] == SELF_ARRAYS, "every array is reserved and released");
    memcpy(arrays, all, sizeof all);
}

enum result self_reserve(struct sim_world *world) {
    world->self = calloc(1, sizeof *world->self);
    if (world->self == NULL) {
        return RESULT_MEMORY;
    }
    struct self_array arrays[SELF_ARRAYS];
    list_arrays(world, arrays);
    for (unsigned i = 0; i < SELF_ARRAYS; i++) {
        *arrays[i].address = memory_reserve_array(arrays[i].count, arrays[i].size, i);
        if (*arrays[i].address == NULL) {
            return RESULT_MEMORY;
        }
    }
    world->self->stale = true;
    return RESULT_OK;
}

void self_release(struct sim_world *world) {
    if (world->self == NULL) {
        return;
    }
    struct self_array arrays[SELF_ARRAYS];
    list_arrays(world, arrays);
    for (unsigned i = 0; i < SELF_ARRAYS; i++) {
        memory_release_array(*arrays[i].address);
    }
    free(world->self);
    world->self = NULL;
}
