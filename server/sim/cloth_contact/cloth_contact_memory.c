// SPDX-License-Identifier: MIT
// The memory of cloth contacts: reserved with the world; zeroed pages cost nothing until there is such cloth.
#include "sim/cloth_contact/cloth_contact_memory.h"

#include <stdlib.h>

#include "sim/cloth_contact/cloth_contact.h"
#include "sim/world/array.h"

uint32_t cloth_contact_capacity(uint32_t triangles) {
    const uint64_t most = (uint64_t)triangles * CLOTH_CONTACTS_PER_TRIANGLE + CLOTH_CONTACTS_MIN;
    return most < CLOTH_CONTACTS_MAX ? (uint32_t)most : CLOTH_CONTACTS_MAX;
}

uint32_t cloth_contact_candidate_capacity(uint32_t triangles) {
    const uint64_t most = (uint64_t)triangles * CLOTH_CONTACT_CANDIDATES_PER_TRIANGLE + CLOTH_CONTACT_CANDIDATES_MIN;
    return most < CLOTH_CONTACT_CANDIDATES_MAX ? (uint32_t)most : CLOTH_CONTACT_CANDIDATES_MAX;
}

#define CLOTH_CONTACT_ARRAYS 31

struct cloth_contact_array {
    void **address;
    size_t count, needed, size;
};

#define ARRAY(member, count, needed)                                                                                   \
    { (void **)&cloth->member, (count), (needed), sizeof *cloth->member }

static void list_arrays(const struct sim_world *world, struct cloth_contact_array arrays[CLOTH_CONTACT_ARRAYS]) {
    struct cloth_contacts *cloth = world->cloth_contacts;
    const size_t faces = world->capacity.triangles;
    const size_t slots = world->capacity.particles;
    const size_t used = world->state.particles;
    const size_t made = world->state.triangles; // an upper bound of the triangles that collide
    const size_t near_most = cloth_contact_capacity(world->capacity.triangles);
    const size_t candidates_most = cloth_contact_candidate_capacity(world->capacity.triangles);
    const struct cloth_contact_array all[] = {
        ARRAY(face, faces, made),
        ARRAY(owned, faces, made),
        ARRAY(fan_first, slots + 1, used + 1),
        ARRAY(fan, 3 * faces, 3 * made),
        ARRAY(member, world->capacity.objects, world->capacity.objects),
        ARRAY(key, faces, made),
        ARRAY(order, faces, made),
        ARRAY(key_spare, faces, made),
        ARRAY(order_spare, faces, made),
        // Two for each leaf; the leaves are a power of two, of two faces each.
        ARRAY(node, 2 * faces + 8, 2 * faces + 8),
        ARRAY(node_loose, 2 * faces + 8, 2 * faces + 8),
        ARRAY(swept_face, faces, made),
        ARRAY(candidate, candidates_most, cloth->candidates),
        ARRAY(near, near_most, cloth->nears),
        ARRAY(contact, near_most, cloth->contacts),
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
        ARRAY(path, slots, used),
        ARRAY(loose, slots, used),
        ARRAY(predicted_x, slots, used),
        ARRAY(predicted_y, slots, used),
        ARRAY(predicted_z, slots, used),
    };
    _Static_assert(sizeof all / sizeof all[0] == CLOTH_CONTACT_ARRAYS, "every array is reserved and released");
    memcpy(arrays, all, sizeof all);
}

enum result cloth_contact_reserve(struct sim_world *world) {
    world->cloth_contacts = calloc(1, sizeof *world->cloth_contacts);
    if (world->cloth_contacts == NULL) {
        return RESULT_MEMORY;
    }
    struct cloth_contact_array arrays[CLOTH_CONTACT_ARRAYS];
    list_arrays(world, arrays);
    for (unsigned i = 0; i < CLOTH_CONTACT_ARRAYS; i++) {
        *arrays[i].address = array_reserve(arrays[i].count, arrays[i].size, i);
        if (*arrays[i].address == NULL) {
            return RESULT_MEMORY;
        }
    }
    world->cloth_contact_stale = true;
    return RESULT_OK;
}

void cloth_contact_release(struct sim_world *world) {
    if (world->cloth_contacts == NULL) {
        return;
    }
    struct cloth_contact_array arrays[CLOTH_CONTACT_ARRAYS];
    list_arrays(world, arrays);
    for (unsigned i = 0; i < CLOTH_CONTACT_ARRAYS; i++) {
        array_release(*arrays[i].address);
    }
    free(world->cloth_contacts);
    world->cloth_contacts = NULL;
}

void cloth_contact_give_back(struct sim_world *world) {
    struct cloth_contact_array arrays[CLOTH_CONTACT_ARRAYS];
    list_arrays(world, arrays);
    for (unsigned i = 0; i < CLOTH_CONTACT_ARRAYS; i++) {
        array_give_back(*arrays[i].address, arrays[i].count, arrays[i].size, arrays[i].needed);
    }
}
