// SPDX-License-Identifier: MIT
// Cloth of any triangle mesh: a particle per vertex, a stick per edge, in the order in which edges first appear.
//
// Bending sticks join the corners that face each other across an edge of two triangles.
//
// Duplicate sticks are found by a hash table of stick indices with open addressing. The table, and the sticks before
// they are sorted by colour, are in temporary memory.
#include <stdio.h>
#include <stdlib.h>

#include "sim/spawn/sheet.h"
#include "sim/stick/colour.h"
#include "sim/world/check.h"
#include "sim/world/enclosure.h"
#include "sim/world/fabric.h"
#include "sim/world/layout.h"
#include "sim/world/particle.h"

#define NO_STICK UINT32_MAX
// Shortest edge accepted, as a share of the mesh's largest coordinate: the ends of a shorter edge may be equal in
// float32.
#define EDGE_SHARE_MIN 1e-6f

struct sim_mesh_desc sim_mesh_desc_default(void) {
    return (struct sim_mesh_desc){
        .sheet = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f},
                  .pins = {.preset = SIM_PIN_NONE},
                  .areal_density = 0.2f,
                  .shear = true,
                  .friction = 0.5f,
                  .projection = SIM_PROJECTION_CURRENT,
                  .fabric = FABRIC_NONE},
    };
}

struct edges {
    uint32_t *table; // stick indices
    uint32_t mask;
    uint32_t *a, *b;    // of each stick: edges in first-appearance order, then bending sticks
    float *rest;        // m, of each stick
    uint32_t *colour;   // of each stick
    uint32_t *order;    // of the sticks by colour
    uint32_t *opposite; // of each edge: the opposite corner in the last triangle seen
    uint32_t *valence;  // of each particle
    uint32_t count;     // number of sticks
    uint32_t bending;   // number of bending sticks
};

static enum result edges_init(struct edges *edges, uint32_t triangles, uint32_t particles, bool bend) {
    const uint64_t most = (bend ? 6 : 3) * (uint64_t)triangles;
    uint64_t slots = 16;
    while (slots < 2 * most) {
        slots *= 2;
    }
    const uint64_t words = slots + 5 * most + particles;
    uint32_t *block = malloc((size_t)words * sizeof *block);
    float *rest = malloc(((size_t)most + 1) * sizeof *rest);
    if (block == NULL || rest == NULL) {
        free(block);
        free(rest);
        return RESULT_MEMORY;
    }
    memset(block, 0xff, (size_t)slots * sizeof *block);
    *edges = (struct edges){
        .table = block,
        .mask = (uint32_t)(slots - 1),
        .a = block + slots,
        .b = block + slots + most,
        .rest = rest,
        .colour = block + slots + 2 * most,
        .order = block + slots + 3 * most,
        .opposite = block + slots + 4 * most,
        .valence = block + slots + 5 * most,
    };
    memset(edges->valence, 0, particles * sizeof *block);
    return RESULT_OK;
}

static void edges_free(struct edges *edges) {
    free(edges->table);
    free(edges->rest);
}

static uint32_t mix(uint32_t low, uint32_t high) {
    uint64_t key = ((uint64_t)high << 32 | low) * 0x9E3779B185EBCA87u;
    key ^= key >> 32;
    return (uint32_t)key;
}

// The place of a pair in the table, or the free place where it belongs.
static uint32_t *edges_find(const struct edges *edges, uint32_t low, uint32_t high) {
    uint32_t at = mix(low, high) & edges->mask;
    while (edges->table[at] != NO_STICK) {
        const uint32_t stick = edges->table[at];
        if (edges->a[stick] == low && edges->b[stick] == high) {
            break;
        }
        at = (at + 1) & edges->mask;
    }
    return &edges->table[at];
}

static bool edges_add(struct edges *edges, uint32_t from, uint32_t to) {
    const uint32_t low = from < to ? from : to;
    const uint32_t high = from < to ? to : from;
    uint32_t *place = edges_find(edges, low, high);
    if (*place != NO_STICK) {
        return false;
    }
    *place = edges->count;
    edges->a[edges->count] = low;
    edges->b[edges->count] = high;
    edges->opposite[edges->count] = NO_STICK;
    edges->valence[low]++;
    edges->valence[high]++;
    edges->count++;
    return true;
}

// ---- checks ------------------------------------------------------------------------------------------------------

static enum result fault_in_triangle(struct fault *fault, uint32_t index, const char *why, uint32_t particle) {
    char pointer[FAULT_POINTER_MAX];
    snprintf(pointer, sizeof pointer, "/triangles/%u", index);
    return fault_set(fault, RESULT_INVALID, pointer, "triangle %u %s %u", index, why, particle);
}

static enum result check_triangles(const struct sim_mesh_desc *desc, struct fault *fault) {
    for (uint32_t i = 0; i < desc->triangle_count; i++) {
        const uint32_t *corner = desc->triangles + 3 * (size_t)i;
        for (unsigned k = 0; k < 3; k++) {
            if (corner[k] >= desc->particles) {
                char pointer[FAULT_POINTER_MAX];
                snprintf(pointer, sizeof pointer, "/triangles/%u", i);
                return fault_set(fault, RESULT_INVALID, pointer,
                                 "triangle %u names particle %u; there are %u, counted from 0", i, corner[k],
                                 desc->particles);
            }
            if (corner[k] == corner[(k + 1) % 3]) {
                return fault_in_triangle(fault, i, "must have three different corners, got twice particle", corner[k]);
            }
        }
    }
    return RESULT_OK;
}

static enum result check_desc(const struct sim_mesh_desc *desc, struct fault *fault) {
    if (desc->particles < 3 || desc->triangle_count < 1) {
        return fault_set(fault, RESULT_INVALID, desc->particles < 3 ? "/positions" : "/triangles",
                         "a mesh needs at least 3 positions and 1 triangle, got %u and %u", desc->particles,
                         desc->triangle_count);
    }
    const enum result result = check_array(desc->positions, 3 * desc->particles, -SIM_POSITION_MAX, SIM_POSITION_MAX,
                                           "m", "/positions", fault);
    if (result != RESULT_OK) {
        return result;
    }
    return check_triangles(desc, fault);
}

static enum result check_valence(const struct edges *edges, uint32_t particles, struct fault *fault) {
    for (uint32_t i = 0; i < particles; i++) {
        if (edges->valence[i] > SIM_VALENCE_MAX) {
            return fault_set(fault, RESULT_LIMIT, "/triangles",
                             "at most %u edges may meet in one particle, got %u at particle %u", SIM_VALENCE_MAX,
                             edges->valence[i], i);
        }
    }
    return RESULT_OK;
}

// ---- building ----------------------------------------------------------------------------------------------------

static void add_particles(struct sim_world *world, const struct object *object, const struct sim_mesh_desc *desc) {
    for (uint32_t i = 0; i < object->particles; i++) {
        const float *p = desc->positions + 3 * (size_t)i;
        particle_init(world, object->first + i, vec3_of(p[0], p[1], p[2]), 0.0f);
    }
    memcpy(world->triangle + 3 * (size_t)object->first_triangle, desc->triangles,
           3 * (size_t)desc->triangle_count * sizeof *desc->triangles);
}

static float largest_coordinate(const struct sim_mesh_desc *desc) {
    float largest = 0.0f;
    for (size_t i = 0; i < 3 * (size_t)desc->particles; i++) {
        largest = scalar_max(largest, scalar_abs(desc->positions[i]));
    }
    return largest;
}

static struct vec3 corner_of(const struct sim_mesh_desc *desc, uint32_t index) {
    const float *p = desc->positions + 3 * (size_t)index;
    return vec3_of(p[0], p[1], p[2]);
}

static enum result measure_edges(const struct sim_mesh_desc *desc, struct edges *edges, float shortest,
                                 struct fault *fault) {
    for (uint32_t i = 0; i < edges->count; i++) {
        const uint32_t a = edges->a[i];
        const uint32_t b = edges->b[i];
        edges->rest[i] = vec3_length(vec3_sub(corner_of(desc, b), corner_of(desc, a)));
        if (!(edges->rest[i] > shortest)) {
            return fault_set(fault, RESULT_INVALID, "/positions",
                             "particles %u and %u are joined by an edge but lie %g m apart; edges of this mesh must be "
                             "longer than %g m",
                             a, b, (double)edges->rest[i], (double)shortest);
        }
    }
    return RESULT_OK;
}

// Adds a bending stick from `corner` to the corner seen before across the same edge. None where the two coincide, as on
// a doubled triangle, where another stick joins them already, or where too many sticks would meet.
static void add_bending_stick(const struct sim_mesh_desc *desc, struct edges *edges, const uint32_t edge[2],
                              uint32_t corner, float shortest) {
    const bool rising = edge[0] < edge[1];
    const uint32_t stick = *edges_find(edges, edge[rising ? 0 : 1], edge[rising ? 1 : 0]);
    const uint32_t before = edges->opposite[stick];
    edges->opposite[stick] = corner;
    if (before == NO_STICK || before == corner || edges->valence[before] == SIM_VALENCE_MAX ||
        edges->valence[corner] == SIM_VALENCE_MAX) {
        return;
    }
    const float rest = vec3_length(vec3_sub(corner_of(desc, corner), corner_of(desc, before)));
    if (rest > shortest && edges_add(edges, before, corner)) {
        edges->rest[edges->count - 1] = rest;
        edges->bending++;
    }
}

static void find_bending_sticks(const struct sim_mesh_desc *desc, struct edges *edges, float shortest) {
    memset(edges->valence, 0, desc->particles * sizeof *edges->valence);
    for (uint32_t i = 0; i < desc->triangle_count; i++) {
        const uint32_t *corner = desc->triangles + 3 * (size_t)i;
        for (unsigned k = 0; k < 3; k++) {
            const uint32_t edge[2] = {corner[k], corner[(k + 1) % 3]};
            add_bending_stick(desc, edges, edge, corner[(k + 2) % 3], shortest);
        }
    }
}

static enum result find_edges(const struct sim_mesh_desc *desc, struct edges *edges, struct fault *fault) {
    for (uint32_t i = 0; i < desc->triangle_count; i++) {
        const uint32_t *corner = desc->triangles + 3 * (size_t)i;
        for (unsigned k = 0; k < 3; k++) {
            (void)edges_add(edges, corner[k], corner[(k + 1) % 3]);
        }
    }
    const float shortest = EDGE_SHARE_MIN * largest_coordinate(desc);
    enum result result = check_valence(edges, desc->particles, fault);
    if (result == RESULT_OK) {
        result = measure_edges(desc, edges, shortest, fault);
    }
    if (result == RESULT_OK && sheet_bends(&desc->sheet)) {
        find_bending_sticks(desc, edges, shortest);
    }
    return result;
}

static void add_sticks(struct sim_world *world, struct object *object, const struct edges *edges) {
    const uint32_t along = edges->count - edges->bending;
    struct stick_batch batch = {
        .a = edges->a + along,
        .b = edges->b + along,
        .rest = edges->rest + along,
        .count = edges->bending,
        .class = (uint8_t)((uint8_t)SIM_STICK_EQUAL | (uint8_t)COLOUR_BEND),
        .colour = edges->colour,
        .order = edges->order,
    };
    object->sticks = 0; // counted again while they are added
    colour_append(world, object, &batch);
    batch.a = edges->a;
    batch.b = edges->b;
    batch.rest = edges->rest;
    batch.count = along;
    batch.class = SIM_STICK_EQUAL;
    colour_append(world, object, &batch);
}

static enum result fill(const struct sim_world *world, const struct sim_mesh_desc *desc, struct object *object,
                        struct fault *fault) {
    const enum result result = enclosure_check_pressure(desc->gas.pressure, fault);
    if (result != RESULT_OK) {
        return result;
    }
    object->gas_pressure = desc->gas.pressure;
    object->gas_supplied = desc->gas.supplied;
    return enclosure_measure(world, object, &object->gas_volume, fault);
}

static enum result build(struct sim_world *world, const struct sim_mesh_desc *desc, struct edges *edges,
                         struct object *object, struct fault *fault) {
    enum result result = find_edges(desc, edges, fault);
    if (result == RESULT_OK) {
        const uint32_t panels = fabric_is_given(&desc->sheet.fabric) ? desc->triangle_count : 0;
        const struct object_size size = {
            .particles = desc->particles, .sticks = edges->count, .triangles = desc->triangle_count, .panels = panels};
        result = layout_reserve(world, size, object, fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    object->kind = SIM_KIND_MESH;
    add_particles(world, object, desc);
    add_sticks(world, object, edges);
    result = sheet_finish(world, object, &desc->sheet, fault);
    return result == RESULT_OK && desc->gas.filled ? fill(world, desc, object, fault) : result;
}

enum result sim_mesh_spawn(struct sim_world *world, const struct sim_mesh_desc *desc, uint32_t *object,
                           struct fault *fault) {
    struct object made = {0};
    // Room for particles and triangles is reserved first: it bounds the size of the edge table.
    enum result result = layout_reserve(
        world, (struct object_size){.particles = desc->particles, .triangles = desc->triangle_count}, &made, fault);
    if (result == RESULT_OK) {
        result = check_desc(desc, fault);
    }
    if (result != RESULT_OK) {
        return result;
    }
    struct edges edges;
    if (edges_init(&edges, desc->triangle_count, desc->particles, sheet_bends(&desc->sheet)) != RESULT_OK) {
        return fault_set(fault, RESULT_MEMORY, "/triangles", "out of memory for the edges of %u triangles",
                         desc->triangle_count);
    }
    result = build(world, desc, &edges, &made, fault);
    edges_free(&edges);
    if (result == RESULT_OK) {
        *object = layout_commit(world, &made);
    }
    return result;
}
