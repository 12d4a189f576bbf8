// SPDX-License-Identifier: MIT
// Random degenerate worlds: flat, coincident, overlapping, tiny, huge, light beside heavy, out of every range. What is
// asked for is refused, or runs for 300 ticks with random commands in between. After every tick nothing may be
// non-finite, out of bounds or above the speed limit; a world that is saved, run and restored must run the same again.
//
// A world follows from its seed alone, so that one that fails can be looked at by itself.
#ifndef WEFT_TESTS_RANDOM_WORLD_H
#define WEFT_TESTS_RANDOM_WORLD_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "sim/sim.h"

#define RANDOM_WORLD_TICKS 300u
#define RANDOM_OBJECTS_MAX 16u

struct random_world {
    uint64_t dice;
    struct sim_world *world;
    float reach; // m, the size of what happens in it
    unsigned accepted, refused, quarantined, slept;
    const char *complaint; // NULL: all is well
};

// ---- dice --------------------------------------------------------------------------------------------------------

// splitmix64
static inline uint64_t dice_next(struct random_world *r) {
    r->dice += 0x9E3779B97F4A7C15u;
    uint64_t z = r->dice;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static inline uint32_t dice_below(struct random_world *r, uint32_t limit) {
    return (uint32_t)(dice_next(r) >> 32) % limit;
}

static inline bool dice_percent(struct random_world *r, uint32_t percent) {
    return dice_below(r, 100) < percent;
}

static inline float dice_between(struct random_world *r, float low, float high) {
    return low + (high - low) * (float)((double)(dice_next(r) >> 11) / 9007199254740992.0);
}

// What no parser would be surprised by.
static inline float dice_nasty(struct random_world *r) {
    static const float nasty[] = {0.0f,  -0.0f,   1e-45f,   1e-30f,  1e-12f,   1e-6f,     1e-3f, -1e-3f, 1.0f,
                                  -1.0f, 1e3f,    -1e3f,    1e5f,    -1e5f,    1e6f,      1e12f, 1e20f,  -1e20f,
                                  1e38f, FLT_MAX, -FLT_MAX, FLT_MIN, INFINITY, -INFINITY, NAN,   3e-5f,  2.0f};
    return nasty[dice_below(r, sizeof nasty / sizeof nasty[0])];
}

// Mostly within the range, often at its ends, at times anything.
static inline float dice_real(struct random_world *r, float low, float high) {
    const uint32_t die = dice_below(r, 1000);
    if (die < 10) {
        return dice_nasty(r);
    }
    if (die < 60) {
        return low;
    }
    if (die < 110) {
        return high;
    }
    return dice_between(r, low, high);
}

// Over all magnitudes between the two, both positive.
static inline float dice_scale(struct random_world *r, float low, float high) {
    if (dice_percent(r, 1)) {
        return dice_nasty(r);
    }
    float value = low;
    while (value < high && !dice_percent(r, 12)) {
        value *= dice_between(r, 1.0f, 4.0f);
    }
    return value < high ? value : high;
}

static inline struct vec3 dice_vector(struct random_world *r, float reach) {
    struct vec3 v;
    v.x = dice_real(r, -reach, reach);
    v.y = dice_real(r, -reach, reach);
    v.z = dice_real(r, -reach, reach);
    return v;
}

static inline struct quat dice_rotation(struct random_world *r) {
    struct quat q = {0.0f, 0.0f, 0.0f, 1.0f};
    if (dice_percent(r, 60)) {
        q.x = dice_real(r, -1.0f, 1.0f);
        q.y = dice_real(r, -1.0f, 1.0f);
        q.z = dice_real(r, -1.0f, 1.0f);
        q.w = dice_real(r, -1.0f, 1.0f);
    }
    return q;
}

// Points of which some fall together, lie in a line or in a plane.
static inline void dice_points(struct random_world *r, float *points, uint32_t count, float reach) {
    const uint32_t flat = dice_below(r, 8); // an axis on which all are the same, when below 3
    for (uint32_t i = 0; i < count; i++) {
        const struct vec3 p = dice_vector(r, reach);
        const float coordinates[3] = {p.x, p.y, p.z};
        memcpy(points + 3 * (size_t)i, coordinates, sizeof coordinates);
        if (i > 0 && dice_percent(r, 3)) {
            memcpy(points + 3 * (size_t)i, points + 3 * (size_t)dice_below(r, i), sizeof coordinates);
        }
        if (flat < 3) {
            points[3 * i + flat] = points[flat];
        }
    }
}

static inline void count_result(struct random_world *r, enum result result) {
    r->accepted += result == RESULT_OK ? 1 : 0;
    r->refused += result == RESULT_OK ? 0 : 1;
}

// ---- things ------------------------------------------------------------------------------------------------------

static inline struct sim_sheet_desc random_sheet(struct random_world *r, struct sim_sheet_desc sheet) {
    sheet.position = dice_vector(r, r->reach);
    sheet.rotation = dice_rotation(r);
    sheet.pins.preset = (enum sim_pin_preset)dice_below(r, 4);
    sheet.mass = dice_percent(r, 50) ? dice_scale(r, 1e-9f, 1e9f) : 0.0f;
    sheet.shear = dice_percent(r, 50);
    sheet.friction = dice_real(r, 0.0f, 10.0f);
    sheet.restitution = dice_real(r, 0.0f, 1.0f);
    sheet.projection = (enum sim_projection)dice_below(r, 2);
    sheet.stretch_compliance = dice_percent(r, 30) ? dice_scale(r, 1e-9f, 1e3f) : 0.0f;
    sheet.bend = dice_percent(r, 30);
    sheet.bend_compliance = dice_percent(r, 30) ? dice_scale(r, 1e-9f, 1e3f) : 0.0f;
    sheet.tethers = dice_percent(r, 20);
    sheet.tear = dice_percent(r, 30) ? dice_real(r, 1.0f, 2.0f) : 0.0f;
    // Rarely, and not thick: self-collision of a sheet in knots can take seconds a world.
    sheet.thickness = dice_percent(r, 10) ? dice_between(r, 0.0f, 0.03f) * r->reach : 0.0f;
    sheet.thickness = dice_percent(r, 1) ? NAN : sheet.thickness;
    sheet.self_collision = dice_percent(r, 30);
    return sheet;
}

static inline void spawn_cloth(struct random_world *r) {
    uint32_t id = 0;
    struct fault fault;
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    cloth.columns = 1 + dice_below(r, 9);
    cloth.rows = 2 + dice_below(r, 8);
    cloth.spacing = dice_percent(r, 70) ? dice_between(r, 0.02f, 0.3f) * r->reach : dice_scale(r, 1e-6f, 1e4f);
    cloth.lattice = (enum sim_lattice)dice_below(r, 2);
    cloth.sheet = random_sheet(r, cloth.sheet);
    count_result(r, sim_cloth_spawn(r->world, &cloth, &id, &fault));
}

static inline void spawn_mesh(struct random_world *r) {
    uint32_t id = 0;
    struct fault fault;
    float points[3 * 24];
    uint32_t triangles[3 * 30];
    struct sim_mesh_desc mesh = sim_mesh_desc_default();
    mesh.particles = 3 + dice_below(r, 21);
    mesh.triangle_count = 1 + dice_below(r, 30);
    mesh.positions = points;
    mesh.triangles = triangles;
    dice_points(r, points, mesh.particles, r->reach);
    for (uint32_t i = 0; i < mesh.triangle_count; i++) {
        const uint32_t first = dice_below(r, mesh.particles);
        for (uint32_t k = 0; k < 3; k++) {
            triangles[3 * i + k] = (first + k * (1 + dice_below(r, 2))) % mesh.particles;
        }
    }
    if (dice_percent(r, 3)) {
        triangles[dice_below(r, 3 * mesh.triangle_count)] = dice_percent(r, 50) ? mesh.particles : UINT32_MAX;
    }
    mesh.sheet = random_sheet(r, mesh.sheet);
    count_result(r, sim_mesh_spawn(r->world, &mesh, &id, &fault));
}

static inline void spawn_particles(struct random_world *r) {
    uint32_t id = 0;
    struct fault fault;
    float points[3 * 20];
    float velocities[3 * 20];
    float masses[20];
    struct sim_particles_desc desc = sim_particles_desc_default();
    desc.particles = dice_below(r, 21);
    desc.positions = points;
    dice_points(r, points, desc.particles, r->reach);
    for (uint32_t i = 0; i < desc.particles; i++) {
        masses[i] = dice_scale(r, 1e-12f, 1e12f);
        for (uint32_t k = 0; k < 3; k++) {
            velocities[3 * i + k] = dice_percent(r, 10) ? dice_between(r, -1e3f, 1e3f) : 0.0f;
        }
    }
    desc.masses = dice_percent(r, 70) ? masses : NULL;
    desc.velocities = dice_percent(r, 70) ? velocities : NULL;
    desc.radius = dice_percent(r, 80) ? dice_between(r, 0.0f, 0.1f) * r->reach : dice_scale(r, 1e-6f, 1e3f);
    desc.friction = dice_real(r, 0.0f, 10.0f);
    desc.restitution = dice_real(r, 0.0f, 1.0f);
    count_result(r, sim_particles_spawn(r->world, &desc, &id, &fault));
}

static inline void spawn_rope(struct random_world *r) {
    uint32_t id = 0;
    struct fault fault;
    struct sim_rope_desc rope = sim_rope_desc_default();
    rope.from = dice_vector(r, r->reach);
    rope.to = dice_percent(r, 5) ? rope.from : dice_vector(r, r->reach);
    rope.particles = 1 + dice_below(r, 24);
    rope.mass = dice_scale(r, 1e-6f, 1e6f);
    rope.pins.preset = dice_percent(r, 50) ? SIM_PIN_NONE : SIM_PIN_START;
    rope.thickness = dice_real(r, 0.0f, 0.1f);
    rope.friction = dice_real(r, 0.0f, 10.0f);
    rope.restitution = dice_real(r, 0.0f, 1.0f);
    rope.stretch_compliance = dice_percent(r, 30) ? dice_scale(r, 1e-9f, 1e3f) : 0.0f;
    count_result(r, sim_rope_spawn(r->world, &rope, &id, &fault));
}

static inline void spawn_body(struct random_world *r) {
    uint32_t id = 0;
    struct fault fault;
    float points[3 * 24];
    float masses[4];
    struct sim_body_desc body = sim_body_desc_default();
    body.shape = (enum sim_body_shape)dice_below(r, SIM_BODY_SHAPE_COUNT);
    body.size = dice_percent(r, 80) ? dice_between(r, 0.05f, 0.5f) * r->reach : dice_scale(r, 1e-4f, 1e3f);
    body.extents.x = dice_percent(r, 90) ? body.size : dice_scale(r, 1e-4f, 1e3f);
    body.extents.y = dice_percent(r, 70) ? body.size : dice_scale(r, 1e-4f, 1e3f);
    body.extents.z = dice_percent(r, 80) ? body.size : dice_scale(r, 1e-4f, 1e3f);
    body.vertex_count = body.shape == SIM_BODY_TETRAHEDRON ? 4 : 3 + dice_below(r, 21);
    dice_points(r, points, body.vertex_count, 0.3f * r->reach);
    const bool takes_vertices = body.shape == SIM_BODY_HULL || dice_percent(r, 40);
    body.vertices = takes_vertices && body.shape != SIM_BODY_BOX && body.shape != SIM_BODY_FRAME ? points : NULL;
    for (uint32_t i = 0; i < 4; i++) {
        masses[i] = dice_scale(r, 1e-12f, 1e12f);
    }
    const bool takes_masses = body.shape == SIM_BODY_TETRAHEDRON || body.shape == SIM_BODY_FRAME;
    body.masses = takes_masses && dice_percent(r, 30) ? masses : NULL;
    body.mass = dice_percent(r, 70) ? 1.0f : dice_scale(r, 1e-6f, 1e6f);
    body.position = dice_vector(r, r->reach);
    body.rotation = dice_rotation(r);
    body.velocity = dice_percent(r, 30) ? dice_vector(r, 1000.0f) : body.velocity;
    body.angular_velocity = dice_percent(r, 30) ? dice_vector(r, 1000.0f) : body.angular_velocity;
    body.friction = dice_real(r, 0.0f, 10.0f);
    body.restitution = dice_real(r, 0.0f, 1.0f);
    body.projection = (enum sim_projection)dice_below(r, 2);
    count_result(r, sim_body_spawn(r->world, &body, &id, &fault));
}

static inline void add_obstacle(struct random_world *r) {
    uint32_t id = 0;
    struct fault fault;
    float points[3 * 16];
    uint32_t triangles[3 * 20];
    float heights[36];
    struct sim_obstacle shape = {.shape = (enum sim_obstacle_shape)dice_below(r, SIM_OBSTACLE_SHAPE_COUNT)};
    shape.position = dice_vector(r, r->reach);
    shape.radius = dice_percent(r, 80) ? dice_between(r, 0.0f, 1.0f) * r->reach : dice_scale(r, 1e-6f, 1e5f);
    shape.size.x = dice_between(r, 0.0f, 2.0f) * r->reach;
    shape.size.y = dice_real(r, 0.0f, r->reach);
    shape.size.z = dice_real(r, 0.0f, r->reach);
    shape.rotation = dice_rotation(r);
    shape.normal = dice_vector(r, 1.0f);
    shape.from = dice_vector(r, r->reach);
    shape.to = dice_percent(r, 10) ? shape.from : dice_vector(r, r->reach);
    shape.columns = 1 + dice_below(r, 6);
    shape.rows = 1 + dice_below(r, 6);
    shape.spacing = dice_real(r, 0.1f * r->reach, r->reach);
    shape.heights = heights;
    for (uint32_t i = 0; i < 36; i++) {
        heights[i] = dice_percent(r, 1) ? dice_nasty(r) : dice_between(r, -0.5f, 0.5f) * r->reach;
    }
    shape.positions = points;
    shape.vertices = 3 + dice_below(r, 13);
    dice_points(r, points, shape.vertices, r->reach);
    shape.triangles = triangles;
    shape.triangle_count = 1 + dice_below(r, 20);
    for (uint32_t i = 0; i < 3 * shape.triangle_count; i++) {
        triangles[i] = dice_percent(r, 99) ? dice_below(r, shape.vertices) : shape.vertices;
    }
    shape.friction = dice_real(r, 0.0f, 10.0f);
    shape.restitution = dice_real(r, 0.0f, 1.0f);
    count_result(r, sim_obstacle_add(r->world, &shape, &id, &fault));
}

static inline void set_parameters(struct random_world *r) {
    struct fault fault;
    struct sim_parameters parameters = sim_parameters_default();
    if (dice_percent(r, 50)) {
        parameters.gravity = dice_vector(r, dice_percent(r, 80) ? 20.0f : 1e4f);
    }
    parameters.damping = dice_percent(r, 50) ? 0.0f : dice_real(r, 0.0f, 0.999f);
    parameters.substeps = 1 + dice_below(r, dice_percent(r, 5) ? 64 : 6);
    parameters.iterations = 1 + dice_below(r, parameters.substeps > 4 ? 1 : 5);
    parameters.square_root = (enum sim_square_root)dice_below(r, 2);
    const float wide = r->reach * (dice_percent(r, 90) ? dice_between(r, 0.5f, 4.0f) : dice_scale(r, 1e-3f, 1e3f));
    parameters.bounds_min = (struct vec3){-wide, -wide, -wide};
    parameters.bounds_max = (struct vec3){wide, wide, dice_percent(r, 90) ? wide : dice_nasty(r)};
    parameters.friction = dice_real(r, 0.0f, 10.0f);
    parameters.tolerance = dice_percent(r, 80) ? 0.0f : dice_real(r, 0.0f, 1.0f);
    if (dice_percent(r, 30)) {
        parameters.wind_velocity = dice_vector(r, dice_percent(r, 80) ? 20.0f : 1000.0f);
        parameters.wind_gust = dice_real(r, 0.0f, 1.0f);
    }
    count_result(r, sim_world_set_parameters(r->world, &parameters, &fault));
}

static inline void spawn_something(struct random_world *r) {
    static void (*const spawns[])(struct random_world *) = {spawn_cloth, spawn_mesh, spawn_particles,
                                                            spawn_rope,  spawn_body, spawn_body};
    spawns[dice_below(r, sizeof spawns / sizeof spawns[0])](r);
}

// ---- commands ----------------------------------------------------------------------------------------------------

// An object, and one of its particles, one time in a hundred one it has not.
static inline struct sim_stick_end random_end(struct random_world *r) {
    struct sim_stick_end end = {0, 0};
    const uint32_t count = sim_world_object_count(r->world);
    if (count > 0) {
        const struct sim_object_view view = sim_world_object_at(r->world, dice_below(r, count));
        end.object = view.id;
        end.particle = dice_percent(r, 99) ? dice_below(r, view.particles) : view.particles;
    }
    return end;
}

static inline void join_something(struct random_world *r) {
    uint32_t id = 0;
    struct fault fault;
    const struct sim_stick_end a = random_end(r);
    const struct sim_stick_end b = random_end(r);
    const float rest = dice_percent(r, 60) ? -1.0f : dice_scale(r, 1e-6f, 1e5f);
    const float compliance = dice_percent(r, 30) ? dice_scale(r, 1e-9f, 1e6f) : 0.0f;
    count_result(r, sim_stick_add(r->world, a, b, rest, (enum sim_stick_kind)dice_below(r, SIM_STICK_KIND_COUNT),
                                  compliance, &id, &fault));
}

static inline void hold_something(struct random_world *r) {
    uint32_t id = 0;
    struct fault fault;
    const struct sim_stick_end end = random_end(r);
    if (dice_percent(r, 50)) {
        count_result(r, sim_grab_start_particle(r->world, end.object, end.particle, &id, &fault));
    } else {
        count_result(r, sim_grab_start_point(r->world, end.object, dice_vector(r, r->reach), &id, &fault));
    }
}

static inline void move_a_hand(struct random_world *r) {
    struct fault fault;
    const uint32_t count = sim_world_grab_count(r->world);
    const uint32_t id = count > 0 ? sim_world_grab_at(r->world, dice_below(r, count)).id : 0;
    if (dice_percent(r, 70)) {
        count_result(r, sim_grab_move(r->world, id, dice_vector(r, r->reach), &fault));
    } else {
        count_result(r, sim_grab_end(r->world, id, &fault));
    }
}

static inline void change_a_particle(struct random_world *r) {
    struct fault fault;
    const struct sim_stick_end end = random_end(r);
    const struct vec3 position = dice_vector(r, r->reach);
    switch (dice_below(r, 5)) {
    case 0:
        count_result(r, sim_particle_pin(r->world, end.object, &end.particle, 1, dice_percent(r, 50) ? &position : NULL,
                                         &fault));
        break;
    case 1:
        count_result(r, sim_particle_unpin(r->world, end.object, &end.particle, 1, &fault));
        break;
    case 2:
        count_result(r, sim_particle_set_inverse_mass(r->world, end.object, &end.particle, 1,
                                                      dice_scale(r, 1e-12f, 1e12f), &fault));
        break;
    case 3:
        count_result(r, sim_force_apply(r->world, end.object, &end.particle, dice_below(r, 2),
                                        dice_vector(r, dice_percent(r, 90) ? 100.0f : 1e9f), 1 + dice_below(r, 30),
                                        &fault));
        break;
    default:
        count_result(r, sim_particle_move(r->world, end.object, end.particle, position,
                                          (enum sim_move_mode)dice_below(r, 2), &fault));
    }
}

static inline void remove_something(struct random_world *r) {
    struct fault fault;
    const uint32_t obstacles = sim_world_obstacle_count(r->world);
    if (obstacles > 0 && dice_percent(r, 40)) {
        const uint32_t id = sim_world_obstacle_at(r->world, dice_below(r, obstacles))->id;
        count_result(r, sim_obstacle_remove(r->world, id, &fault));
    } else if (sim_world_stick_count(r->world) > 0 && dice_percent(r, 40)) {
        count_result(r, sim_stick_remove(r->world, sim_world_stick_at(r->world, 0).id, &fault));
    } else {
        count_result(r, sim_object_remove(r->world, random_end(r).object, &fault));
    }
}

static inline void do_something(struct random_world *r) {
    static void (*const commands[])(struct random_world *) = {
        spawn_something,   join_something,    hold_something,   move_a_hand,    move_a_hand, move_a_hand,
        change_a_particle, change_a_particle, remove_something, set_parameters, add_obstacle};
    commands[dice_below(r, sizeof commands / sizeof commands[0])](r);
}

// ---- what must hold ----------------------------------------------------------------------------------------------

static inline bool is_within(float value, float low, float high) {
    const float slack = 1e-5f * (fabsf(low) + fabsf(high));
    return value >= low - slack && value <= high + slack;
}

static inline const char *check_particle(const struct sim_particles_view *p, uint32_t i,
                                         const struct sim_parameters *parameters) {
    const double dx = (double)p->dx[i];
    const double dy = (double)p->dy[i];
    const double dz = (double)p->dz[i];
    if (!isfinite(p->x[i]) || !isfinite(p->y[i]) || !isfinite(p->z[i])) {
        return "a position is not finite";
    }
    if (!(sqrt(dx * dx + dy * dy + dz * dz) <= 1.001 * (double)SIM_SPEED_MAX * (double)p->substep)) {
        return "a speed is above the limit";
    }
    if (p->inverse_mass[i] > 0.0f && (!is_within(p->x[i], parameters->bounds_min.x, parameters->bounds_max.x) ||
                                      !is_within(p->y[i], parameters->bounds_min.y, parameters->bounds_max.y) ||
                                      !is_within(p->z[i], parameters->bounds_min.z, parameters->bounds_max.z))) {
        return "a particle is out of bounds";
    }
    return NULL;
}

static inline const char *check_objects(struct random_world *r) {
    uint32_t first = 0;
    for (uint32_t i = 0; i < sim_world_object_count(r->world); i++) {
        const struct sim_object_view view = sim_world_object_at(r->world, i);
        if (view.first != first) {
            return "an object does not lie behind the one before it";
        }
        first += view.particles;
        for (uint32_t k = 0; k < 3 * view.triangle_count; k++) {
            if (view.triangles[k] >= view.particles) {
                return "a triangle has a corner beyond its object";
            }
        }
    }
    return first == sim_world_particles(r->world).count ? NULL : "objects and particles do not add up";
}

static inline void check_world(struct random_world *r) {
    const struct sim_particles_view particles = sim_world_particles(r->world);
    const struct sim_parameters *parameters = sim_world_parameters(r->world);
    for (uint32_t i = 0; i < particles.count && r->complaint == NULL; i++) {
        r->complaint = check_particle(&particles, i, parameters);
    }
    if (r->complaint == NULL) {
        r->complaint = check_objects(r);
    }
    for (uint32_t i = 0; i < sim_world_happening_count(r->world); i++) {
        const enum sim_happening_kind kind = sim_world_happening_at(r->world, i).kind;
        r->quarantined += kind == SIM_HAPPENING_QUARANTINED ? 1 : 0;
        r->slept += kind == SIM_HAPPENING_SLEPT ? 1 : 0;
    }
}

// Saved, run, restored and run again: the same bits.
static inline void check_restoring(struct random_world *r) {
    struct sim_snapshot *snapshot = NULL;
    if (sim_world_save(r->world, &snapshot) != RESULT_OK) {
        r->complaint = "a world could not be saved";
        return;
    }
    uint64_t hash[2] = {0, 0};
    for (unsigned round = 0; round < 2; round++) {
        for (unsigned tick = 0; tick < 5; tick++) {
            sim_world_step(r->world);
        }
        hash[round] = sim_world_hash(r->world);
        sim_world_restore(r->world, snapshot);
    }
    sim_snapshot_destroy(snapshot);
    if (hash[0] != hash[1]) {
        r->complaint = "a restored world runs differently";
    }
}

// ---- a world's life ----------------------------------------------------------------------------------------------

static inline void populate(struct random_world *r) {
    static const float reaches[] = {0.01f, 1.0f, 2.0f, 2.0f, 3.0f, 5.0f, 50.0f, 1e4f, 1e5f};
    r->reach = reaches[dice_below(r, sizeof reaches / sizeof reaches[0])];
    set_parameters(r);
    for (uint32_t i = dice_below(r, 4); i > 0; i--) {
        add_obstacle(r);
    }
    for (uint32_t i = 1 + dice_below(r, 5); i > 0; i--) {
        spawn_something(r);
    }
    for (uint32_t i = dice_below(r, 4); i > 0; i--) {
        join_something(r);
    }
}

// Runs the world of this seed; `complaint` is NULL when all that must hold held. `hash` gets its last state.
static inline struct random_world random_world_run(uint64_t seed, uint64_t *hash) {
    struct random_world r = {.dice = seed * 0xD1342543DE82EF95u + 1};
    const struct sim_capacity capacity = {.particles = 800,
                                          .sticks = 6000,
                                          .triangles = 3000,
                                          .objects = RANDOM_OBJECTS_MAX,
                                          .obstacles = 8,
                                          .shape_words = 20000};
    if (sim_world_create(&capacity, dice_percent(&r, 80) ? 60.0f : 7.5f, &r.world) != RESULT_OK) {
        r.complaint = "the world was not created";
        return r;
    }
    populate(&r);
    const uint32_t restored_at = dice_below(&r, 2 * RANDOM_WORLD_TICKS);
    const uint32_t busy = dice_below(&r, 4);
    for (uint32_t tick = 0; tick < RANDOM_WORLD_TICKS && r.complaint == NULL; tick++) {
        if (dice_percent(&r, busy * busy)) {
            do_something(&r);
        }
        if (tick == restored_at) {
            check_restoring(&r);
        }
        sim_world_step(r.world);
        if (r.complaint == NULL) {
            check_world(&r);
        }
    }
    *hash = sim_world_hash(r.world);
    sim_world_destroy(r.world);
    r.world = NULL;
    return r;
}

#endif
