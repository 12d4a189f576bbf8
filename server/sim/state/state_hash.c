// SPDX-License-Identifier: MIT
// The hash of a world's state: XXH64, seed 0, over the following values, every number little-endian, enumerators and
// counts as u32, floats as their bits, and nothing else: no padding, no pointer, no scratch, no epoch. Ids are names,
// not state: an object is hashed as its place in the order of creation, so that a scene built anew, under other ids,
// has the same hash as the first time.
//
//   tick u64, tick rate f32
//   the scalars of the state: parameters, then counts
//   object by object its fields; of bodies and of sleepers more than of others
//   the arrays of particles, sticks, colours and triangles, one after the other
//   obstacles, added sticks, grabs and forces, one after the other their fields
//   the arrays of forces and shapes
//
// Which fields and arrays, and in what order: the `hash` of their rows in fields.c and arrays.h. Fields that later
// versions added follow those of before, each as its number u32 and its value, and only where it has a value
// (field_is_sparse); arrays that later versions added have no elements where they are not used. So the hash of a world
// without anything new stays what it was.
#include <assert.h>

#include "base/hash.h"
#include "sim/state/fields.h"
#include "sim/world/layout.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "arrays are hashed as they lie in memory");

// From here on arrays are hashed after all that is no array. Their places may have gaps.
#define LATE 101u
#define LATE_END 256u

// The place of the object in the order of creation.
static uint32_t place_of(const struct sim_world *world, uint32_t id) {
    struct object *object = NULL;
    const enum result result = layout_find(world, id, &object, NULL);
    assert(result == RESULT_OK);
    return result == RESULT_OK ? (uint32_t)(object - world->object) : UINT32_MAX;
}

static bool is_owner(const struct field *field, const void *element) {
    const struct object *object = element; // only objects have fields that some of them lack
    return field->owner == OF_ALL || (field->owner == OF_BODIES && object->kind == SIM_KIND_BODY) ||
           (field->owner == OF_SLEEPERS && object->asleep);
}

static void add_field(struct hash64 *hash, const struct sim_world *world, const struct field *field, const void *at) {
    uint32_t number[4] = {0};
    switch (field->type) {
    case TRUTH:
        hash64_update_u32(hash, *(const bool *)at ? 1 : 0);
        break;
    case OBJECT:
        memcpy(number, at, sizeof *number);
        hash64_update_u32(hash, place_of(world, *number));
        break;
    case VEC3:
        hash64_update(hash, at, 3 * sizeof *number);
        break;
    case QUAT:
        hash64_update(hash, at, 4 * sizeof *number);
        break;
    default:
        hash64_update(hash, at, sizeof *number);
    }
}

static void add_fields(struct hash64 *hash, const struct sim_world *world, const struct fields *fields,
                       const void *element) {
    const struct field *hashed[FIELDS_MAX];
    const uint32_t count = fields_hashed(fields, hashed);
    for (uint32_t i = 0; i < count; i++) {
        const void *at = (const char *)element + hashed[i]->offset;
        if (!is_owner(hashed[i], element) || (field_is_sparse(hashed[i]) && field_is_missing(hashed[i], at))) {
            continue;
        }
        if (field_is_sparse(hashed[i])) {
            hash64_update_u32(hash, hashed[i]->hash);
        }
        add_field(hash, world, hashed[i], at);
    }
}

static void add_elements(struct hash64 *hash, const struct sim_world *world, const struct element_kind *kind) {
    const uint32_t count = elements_count(&world->state, kind);
    for (uint32_t i = 0; i < count; i++) {
        add_fields(hash, world, &kind->fields, elements_at(world, kind, i));
    }
}

// The arrays whose places are from `first` to before `end`.
static void add_arrays(struct hash64 *hash, const struct sim_world *world, uint32_t first, uint32_t end) {
    const struct sim_state *state = &world->state;
    for (uint32_t next = first; next < end; next++) {
#define STATE_ARRAY(type, name, each, per, since, place)                                                               \
    if (next == (place)) {                                                                                             \
        hash64_update(hash, world->name, (each) * (size_t)state->per * sizeof *world->name);                           \
    }
#include "sim/world/arrays.h"
    }
}

uint64_t sim_world_hash(const struct sim_world *world) {
    struct hash64 hash;
    hash64_init(&hash, 0);
    hash64_update_u64(&hash, world->state.tick);
    hash64_update_float(&hash, world->tick_hz);
    add_fields(&hash, world, &state_fields, &world->state);
    add_elements(&hash, world, &element_kinds[ELEMENT_object]);
    add_arrays(&hash, world, 1, LATE);
    for (unsigned kind = ELEMENT_object + 1; kind < ELEMENT_KIND_COUNT; kind++) {
        add_elements(&hash, world, &element_kinds[kind]);
    }
    add_arrays(&hash, world, LATE, LATE_END);
    return hash64_digest(&hash);
}
