// SPDX-License-Identifier: MIT
// The memory of cloth contacts: reserved with the world; zeroed pages cost nothing until there is such cloth.
#include "sim/cloth_contact/cloth_contact_memory.h"

#include <stdlib.h>

#include "sim/cloth_contact/cloth_contact.h"
#include "sim/world/array.h"

uint32_t cloth_contact_capacity(uint32_t faces) {
    const uint64_t most = (uint64_t)faces * CLOTH_CONTACTS_PER_TRIANGLE + CLOTH_CONTACTS_MIN;
    return most < CLOTH_CONTACTS_MAX ? (uint32_t)most : CLOTH_CONTACTS_MAX;
}

uint32_t cloth_contact_candidate_capacity(uint32_t faces) {
    const uint64_t most = (uint64_t)faces * CLOTH_CONTACT_CANDIDATES_PER_TRIANGLE + CLOTH_CONTACT_CANDIDATES_MIN;
    return most < CLOTH_CONTACT_CANDIDATES_MAX ? (uint32_t)most : CLOTH_CONTACT_CANDIDATES_MAX;
}

uint32_t cloth_contact_face_count(const struct sim_world *world) {
    return world->state.triangles + world->cloth_contacts->threads;
}

// An added stick ties each carrier of one end to each of the other, both ways.
#define TIES_PER_STICK (2u * SIM_STICK_CARRIERS * SIM_STICK_CARRIERS)

#define CLOTH_CONTACT_ARRAYS 53

struct cloth_contact_array {
    void **address;
    size_t count, needed, size;
};

#define ARRAY(member, count, needed)                                                                                   \
    { (void **)&cloth->member, (count), (needed), sizeof *cloth->member }

static void list_arrays(const struct sim_world *world, struct cloth_contact_array arrays[CLOTH_CONTACT_ARRAYS]) {
    struct cloth_contacts *cloth = world->cloth_contacts;
    const size_t faces = (size_t)world->capacity.triangles + world->capacity.particles;
    const size_t slots = world->capacity.particles;
    const size_t used = world->state.particles;
    const size_t made = cloth_contact_face_count(world); // an upper bound of the faces that collide
    const size_t ties = (size_t)TIES_PER_STICK * world_free_stick_room(&world->capacity);
    const size_t near_most = cloth_contact_capacity((uint32_t)(faces < UINT32_MAX ? faces : UINT32_MAX));
    const size_t candidates_most =
        cloth_contact_candidate_capacity((uint32_t)(faces < UINT32_MAX ? faces : UINT32_MAX));
    const struct cloth_contact_array all[] = {
        ARRAY(face, faces, made),
        ARRAY(owned, faces, made),
        ARRAY(fan_first, slots + 1, used + 1),
        ARRAY(fan, 3 * faces, 3 * made),
        ARRAY(member, world->capacity.objects, world->capacity.objects),
        ARRAY(tie_first, slots, used),
        ARRAY(tie, ties, cloth->ties),
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
        ARRAY(contact_spare, near_most, cloth->contacts),
        ARRAY(place, near_most, cloth->nears),
        ARRAY(place_spare, near_most, cloth->nears),
        ARRAY(rank, faces, made),
        ARRAY(epoch, faces, made),
        ARRAY(face_moved, faces, made),
        ARRAY(active_epoch, world->capacity.objects, world->capacity.objects),
        ARRAY(plan.from_x, slots, used),
        ARRAY(plan.from_y, slots, used),
        ARRAY(plan.from_z, slots, used),
        ARRAY(plan.way_x, slots, used),
        ARRAY(plan.way_y, slots, used),
        ARRAY(plan.way_z, slots, used),
        ARRAY(plan.skin, slots, used),
        ARRAY(plan.moved, slots, used),
        ARRAY(plan.loose, slots, used),
        ARRAY(order_plan.from_x, slots, used),
        ARRAY(order_plan.from_y, slots, used),
        ARRAY(order_plan.from_z, slots, used),
        ARRAY(order_plan.way_x, slots, used),
        ARRAY(order_plan.way_y, slots, used),
        ARRAY(order_plan.way_z, slots, used),
        ARRAY(order_plan.skin, slots, used),
        ARRAY(order_plan.moved, slots, used),
        ARRAY(order_plan.loose, slots, used),
        ARRAY(start_x, slots, used),
        ARRAY(start_y, slots, used),
        ARRAY(start_z, slots, used),
        ARRAY(path, slots, used),
        ARRAY(listed_x, slots, used),
        ARRAY(listed_y, slots, used),
        ARRAY(listed_z, slots, used),
        ARRAY(face_off, faces, made),
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
