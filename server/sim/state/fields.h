// SPDX-License-Identifier: MIT
// The fields of the state that lie in structs: the scalars of a world, and its objects, obstacles, added sticks, grabs
// and forces. Each field has one row (fields.c), and what walks over the state goes by these rows: the archive
// (archive.c), what is checked of an archive (archive_check.c), and the hash (state_hash.c). The arrays of numbers have
// theirs in arrays.h. What has no row is scratch, or follows from what has.
#ifndef WEFT_SIM_STATE_FIELDS_H
#define WEFT_SIM_STATE_FIELDS_H

#include "sim/world/world.h"

enum field_type {
    U32,
    U64,
    REAL,
    VEC3,
    QUAT,
    TRUTH,    // a bool; a u32 of 0 or 1 outside
    ENUM,     // a u32 outside
    OBJECT,   // the id of an object; hashed as its place in the order of creation
    PARTICLE, // a particle of the object in the row before, a local index
};

// Whose field is hashed.
enum field_owner { OF_ALL, OF_BODIES, OF_SLEEPERS };

struct field {
    enum field_type type;
    size_t offset;          // in the struct
    uint32_t since;         // the version of archives that added it; 0: it was always there
    double missing;         // its value where an archive is older; of a vector always zeros
    uint32_t hash;          // its place among the fields that are hashed, from 1; 0: it is not (field_is_sparse)
    enum field_owner owner; // objects only
    double low, high;       // what an archive may say, of a vector in each direction; 0 and 0: anything
};

struct fields {
    const struct field *field; // in the order of the archive
    uint32_t count;
};

#define FIELDS_MAX 96u // of a struct

// What there are several of: where their array lies in struct sim_world, and their number in struct sim_state.
struct element_kind {
    const char *one; // its name in refusals
    size_t size, array, count;
    struct fields fields;
};

#define ELEMENT_ARRAY(type, name, per, room, one, many) ELEMENT_##name,
enum {
#include "sim/world/arrays.h"
    ELEMENT_KIND_COUNT
};
extern const struct element_kind element_kinds[ELEMENT_KIND_COUNT];
extern const struct fields state_fields; // of struct sim_state, without the tick

uint32_t elements_count(const struct sim_state *state, const struct element_kind *kind);
void *elements_at(const struct sim_world *world, const struct element_kind *kind, uint32_t index);

// Whether every number lies where an archive may have it.
bool fields_are_sound(const struct fields *fields, const void *element);
// True for fields of archives of version 4 and later. They are hashed, each after its number, only where their value is
// not `missing`: a world that does not use them keeps the hash that it had before there were such fields. Their numbers
// begin with 101 and may have gaps.
static inline bool field_is_sparse(const struct field *field) {
    return field->since >= 4;
}
bool field_is_missing(const struct field *field, const void *at); // whether its value at `at` is `missing`
// The fields that are hashed, in that order; returns how many there are.
uint32_t fields_hashed(const struct fields *fields, const struct field *hashed[FIELDS_MAX]);

#endif
