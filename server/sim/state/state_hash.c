// SPDX-License-Identifier: MIT
// The hash of a world's state: XXH64, seed 0, over the following values, every number little-endian, enumerators and
// counts as u32, floats as their bits, and nothing else: no padding, no pointer, no scratch, no epoch. Ids are names,
// not state: an object is hashed as its place in the order of creation, so that a scene built anew, under other ids,
// has the same hash as the first time.
//
//   tick u64, tick rate f32
//   parameters: gravity 3 f32, damping f32, substeps, iterations, square root u32, bounds min 3 f32, max 3 f32,
//               friction, tolerance f32, wind 3 f32, gust, air density f32, sleep u32
//   counts: particles, sticks, colours, triangles, objects, obstacles, free sticks, grabs, forces, force indices u32
//   per object: kind, particles, sticks, colours, triangles, columns, rows, lattice, projection u32,
//               spacing, radius, friction, stretch and bend compliance, tear f32, tethers u32; of a body also shape,
//               hull vertices, triangles, faces u32, determinant, restitution, rest edges 9 f32 then still ticks,
//               asleep, quarantined u32, ways of the last windows of stillness 2 f32; while asleep the place of the
//               first of its island u32
//   particles, array by array: x, y, z, their low parts, dx, dy, dz, own inverse mass f32, remembered places
//               x, y, z i16, flags u8
//   sticks: a, b u32, rest length f32; ends of colours u32, their classes u8; triangles u32
//   per obstacle: shape u32, position 3 f32, radius f32, size 3 f32, rotation 4 f32, normal 3 f32, from 3 f32, to 3
//   f32,
//             columns, rows u32, spacing f32, vertices, triangles u32, friction, restitution f32
//   per free stick: place of a's object, a.particle, place of b's object, b.particle, kind u32, rest length,
//                   compliance f32
//   per grab: place of its object, holds, carriers u32, then four times particle u32 and weight f32, target 3 f32,
//             position 3 f32, four times displacement 3 f32, ticks u32
//   per force: place of its object, ticks, first index, indices u32, share 3 f32; then the force indices u32
//   storage of shapes: reals f32, then indices u32
#include <assert.h>

#include "base/hash.h"
#include "sim/world/layout.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "arrays are hashed as they lie in memory");

static void add_vec3(struct hash64 *hash, struct vec3 value) {
    hash64_update_float(hash, value.x);
    hash64_update_float(hash, value.y);
    hash64_update_float(hash, value.z);
}

static void add_numbers(struct hash64 *hash, const uint32_t *numbers, size_t count) {
    for (size_t i = 0; i < count; i++) {
        hash64_update_u32(hash, numbers[i]);
    }
}

static void add_parameters(struct hash64 *hash, const struct sim_parameters *parameters) {
    add_vec3(hash, parameters->gravity);
    hash64_update_float(hash, parameters->damping);
    hash64_update_u32(hash, parameters->substeps);
    hash64_update_u32(hash, parameters->iterations);
    hash64_update_u32(hash, (uint32_t)parameters->square_root);
    add_vec3(hash, parameters->bounds_min);
    add_vec3(hash, parameters->bounds_max);
    hash64_update_float(hash, parameters->friction);
    hash64_update_float(hash, parameters->tolerance);
    add_vec3(hash, parameters->wind_velocity);
    hash64_update_float(hash, parameters->wind_gust);
    hash64_update_float(hash, parameters->air_density);
    hash64_update_u32(hash, parameters->sleep ? 1 : 0);
}

static void add_counts(struct hash64 *hash, const struct sim_state *state) {
    const uint32_t counts[] = {state->particles, state->sticks,       state->colours,     state->triangles,
                               state->objects,   state->obstacles,    state->free_sticks, state->grabs,
                               state->forces,    state->force_indices};
    add_numbers(hash, counts, sizeof counts / sizeof counts[0]);
}

static void add_object(struct hash64 *hash, const struct object *object) {
    const uint32_t numbers[] = {(uint32_t)object->kind, object->particles,         object->sticks,
                                object->colours,        object->triangles,         object->columns,
                                object->rows,           (uint32_t)object->lattice, (uint32_t)object->projection};
    add_numbers(hash, numbers, sizeof numbers / sizeof numbers[0]);
    hash64_update_float(hash, object->spacing);
    hash64_update_float(hash, object->radius);
    hash64_update_float(hash, object->friction);
    hash64_update_float(hash, object->stretch_compliance);
    hash64_update_float(hash, object->bend_compliance);
    hash64_update_float(hash, object->tear);
    hash64_update_u32(hash, object->tethers ? 1 : 0);
    hash64_update_u32(hash, object->self_collision ? 1 : 0);
    hash64_update_float(hash, object->height);
    if (object->kind == SIM_KIND_BODY) {
        const uint32_t body[] = {(uint32_t)object->shape, object->hull_vertices, object->hull_triangles,
                                 object->hull_faces};
        add_numbers(hash, body, sizeof body / sizeof body[0]);
        hash64_update_float(hash, object->determinant);
        hash64_update_float(hash, object->restitution);
        for (unsigned i = 0; i < 3; i++) {
            add_vec3(hash, object->rest_edge[i]);
        }
    }
}

static void add_arrays(struct hash64 *hash, const struct sim_world *world) {
    const struct sim_state *state = &world->state;
    const size_t particles = state->particles;
    const size_t sticks = state->sticks;
    const float *const moving[] = {world->x,     world->y,  world->z,  world->low_x, world->low_y,
                                   world->low_z, world->dx, world->dy, world->dz,    world->own_w};
    const int16_t *const places[] = {world->still_x, world->still_y, world->still_z};
    for (size_t i = 0; i < sizeof moving / sizeof moving[0]; i++) {
        hash64_update(hash, moving[i], particles * sizeof *moving[i]);
    }
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        hash64_update(hash, places[i], particles * sizeof *places[i]);
    }
    hash64_update(hash, world->flags, particles * sizeof *world->flags);
    hash64_update(hash, world->stick_a, sticks * sizeof *world->stick_a);
    hash64_update(hash, world->stick_b, sticks * sizeof *world->stick_b);
    hash64_update(hash, world->stick_rest, sticks * sizeof *world->stick_rest);
    hash64_update(hash, world->colour_end, state->colours * sizeof *world->colour_end);
    hash64_update(hash, world->colour_class, state->colours * sizeof *world->colour_class);
    hash64_update(hash, world->triangle, 3 * (size_t)state->triangles * sizeof *world->triangle);
}

static void add_obstacle(struct hash64 *hash, const struct sim_obstacle *shape) {
    hash64_update_u32(hash, (uint32_t)shape->shape);
    add_vec3(hash, shape->position);
    hash64_update_float(hash, shape->radius);
    add_vec3(hash, shape->size);
    hash64_update_float(hash, shape->rotation.x);
    hash64_update_float(hash, shape->rotation.y);
    hash64_update_float(hash, shape->rotation.z);
    hash64_update_float(hash, shape->rotation.w);
    add_vec3(hash, shape->normal);
    add_vec3(hash, shape->from);
    add_vec3(hash, shape->to);
    hash64_update_u32(hash, shape->columns);
    hash64_update_u32(hash, shape->rows);
    hash64_update_float(hash, shape->spacing);
    hash64_update_u32(hash, shape->vertices);
    hash64_update_u32(hash, shape->triangle_count);
    hash64_update_float(hash, shape->friction);
    hash64_update_float(hash, shape->restitution);
}

// The place of the object in the order of creation.
static uint32_t place_of(const struct sim_world *world, uint32_t id) {
    struct object *object = NULL;
    const enum result result = layout_find(world, id, &object, NULL);
    assert(result == RESULT_OK);
    return result == RESULT_OK ? (uint32_t)(object - world->object) : UINT32_MAX;
}

static void add_rest(struct hash64 *hash, const struct sim_world *world, const struct object *object) {
    const uint32_t numbers[] = {object->still_ticks, object->asleep ? 1 : 0, object->quarantined ? 1 : 0};
    add_numbers(hash, numbers, sizeof numbers / sizeof numbers[0]);
    hash64_update_float(hash, object->still_moved[0]);
    hash64_update_float(hash, object->still_moved[1]);
    if (object->asleep) {
        hash64_update_u32(hash, place_of(world, object->island));
    }
}

static void add_free_stick(struct hash64 *hash, const struct sim_world *world, const struct free_stick *stick) {
    const uint32_t numbers[] = {place_of(world, stick->a.object),
                                stick->a.particle,
                                place_of(world, stick->b.object),
                                stick->b.particle,
                                (uint32_t)stick->kind,
                                (uint32_t)stick->projection};
    add_numbers(hash, numbers, sizeof numbers / sizeof numbers[0]);
    hash64_update_float(hash, stick->rest_length);
    hash64_update_float(hash, stick->compliance);
}

static void add_grab(struct hash64 *hash, const struct sim_world *world, const struct grab *grab) {
    const uint32_t numbers[] = {place_of(world, grab->object), grab->holds, grab->carriers};
    add_numbers(hash, numbers, sizeof numbers / sizeof numbers[0]);
    for (unsigned k = 0; k < SIM_GRAB_CARRIERS; k++) {
        hash64_update_u32(hash, grab->particle[k]);
        hash64_update_float(hash, grab->weight[k]);
    }
    add_vec3(hash, grab->target);
    add_vec3(hash, grab->position);
    for (unsigned i = 0; i < SIM_GRAB_MEMORY_TICKS; i++) {
        add_vec3(hash, grab->moved[i]);
    }
    hash64_update_u32(hash, grab->ticks);
}

static void add_force(struct hash64 *hash, const struct sim_world *world, const struct force *force) {
    const uint32_t numbers[] = {place_of(world, force->object), force->ticks, force->first_index, force->indices};
    add_numbers(hash, numbers, sizeof numbers / sizeof numbers[0]);
    add_vec3(hash, force->share);
}

uint64_t sim_world_hash(const struct sim_world *world) {
    const struct sim_state *state = &world->state;
    struct hash64 hash;
    hash64_init(&hash, 0);
    hash64_update_u64(&hash, state->tick);
    hash64_update_float(&hash, world->tick_hz);
    add_parameters(&hash, &state->parameters);
    add_counts(&hash, state);
    for (uint32_t i = 0; i < state->objects; i++) {
        add_object(&hash, &world->object[i]);
        add_rest(&hash, world, &world->object[i]);
    }
    add_arrays(&hash, world);
    for (uint32_t i = 0; i < state->obstacles; i++) {
        add_obstacle(&hash, &world->obstacle[i].shape);
    }
    for (uint32_t i = 0; i < state->free_sticks; i++) {
        add_free_stick(&hash, world, &world->free_stick[i]);
    }
    for (uint32_t i = 0; i < state->grabs; i++) {
        add_grab(&hash, world, &world->grab[i]);
    }
    for (uint32_t i = 0; i < state->forces; i++) {
        add_force(&hash, world, &world->force[i]);
    }
    add_numbers(&hash, world->force_index, state->force_indices);
    hash64_update(&hash, world->shape_real, state->shape_reals * sizeof *world->shape_real);
    hash64_update(&hash, world->shape_index, state->shape_indices * sizeof *world->shape_index);
    return hash64_digest(&hash);
}
