// SPDX-License-Identifier: MIT
// The memory of a world: all of its arrays in one table, from which they are reserved, released and measured. All
// memory is reserved at once; zeroed pages cost nothing until they are used.
//
// The memory of collisions (contacts, starts, cloth contacts) depends on what touches, and is measured apart from that
// of particles and sticks.
#include "sim/state/memory.h"

#include <assert.h>
#include <stdlib.h>

#include "sim/body/body_part.h"
#include "sim/body/stack.h"
#include "sim/cloth_contact/cloth_contact_memory.h"
#include "sim/contact/contact.h"
#include "sim/contact/extent.h"
#include "sim/contact/grip.h"
#include "sim/contact/impact.h"
#include "sim/geometry/point.h"
#include "sim/simd/simd.h"
#include "sim/stick/panel.h"
#include "sim/stick/point_stick.h"
#include "sim/stick/rope_relax.h"
#include "sim/stick/stick_plan.h"
#include "sim/stick/stick_seam.h"
#include "sim/world/array.h"

// The kinds of elements that arrays have one entry for.
enum element {
    ELEMENT_PARTICLE,
    ELEMENT_SHEET, // a particle of an object with sticks
    ELEMENT_TETHER,
    ELEMENT_STICK,
    ELEMENT_COLOUR,
    ELEMENT_RUN,
    ELEMENT_BLOCK,     // a particle of the largest object that is relaxed in a block
    ELEMENT_UNCOUNTED, // a particle, of temporary data that is not measured
    ELEMENT_CONTACT,
    ELEMENT_OTHER,
    ELEMENT_COUNT,
    // Of the state, by what `per` counts in arrays.h.
    OF_particles = ELEMENT_PARTICLE,
    OF_sticks = ELEMENT_STICK,
    OF_colours = ELEMENT_COLOUR,
    OF_triangles = ELEMENT_OTHER,
    OF_tetrahedra = ELEMENT_OTHER,
    OF_panels = ELEMENT_OTHER,
    OF_force_indices = ELEMENT_UNCOUNTED,
    OF_shape_reals = ELEMENT_OTHER,
    OF_shape_indices = ELEMENT_OTHER
};

struct array {
    void **address;
    size_t count, size;
    enum element element;
};

#define STATE_ARRAY(type, name, each, per, since, hash) ARRAY_##name,
#define ELEMENT_ARRAY(type, name, per, room, one, many) ARRAY_##name,
#define CARRIED_ARRAY(type, name, per, element) ARRAY_##name,
#define SCRATCH_ARRAY(type, name, room, element) ARRAY_##name,
enum {
#include "sim/world/arrays.h"
    ARRAYS
};

static void list_arrays(struct sim_world *world, struct array arrays[ARRAYS]) {
    const struct sim_capacity *most = &world->capacity;
    const uint32_t particles = most->particles, sticks = most->sticks, colours = sticks, triangles = most->triangles;
    const uint32_t objects = most->objects, free_sticks = world_free_stick_room(most);
    const uint32_t tetrahedra = world_tetrahedron_room(most);
    const uint32_t panels = world_panel_room(most);
    const uint32_t force_indices = particles, shape_reals = most->shape_words, shape_indices = most->shape_words;
    // Every part beyond a body's first has a row of a table and a vertex: more than eight numbers of shapes.
    const uint32_t parts = triangles / 4 + 1 + most->shape_words / 8;
#define SCRATCH_ARRAY(type, name, room, element)                                                                       \
    *arrays++ = (struct array){(void **)&world->name, (room), sizeof *world->name, ELEMENT_##element};
#define STATE_ARRAY(type, name, each, per, since, hash)                                                                \
    *arrays++ = (struct array){(void **)&world->name, (each) * (size_t)(per), sizeof *world->name, OF_##per};
#define ELEMENT_ARRAY(type, name, per, room, one, many) SCRATCH_ARRAY(type, name, room, OTHER)
#define CARRIED_ARRAY(type, name, per, element) SCRATCH_ARRAY(type, name, per, element)
#include "sim/world/arrays.h"
}

static_assert(ARRAY_y == ARRAY_x + 1 && ARRAY_z == ARRAY_x + 2, "positions are declared together");
static_assert(ARRAY_dy == ARRAY_dx + 1 && ARRAY_dz == ARRAY_dx + 2, "displacements are declared together");

// Reserves the array, of positions and displacements all three of them, which the library shows as matrices (weft.h).
// Returns how many arrays, 0 when memory runs out.
static unsigned reserve(struct array arrays[ARRAYS], unsigned first) {
    const struct array *array = &arrays[first];
    if (first != ARRAY_x && first != ARRAY_dx) {
        *array->address = array_reserve(array->count, array->size, first);
        return *array->address != NULL ? 1 : 0;
    }
    size_t stride;
    unsigned char *rows = array_reserve_rows(array->count, array->size, first, &stride);
    if (rows == NULL) {
        return 0;
    }
    for (unsigned row = 0; row < 3; row++) {
        *array[row].address = rows + row * stride;
    }
    return 3;
}

enum result memory_reserve(struct sim_world *world) {
    struct array arrays[ARRAYS];
    list_arrays(world, arrays);
    for (unsigned i = 0, reserved; i < ARRAYS; i += reserved) {
        reserved = reserve(arrays, i);
        if (reserved == 0) {
            return RESULT_MEMORY;
        }
    }
    return cloth_contact_reserve(world);
}

void memory_release(struct sim_world *world) {
    struct array arrays[ARRAYS];
    list_arrays(world, arrays);
    for (unsigned i = ARRAYS; i-- > 0;) {
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
    case ELEMENT_UNCOUNTED:
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
        count[ELEMENT_SHEET] += object_is_tied(object) ? object->particles : 0;
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
