// SPDX-License-Identifier: MIT
#include "sim/state/fields.h"

#include <assert.h>
#include <float.h>
#include <stddef.h>

_Static_assert(sizeof(enum sim_kind) == sizeof(uint32_t), "an enumerator is archived as a u32");
_Static_assert(sizeof(struct quat) == 4 * sizeof(float), "four floats, nothing between");

#define AT(member) .offset = offsetof(OWNER, member)
#define FINITE .low = -(double)FLT_MAX, .high = (double)FLT_MAX
#define NOT_NEGATIVE .low = 0.0, .high = (double)FLT_MAX

#define OWNER struct sim_state
static const struct field of_state[] = {
    {U32, AT(epoch)},
    {U32, AT(sequence)},
    {U32, AT(particles), .hash = 14},
    {U32, AT(sticks), .hash = 15},
    {U32, AT(colours), .hash = 16},
    {U32, AT(triangles), .hash = 17},
    {U32, AT(objects), .hash = 18},
    {U32, AT(obstacles), .hash = 19},
    {U32, AT(free_sticks), .hash = 20},
    {U32, AT(grabs), .hash = 21},
    {U32, AT(forces), .hash = 22},
    {U32, AT(force_indices), .hash = 23},
    {U32, AT(shape_reals)},
    {U32, AT(shape_indices)},
    {VEC3, AT(parameters.gravity), .hash = 1},
    {REAL, AT(parameters.damping), .hash = 2},
    {U32, AT(parameters.substeps), .hash = 3},
    {U32, AT(parameters.iterations), .hash = 4},
    {ENUM, AT(parameters.square_root), .hash = 5},
    {VEC3, AT(parameters.bounds_min), .hash = 6},
    {VEC3, AT(parameters.bounds_max), .hash = 7},
    {REAL, AT(parameters.friction), .hash = 8},
    {REAL, AT(parameters.tolerance), .hash = 9},
    {VEC3, AT(parameters.wind_velocity), .hash = 10},
    {REAL, AT(parameters.wind_gust), .hash = 11},
    {REAL, AT(parameters.air_density), .hash = 12, .since = 3, .missing = (double)1.2f},
    {TRUTH, AT(parameters.sleep), .hash = 13, .since = 3, .missing = 1.0},
    {U32, AT(room_particles), .since = 2}, // 0 and 0: as far as there is room in the world
    {U32, AT(room_sticks), .since = 2},
    {U32, AT(tetrahedra), .hash = 161, .since = 4},
    {U32, AT(panels), .since = 4, .hash = 141},
    {U32, AT(path_points), .since = 4, .hash = 201},
};
#undef OWNER

// Where an object's parts begin follows from the objects before it.
#define OWNER struct object
static const struct field of_object[] = {
    {U32, AT(id)},
    {ENUM, AT(kind), .hash = 1, .high = SIM_KIND_COUNT - 1},
    {U32, AT(particles), .hash = 2, .low = 1.0, .high = UINT32_MAX},
    {U32, AT(sticks), .hash = 3},
    {U32, AT(colours), .hash = 4},
    {U32, AT(triangles), .hash = 5},
    {U32, AT(pins)},
    {U32, AT(columns), .hash = 6},
    {U32, AT(rows), .hash = 7},
    {ENUM, AT(lattice), .hash = 8, .high = SIM_LATTICE_COUNT - 1},
    {ENUM, AT(projection), .hash = 9, .high = SIM_PROJECTION_COUNT - 1},
    {REAL, AT(spacing), .hash = 10, FINITE},
    {REAL, AT(radius), .hash = 11, NOT_NEGATIVE},
    {REAL, AT(friction), .hash = 12, .high = 10.0},
    {REAL, AT(restitution), .hash = 24, .owner = OF_BODIES, .high = 1.0},
    {REAL, AT(determinant), .hash = 23, .owner = OF_BODIES, FINITE},
    {REAL, AT(stretch_compliance), .hash = 13, NOT_NEGATIVE},
    {REAL, AT(bend_compliance), .hash = 14, NOT_NEGATIVE},
    {REAL, AT(tear), .hash = 15, FINITE},
    {REAL, AT(height), .hash = 18, FINITE},
    {REAL, AT(grain), FINITE},
    {TRUTH, AT(asleep), .hash = 29},
    {TRUTH, AT(quarantined), .hash = 30},
    {TRUTH, AT(told_asleep)},
    {TRUTH, AT(self_collision), .hash = 17},
    {TRUTH, AT(tethers), .hash = 16},
    {ENUM, AT(shape), .hash = 19, .owner = OF_BODIES, .high = SIM_BODY_SHAPE_COUNT - 1},
    {U32, AT(still_ticks), .hash = 28},
    {OBJECT, AT(island), .hash = 33, .owner = OF_SLEEPERS},
    {U32, AT(hull.first_real)},
    {U32, AT(hull.reals)},
    {U32, AT(hull.first_index)},
    {U32, AT(hull.indices)},
    {U32, AT(hull_vertices), .hash = 20, .owner = OF_BODIES},
    {U32, AT(hull_triangles), .hash = 21, .owner = OF_BODIES},
    {U32, AT(hull_faces), .hash = 22, .owner = OF_BODIES},
    {REAL, AT(still_moved[0]), .hash = 31, .since = 3, FINITE},
    {REAL, AT(still_moved[1]), .hash = 32, .since = 3, FINITE},
    {U32, AT(panels), .since = 4, .hash = 141},
    {REAL, AT(fabric.stretch_warp), .since = 4, .hash = 142, .high = (double)SIM_FABRIC_STIFFNESS_MAX},
    {REAL, AT(fabric.stretch_weft), .since = 4, .hash = 143, .high = (double)SIM_FABRIC_STIFFNESS_MAX},
    {REAL, AT(fabric.shear), .since = 4, .hash = 144, .high = (double)SIM_FABRIC_STIFFNESS_MAX},
    {REAL, AT(fabric.bend_warp), .since = 4, .hash = 145, .high = (double)SIM_FABRIC_BENDING_MAX},
    {REAL, AT(fabric.bend_weft), .since = 4, .hash = 146, .high = (double)SIM_FABRIC_BENDING_MAX},
    {VEC3, AT(rest_edge[0]), .hash = 25, .owner = OF_BODIES, FINITE},
    {VEC3, AT(rest_edge[1]), .hash = 26, .owner = OF_BODIES, FINITE},
    {VEC3, AT(rest_edge[2]), .hash = 27, .owner = OF_BODIES, FINITE},
    {U32, AT(tetrahedra), .hash = 161, .since = 4},
    {REAL, AT(young), .hash = 162, .since = 4, NOT_NEGATIVE},
    {REAL, AT(poisson), .hash = 163, .since = 4, .high = 0.5},
    {REAL, AT(viscosity), .hash = 164, .since = 4, NOT_NEGATIVE},
    {REAL, AT(gas_volume), .hash = 165, .since = 4, NOT_NEGATIVE},
    {REAL, AT(gas_pressure), .hash = 166, .since = 4, FINITE},
    {TRUTH, AT(gas_supplied), .hash = 167, .since = 4},
    {U32, AT(hull_parts), .since = 4, .hash = 121, .owner = OF_BODIES},
    {REAL, AT(tear_force), .since = 4, .hash = 241, .high = (double)SIM_TEAR_FORCE_MAX},
    {REAL, AT(fabric.crease), .since = 4, .hash = 242, .high = (double)SIM_FABRIC_CREASE_MAX},
};
#undef OWNER

// What else there is of an obstacle follows from this (obstacle_resume, which also checks it).
#define OWNER struct obstacle
static const struct field of_obstacle[] = {
    {U32, AT(base.id)},
    {ENUM, AT(base.shape), .hash = 1},
    {VEC3, AT(base.position), .hash = 2},
    {REAL, AT(base.radius), .hash = 3},
    {VEC3, AT(base.size), .hash = 4},
    {QUAT, AT(base.rotation), .hash = 5},
    {VEC3, AT(base.normal), .hash = 6},
    {VEC3, AT(base.from), .hash = 7},
    {VEC3, AT(base.to), .hash = 8},
    {U32, AT(base.columns), .hash = 9},
    {U32, AT(base.rows), .hash = 10},
    {REAL, AT(base.spacing), .hash = 11},
    {U32, AT(base.vertices), .hash = 12},
    {U32, AT(base.triangle_count), .hash = 13},
    {REAL, AT(base.friction), .hash = 14},
    {REAL, AT(base.restitution), .hash = 15},
    {U32, AT(data.first_real)},
    {U32, AT(data.reals)},
    {U32, AT(data.first_index)},
    {U32, AT(data.indices)},
    {VEC3, AT(base.motion.velocity), .since = 4, .hash = 201},
    {VEC3, AT(base.motion.angular_velocity), .since = 4, .hash = 202},
    {VEC3, AT(base.motion.pivot), .since = 4, .hash = 203},
    {VEC3, AT(base.motion.surface_velocity), .since = 4, .hash = 204},
    {U32, AT(base.motion.points), .since = 4, .hash = 205},
    {TRUTH, AT(base.motion.loop), .since = 4, .hash = 206},
    {REAL, AT(base.motion.path_time), .since = 4, .hash = 207},
    {U32, AT(start_low), .since = 4, .hash = 208},
    {U32, AT(start_high), .since = 4, .hash = 209},
};
#undef OWNER

#define OWNER struct free_stick
static const struct field of_free_stick[] = {
    {U32, AT(id)},
    {OBJECT, AT(a.object), .hash = 1},
    {PARTICLE, AT(a.particle), .hash = 2},
    {OBJECT, AT(b.object), .hash = 3},
    {PARTICLE, AT(b.particle), .hash = 4},
    {ENUM, AT(kind), .hash = 5, .high = SIM_STICK_KIND_COUNT - 1},
    {REAL, AT(rest_length), .hash = 7, NOT_NEGATIVE},
    {REAL, AT(compliance), .hash = 8, NOT_NEGATIVE},
    {ENUM, AT(projection), .hash = 6, .since = 3, .missing = SIM_PROJECTION_CURRENT, .high = SIM_PROJECTION_COUNT - 1},
    // Only as many carriers count as the point has (archive_check.c).
    {U32, AT(a_point.carriers), .hash = 101, .since = 4, .high = SIM_STICK_CARRIERS},
    {U32, AT(a_point.particle[0]), .hash = 102, .since = 4},
    {REAL, AT(a_point.weight[0]), .hash = 103, .since = 4},
    {U32, AT(a_point.particle[1]), .hash = 104, .since = 4},
    {REAL, AT(a_point.weight[1]), .hash = 105, .since = 4},
    {U32, AT(a_point.particle[2]), .hash = 106, .since = 4},
    {REAL, AT(a_point.weight[2]), .hash = 107, .since = 4},
    {U32, AT(a_point.particle[3]), .hash = 108, .since = 4},
    {REAL, AT(a_point.weight[3]), .hash = 109, .since = 4},
    {U32, AT(b_point.carriers), .hash = 110, .since = 4, .high = SIM_STICK_CARRIERS},
    {U32, AT(b_point.particle[0]), .hash = 111, .since = 4},
    {REAL, AT(b_point.weight[0]), .hash = 112, .since = 4},
    {U32, AT(b_point.particle[1]), .hash = 113, .since = 4},
    {REAL, AT(b_point.weight[1]), .hash = 114, .since = 4},
    {U32, AT(b_point.particle[2]), .hash = 115, .since = 4},
    {REAL, AT(b_point.weight[2]), .hash = 116, .since = 4},
    {U32, AT(b_point.particle[3]), .hash = 117, .since = 4},
    {REAL, AT(b_point.weight[3]), .hash = 118, .since = 4},
    {REAL, AT(rest_low), .hash = 119, .since = 4, FINITE},
    {REAL, AT(target_length), .hash = 120, .since = 4, NOT_NEGATIVE},
    {REAL, AT(rate), .hash = 121, .since = 4, NOT_NEGATIVE},
    {REAL, AT(swing.amplitude), .hash = 122, .since = 4, NOT_NEGATIVE},
    {REAL, AT(swing.period), .hash = 123, .since = 4, NOT_NEGATIVE},
    {REAL, AT(swing.phase), .hash = 124, .since = 4, FINITE},
    {REAL, AT(break_force), .hash = 125, .since = 4, NOT_NEGATIVE},
    {REAL, AT(force), .since = 4, FINITE},
};
#undef OWNER

// Only as many carriers count as the grab has (archive_check.c).
_Static_assert(SIM_GRAB_CARRIERS == 4 && SIM_GRAB_MEMORY_TICKS == 4, "a row for each carrier and each tick");
#define OWNER struct grab
static const struct field of_grab[] = {
    {U32, AT(id)},
    {OBJECT, AT(object), .hash = 1},
    {U32, AT(holds), .hash = 2, .high = 1.0},
    {U32, AT(carriers), .hash = 3, .low = 1.0, .high = SIM_GRAB_CARRIERS},
    {U32, AT(particle[0]), .hash = 4},
    {REAL, AT(weight[0]), .hash = 5},
    {U32, AT(particle[1]), .hash = 6},
    {REAL, AT(weight[1]), .hash = 7},
    {U32, AT(particle[2]), .hash = 8},
    {REAL, AT(weight[2]), .hash = 9},
    {U32, AT(particle[3]), .hash = 10},
    {REAL, AT(weight[3]), .hash = 11},
    {VEC3, AT(target), .hash = 12, FINITE},
    {VEC3, AT(position), .hash = 13, FINITE},
    {VEC3, AT(moved[0]), .hash = 14},
    {VEC3, AT(moved[1]), .hash = 15},
    {VEC3, AT(moved[2]), .hash = 16},
    {VEC3, AT(moved[3]), .hash = 17},
    {U32, AT(ticks), .hash = 18, .high = SIM_GRAB_MEMORY_TICKS},
};
#undef OWNER

#define OWNER struct force
static const struct field of_force[] = {
    {OBJECT, AT(object), .hash = 1},      {U32, AT(ticks), .hash = 2, .low = 1.0, .high = UINT32_MAX},
    {U32, AT(first_index), .hash = 3},    {U32, AT(indices), .hash = 4},
    {VEC3, AT(share), .hash = 5, FINITE},
};
#undef OWNER

// What else holds of it, obstacle_resume checks.
#define OWNER struct sim_path_point
static const struct field of_path_point[] = {
    {REAL, AT(time), .since = 4, .hash = 210},
    {VEC3, AT(position), .since = 4, .hash = 211},
    {QUAT, AT(rotation), .since = 4, .hash = 212},
};
#undef OWNER

#define TABLE(rows)                                                                                                    \
    { (rows), sizeof(rows) / sizeof *(rows) }
const struct fields state_fields = TABLE(of_state);
#define ELEMENT_ARRAY(type, name, per, room, one, many)                                                                \
    {one, sizeof(type), offsetof(struct sim_world, name), offsetof(struct sim_state, per), TABLE(of_##name)},
const struct element_kind element_kinds[ELEMENT_KIND_COUNT] = {
#include "sim/world/arrays.h"
};

uint32_t elements_count(const struct sim_state *state, const struct element_kind *kind) {
    uint32_t count = 0;
    memcpy(&count, (const char *)state + kind->count, sizeof count);
    return count;
}

void *elements_at(const struct sim_world *world, const struct element_kind *kind, uint32_t index) {
    char *array = NULL;
    memcpy(&array, (const char *)world + kind->array, sizeof array);
    return array + (size_t)index * kind->size;
}

// Whether `count` reals that begin there lie within the field's limits, which a number that is none does not.
static bool reals_are_sound(const struct field *field, const void *at, unsigned count) {
    float value[4];
    bool sound = true;
    memcpy(value, at, count * sizeof *value);
    for (unsigned i = 0; i < count; i++) {
        sound = sound && (double)value[i] >= field->low && (double)value[i] <= field->high;
    }
    return sound;
}

static bool number_is_sound(const struct field *field, const void *at) {
    uint32_t value = 0;
    memcpy(&value, at, sizeof value);
    return (double)value >= field->low && (double)value <= field->high;
}

bool fields_are_sound(const struct fields *fields, const void *element) {
    bool sound = true;
    for (uint32_t i = 0; i < fields->count && sound; i++) {
        const struct field *field = &fields->field[i];
        const char *at = (const char *)element + field->offset;
        if (field->low != 0.0 || field->high != 0.0) {
            const unsigned reals = field->type == REAL ? 1 : field->type == VEC3 ? 3 : 0;
            sound = reals > 0 ? reals_are_sound(field, at, reals) : number_is_sound(field, at);
        }
    }
    return sound;
}

// Rows that later versions added stand after all others, in the order of their numbers.
static bool is_hashed_before(const struct field *a, const struct field *b) {
    return field_is_sparse(a) == field_is_sparse(b) ? a->hash < b->hash : field_is_sparse(b);
}

uint32_t fields_hashed(const struct fields *fields, const struct field *hashed[FIELDS_MAX]) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < fields->count; i++) {
        const struct field *field = &fields->field[i];
        if (field->hash == 0) {
            continue;
        }
        uint32_t place = count;
        for (; place > 0 && is_hashed_before(field, hashed[place - 1]); place--) {
            hashed[place] = hashed[place - 1];
        }
        hashed[place] = field;
        count++;
    }
    return count;
}

bool field_is_missing(const struct field *field, const void *at) {
    static const char zeros[4 * sizeof(float)];
    const float real = (float)field->missing;
    float value = 0.0f;
    uint32_t number = 0;
    switch (field->type) {
    case TRUTH:
        return *(const bool *)at == (field->missing != 0.0);
    case REAL:
        memcpy(&value, at, sizeof value);
        return value == real;
    case VEC3:
        return memcmp(at, zeros, 3 * sizeof(float)) == 0;
    case QUAT:
        return memcmp(at, zeros, sizeof zeros) == 0;
    default:
        memcpy(&number, at, sizeof number);
        return number == (uint32_t)field->missing;
    }
}
