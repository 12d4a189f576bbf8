// SPDX-License-Identifier: MIT
// The memory of cloth that collides: reserved with the world, zeroed pages that cost nothing until there is such cloth.
#include "sim/cloth_contact/cloth_contact.h"
#include "sim/state/memory.h"

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
    size_t count, needed, size;
};

#define ARRAY(member, count, needed)                                                                                   \
    { (void **)&self->member, (count), (needed), sizeof *self->member }

static void list_arrays(const struct sim_world *world, struct self_array arrays[SELF_ARRAYS]) {
    struct self *self = world->self;
    const size_t faces = world->capacity.triangles;
    const size_t slots = world->capacity.particles;
    const size_t used = world->state.particles;
    const size_t made = world->state.triangles; // more than take part, if anything
    const size_t near_most = self_contacts_most(world->capacity.triangles);
    const size_t candidates_most = self_candidates_most(world->capacity.triangles);
    const struct self_array all[] = {
        ARRAY(face, faces, made),
        ARRAY(owned, faces, made),
        ARRAY(fan_first, slots + 1, used + 1),
        ARRAY(fan, 3 * faces, 3 * made),
        ARRAY(member, world->capacity.objects, world->capacity.objects),
        ARRAY(key, faces, made),
        ARRAY(order, faces, made),
        ARRAY(key_spare, faces, made),
        ARRAY(order_spare, faces, made),
        ARRAY(node, 2 * faces + 8, 2 * faces + 8), // two for each of a power of two leaves of two faces
        ARRAY(node_loose, 2 * faces + 8, 2 * faces + 8),
        ARRAY(patch, faces, made),
        ARRAY(candidate, candidates_most, self->candidates),
        ARRAY(near, near_most, self->nears),
        ARRAY(contact, near_most, self->contacts),
        ARRAY(from_x, slots, used),
        ARRAY(from_y, slots, used),
        ARRAY(from_z, slots, used),
        ARRAY(plan_x, slots, used),
        ARRAY(plan_y, slots, used),
        ARRAY(plan_z, slots, used),
        ARRAY(start_x, slots, used),
        ARRAY(start_y, slots, used),
        ARRAY(start_z, slots, used),
        ARRAY(moved, slots, used),
        ARRAY(skin, slots, used),
        ARRAY(way, slots, used),
        ARRAY(loose, slots, used),
        ARRAY(foreseen_x, slots, used),
        ARRAY(foreseen_y, slots, used),
        ARRAY(foreseen_z, slots, used),
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

void self_give_back(struct sim_world *world) {
    struct self_array arrays[SELF_ARRAYS];
    list_arrays(world, arrays);
    for (unsigned i = 0; i < SELF_ARRAYS; i++) {
        memory_give_back(*arrays[i].address, arrays[i].count, arrays[i].size, arrays[i].needed);
    }
}
