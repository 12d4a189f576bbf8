// SPDX-License-Identifier: MIT
// The memory of a world: all of its arrays in one table, from which they are reserved, released and measured. All
// memory is reserved at once; zeroed pages cost nothing until they are used.
//
// The memory of collisions (contacts, starts, cloth contacts) depends on what touches, and is measured apart from that
// of particles and sticks.
#include "sim/state/memory.h"

#include <stdlib.h>

#include "sim/body/body_part.h"
#include "sim/cloth_contact/cloth_contact_memory.h"
#include "sim/contact/contact.h"
#include "sim/contact/impact.h"
#include "sim/simd/simd.h"
#include "sim/stick/rope_relax.h"
#include "sim/stick/stick_plan.h"
#include "sim/world/array.h"

// The kinds of elements that arrays have one entry for.
enum element {
    ELEMENT_PARTICLE,
    ELEMENT_SHEET, // a particle of an object with sticks
    ELEMENT_TETHER,
    ELEMENT_STICK,
    ELEMENT_COLOUR,
    ELEMENT_RUN,
    ELEMENT_BLOCK,   // a particle of the largest object that is relaxed in a block
    ELEMENT_SCRATCH, // a particle, of temporary data that is not measured
    ELEMENT_CONTACT,
    ELEMENT_OTHER,
    ELEMENT_COUNT
};

struct array {
    void **address;
    size_t count, size;
    enum element element;
};

#define ARRAY(member, count, element)                                                                                  \
    { (void **)&world->member, (count), sizeof *world->member, (element) }
#define AXES(x, y, z)                                                                                                  \
    ARRAY(x, particles, ELEMENT_PARTICLE), ARRAY(y, particles, ELEMENT_PARTICLE), ARRAY(z, particles, ELEMENT_PARTICLE)
#define ARRAYS 73

static void list_arrays(struct sim_world *world, struct array arrays[ARRAYS]) {
    const struct sim_capacity *most = &world->capacity;
    const uint32_t particles = most->particles, sticks = most->sticks, objects = most->objects;
    const uint32_t free_sticks = sticks < SIM_FREE_STICKS_MAX ? sticks : SIM_FREE_STICKS_MAX;
    const uint32_t parts = most->triangles / 4 + 1;
    const struct array all[] = {
        AXES(x, y, z),
        AXES(dx, dy, dz),
        AXES(low_x, low_y, low_z),
        AXES(off_x, off_y, off_z),
        AXES(ahead_x, ahead_y, ahead_z),
        AXES(fx, fy, fz),
        AXES(still_x, still_y, still_z),
        ARRAY(own_w, particles, ELEMENT_PARTICLE),
        ARRAY(w, particles, ELEMENT_PARTICLE),
        ARRAY(flags, particles, ELEMENT_PARTICLE),
        ARRAY(outcode, particles, ELEMENT_PARTICLE),
        ARRAY(colours_taken, particles, ELEMENT_SHEET),
        ARRAY(tether_anchor, particles, ELEMENT_TETHER),
        ARRAY(tether_way, particles, ELEMENT_TETHER),
        ARRAY(stick_a, sticks, ELEMENT_STICK),
        ARRAY(stick_b, sticks, ELEMENT_STICK),
        ARRAY(stick_rest, sticks, ELEMENT_STICK),
        ARRAY(stick_lambda, sticks, ELEMENT_STICK),
        ARRAY(colour_end, sticks, ELEMENT_COLOUR),
        ARRAY(colour_class, sticks, ELEMENT_COLOUR),
        ARRAY(stick_run, stick_plan_run_capacity(most), ELEMENT_RUN),
        ARRAY(stick_block, SIMD_BLOCK * (size_t)stick_plan_block_capacity(most), ELEMENT_BLOCK),
        ARRAY(triangle, (size_t)most->triangles * 3, ELEMENT_OTHER),
        ARRAY(object, objects, ELEMENT_OTHER),
        ARRAY(obstacle, most->obstacles, ELEMENT_OTHER),
        ARRAY(free_stick, free_sticks, ELEMENT_OTHER),
        ARRAY(free_lambda, free_sticks, ELEMENT_OTHER),
        ARRAY(free_slot_a, free_sticks, ELEMENT_OTHER),
        ARRAY(free_slot_b, free_sticks, ELEMENT_OTHER),
        ARRAY(free_colour, free_sticks, ELEMENT_OTHER),
        ARRAY(free_colour_end, free_sticks, ELEMENT_OTHER),
        ARRAY(free_order, free_sticks, ELEMENT_OTHER),
        ARRAY(grab, SIM_GRABS_MAX, ELEMENT_OTHER),
        ARRAY(force, SIM_FORCES_MAX, ELEMENT_OTHER),
        ARRAY(force_index, particles, ELEMENT_SCRATCH),
        ARRAY(shape_real, most->shape_words, ELEMENT_OTHER),
        ARRAY(shape_index, most->shape_words, ELEMENT_OTHER),
        ARRAY(contact, contact_capacity(particles), ELEMENT_CONTACT),
        ARRAY(impact_body, objects, ELEMENT_OTHER),
        ARRAY(begun_x, particles, ELEMENT_SCRATCH),
        ARRAY(begun_y, particles, ELEMENT_SCRATCH),
        ARRAY(begun_z, particles, ELEMENT_SCRATCH),
        ARRAY(tether_next, particles, ELEMENT_SCRATCH),
        ARRAY(tether_link_end, particles, ELEMENT_SCRATCH),
        ARRAY(tether_link, (size_t)sticks * 2, ELEMENT_OTHER),
        ARRAY(tether_heap, particles, ELEMENT_SCRATCH),
        ARRAY(tether_place, particles, ELEMENT_SCRATCH),
        ARRAY(body_part, parts, ELEMENT_OTHER),
        ARRAY(body_order, parts, ELEMENT_OTHER),
        ARRAY(body_order_other, parts, ELEMENT_OTHER),
        ARRAY(body_key, parts, ELEMENT_OTHER),
        ARRAY(body_interval, parts, ELEMENT_OTHER),
        ARRAY(span, objects, ELEMENT_OTHER),
        ARRAY(island_parent, objects, ELEMENT_OTHER),
        ARRAY(stack_level, objects, ELEMENT_OTHER),
        ARRAY(island_marked, objects, ELEMENT_OTHER),
        ARRAY(event, SIM_EVENTS_MAX, ELEMENT_OTHER),
        ARRAY(stick_plan, objects, ELEMENT_OTHER),
        ARRAY(rope_row, particles, ELEMENT_SCRATCH),
    };
    _Static_assert(sizeof all / sizeof all[0] == ARRAYS, "every array is reserved and released");
    memcpy(arrays, all, sizeof all);
}

enum result memory_reserve(struct sim_world *world) {
    struct array arrays[ARRAYS];
    list_arrays(world, arrays);
    for (unsigned i = 0; i < ARRAYS; i++) {
        *arrays[i].address = array_reserve(arrays[i].count, arrays[i].size, i);
        if (*arrays[i].address == NULL) {
            return RESULT_MEMORY;
        }
    }
    return cloth_contact_reserve(world);
}

void memory_release(struct sim_world *world) {
    struct array arrays[ARRAYS];
    list_arrays(world, arrays);
    for (unsigned i = 0; i < ARRAYS; i++) {
        array_release(*arrays[i].address);
    }
    cloth_contact_release(world);
}

// ---- giving back -------------------------------------------------------------------------------------------------

// The number of elements that an array needs, where memory beyond them can be released; for all other arrays its
// length.
static uint64_t count_needed(const struct sim_world *world, enum element element) {
    switch (element) {
    case ELEMENT_PARTICLE:
    case ELEMENT_SHEET:
    case ELEMENT_TETHER:
    case ELEMENT_SCRATCH:
        return world->state.particles;
    case ELEMENT_STICK:
        return world->state.sticks;
    case ELEMENT_COLOUR:
        return world->state.colours;
    case ELEMENT_CONTACT:
        return world->contacts;
    default:
        return UINT64_MAX;
    }
}

void sim_world_give_back(struct sim_world *world) {
    struct array arrays[ARRAYS];
    list_arrays(world, arrays);
    for (unsigned i = 0; i < ARRAYS; i++) {
        const uint64_t needed = count_needed(world, arrays[i].element);
        array_give_back(*arrays[i].address, arrays[i].count, arrays[i].size, needed);
    }
    cloth_contact_give_back(world);
}

// ---- reckoning up ------------------------------------------------------------------------------------------------

// The numbers of elements in use.
static void count_elements(const struct sim_world *world, uint64_t count[ELEMENT_COUNT]) {
    const struct sim_state *state = &world->state;
    memset(count, 0, ELEMENT_COUNT * sizeof *count);
    count[ELEMENT_PARTICLE] = state->particles;
    count[ELEMENT_STICK] = state->sticks;
    count[ELEMENT_COLOUR] = state->colours;
    count[ELEMENT_RUN] = world->stick_runs;
    for (uint32_t i = 0; i < state->objects; i++) {
        const struct object *object = &world->object[i];
        const bool block = !world->stick_plans_stale && stick_arrangement_of(world, object) == STICK_BLOCK;
        count[ELEMENT_SHEET] += object->sticks > 0 ? object->particles : 0;
        count[ELEMENT_TETHER] += object->tethers ? object->particles : 0;
        if (block && SIMD_BLOCK * (uint64_t)object->particles > count[ELEMENT_BLOCK]) {
            count[ELEMENT_BLOCK] = SIMD_BLOCK * (uint64_t)object->particles;
        }
    }
}

struct sim_memory sim_world_memory(const struct sim_world *world) {
    struct sim_world copy = *world; // the table holds addresses in a world that is not const
    struct array arrays[ARRAYS];
    uint64_t count[ELEMENT_COUNT];
    struct sim_memory memory = {0};
    list_arrays(&copy, arrays);
    count_elements(world, count);
    for (unsigned i = 0; i < ARRAYS; i++) {
        const uint64_t bytes = count[arrays[i].element] * arrays[i].size;
        *(arrays[i].element == ELEMENT_PARTICLE ? &memory.particle_bytes : &memory.stick_bytes) += bytes;
    }
    return memory;
}
