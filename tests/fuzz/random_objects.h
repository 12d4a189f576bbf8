// SPDX-License-Identifier: MIT
// What random worlds are made of: every kind of object and obstacle, of any size, mass and material, flat, coincident,
// overlapping, light beside heavy.
#ifndef WEFT_TESTS_RANDOM_OBJECTS_H
#define WEFT_TESTS_RANDOM_OBJECTS_H

#include "dice.h"
#include "random_motion.h"
#include "sim/sim.h"

#define RANDOM_PARTICLES_MAX 24u
#define RANDOM_PARTS_MAX 5u
#define RANDOM_PART_POINTS 12u

struct random_world {
    struct dice dice;
    struct sim_world *world;
    float reach;      // m, the size of what happens in it
    struct vec3 last; // m, where something was put last
    bool round;       // half of its bodies are round or compound
    bool tears;       // forces tear, fabrics crease, and blades cut
    bool threads;     // its ropes and particles collide
    bool moving;      // its obstacles move
    unsigned accepted, refused, slept, torn;
    unsigned injected, quarantined; // the second without the first
    const char *complaint;          // NULL: all is well
};

static inline void count_result(struct random_world *r, enum result result) {
    r->accepted += result == RESULT_OK ? 1 : 0;
    r->refused += result == RESULT_OK ? 0 : 1;
}

// Somewhere in the world, at times exactly where something was put before.
static inline struct vec3 random_place(struct random_world *r) {
    if (!dice_percent(&r->dice, 15)) {
        r->last = dice_vector(&r->dice, r->reach);
    }
    return r->last;
}

static inline float random_size(struct random_world *r, float low, float high) {
    return dice_percent(&r->dice, 75) ? dice_between(&r->dice, low, high) * r->reach
                                      : dice_scale(&r->dice, 1e-4f, 1e4f);
}

static inline float random_compliance(struct random_world *r) {
    return dice_percent(&r->dice, 30) ? dice_scale(&r->dice, 1e-9f, 1e3f) : 0.0f;
}

// Masses of up to `count` particles over all magnitudes, or NULL.
static inline const float *random_masses(struct random_world *r, float *masses, uint32_t count, uint32_t percent) {
    if (!dice_percent(&r->dice, percent)) {
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        masses[i] = dice_scale(&r->dice, 1e-12f, 1e12f);
    }
    return masses;
}

// ---- objects -----------------------------------------------------------------------------------------------------

// Now and then a fabric, of one that is known or of any figures. Its dice are its own, so that all else of a world
// stays what it was before there were fabrics.
static inline struct sim_fabric random_fabric(const struct random_world *r, struct sim_fabric none) {
    struct dice own = {r->dice.state ^ 0xFAB1C};
    struct sim_fabric fabric = none;
    if (!dice_percent(&own, 20)) {
        return none;
    }
    if (dice_percent(&own, 50)) {
        return sim_fabric_named((enum sim_fabric_name)dice_below(&own, SIM_FABRIC_NAME_COUNT));
    }
    fabric.stretch_warp = dice_scale(&own, 0.1f, 1e6f);
    fabric.stretch_weft = dice_percent(&own, 50) ? dice_scale(&own, 0.1f, 1e6f) : -1.0f;
    fabric.shear = dice_percent(&own, 50) ? dice_scale(&own, 0.01f, 1e6f) : -1.0f;
    fabric.bend_warp = dice_percent(&own, 50) ? dice_scale(&own, 1e-9f, 10.0f) : -1.0f;
    fabric.bend_weft = dice_percent(&own, 50) ? dice_scale(&own, 1e-9f, 10.0f) : -1.0f;
    return fabric;
}

static inline struct sim_sheet_desc random_sheet(struct random_world *r, struct sim_sheet_desc sheet, float *masses,
                                                 uint32_t particles) {
    struct dice *dice = &r->dice;
    sheet.position = random_place(r);
    sheet.rotation = dice_rotation(dice);
    sheet.pins.preset = (enum sim_pin_preset)dice_below(dice, 4);
    sheet.masses = random_masses(r, masses, particles, 15);
    sheet.mass = dice_percent(dice, 50) ? dice_scale(dice, 1e-9f, 1e9f) : 0.0f;
    sheet.shear = dice_percent(dice, 50);
    sheet.friction = dice_real(dice, 0.0f, 10.0f);
    sheet.restitution = dice_percent(dice, 50) ? 0.0f : dice_real(dice, 0.0f, 1.0f);
    sheet.projection = (enum sim_projection)dice_below(dice, 2);
    sheet.stretch_compliance = random_compliance(r);
    sheet.bend = dice_percent(dice, 30);
    sheet.bend_compliance = random_compliance(r);
    sheet.tethers = dice_percent(dice, 20);
    sheet.tear = dice_percent(dice, 30) ? dice_real(dice, 1.0f, 2.0f) : 0.0f;
    // Not often: a thick sheet in knots, pressed into a corner, takes longer than a hundred other worlds.
    sheet.thickness = dice_percent(dice, 25) ? random_size(r, 0.0f, 0.03f) : 0.0f;
    sheet.self_collision = dice_percent(dice, 8);
    sheet.fabric = random_fabric(r, sheet.fabric);
    if (r->tears) {
        sheet.tear_force = dice_percent(dice, 40) ? dice_scale(dice, 1e-7f, 1e9f) : 0.0f;
        sheet.fabric.crease = dice_percent(dice, 60) ? dice_scale(dice, 1e-3f, 1e5f) : 0.0f;
    }
    return sheet;
}

static inline void spawn_cloth(struct random_world *r) {
    uint32_t id = 0;
    struct fault fault;
    float masses[RANDOM_PARTICLES_MAX];
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    cloth.columns = 1 + dice_below(&r->dice, 6);
    cloth.rows = 2 + dice_below(&r->dice, 5);
    cloth.spacing = random_size(r, 0.02f, 0.3f);
    cloth.lattice = (enum sim_lattice)dice_below(&r->dice, 2);
    const uint32_t particles = cloth.columns * cloth.rows;
    cloth.sheet = random_sheet(r, cloth.sheet, masses, particles <= RANDOM_PARTICLES_MAX ? particles : 0);
    cloth.sheet.masses = particles <= RANDOM_PARTICLES_MAX ? cloth.sheet.masses : NULL;
    count_result(r, sim_cloth_spawn(r->world, &cloth, &id, &fault));
}

static inline void spawn_mesh(struct random_world *r) {
    uint32_t id = 0;
    struct fault fault;
    float points[3 * RANDOM_PARTICLES_MAX];
    float masses[RANDOM_PARTICLES_MAX];
    uint32_t triangles[3 * 30];
    struct sim_mesh_desc mesh = sim_mesh_desc_default();
    mesh.particles = 3 + dice_below(&r->dice, RANDOM_PARTICLES_MAX - 3);
    mesh.triangle_count = 1 + dice_below(&r->dice, 30);
    mesh.positions = points;
    mesh.triangles = triangles;
    dice_points(&r->dice, points, mesh.particles, r->reach);
    for (uint32_t i = 0; i < mesh.triangle_count; i++) {
        const uint32_t first = dice_below(&r->dice, mesh.particles);
        for (uint32_t k = 0; k < 3; k++) {
            triangles[3 * i + k] = (first + k * (1 + dice_below(&r->dice, 2))) % mesh.particles;
        }
    }
    if (dice_percent(&r->dice, 3)) {
        triangles[dice_below(&r->dice, 3 * mesh.triangle_count)] =
            dice_percent(&r->dice, 50) ? mesh.particles : UINT32_MAX;
    }
    mesh.sheet = random_sheet(r, mesh.sheet, masses, mesh.particles);
    count_result(r, sim_mesh_spawn(r->world, &mesh, &id, &fault));
}

static inline void spawn_particles(struct random_world *r) {
    uint32_t id = 0;
    struct fault fault;
    struct dice *dice = &r->dice;
    float points[3 * RANDOM_PARTICLES_MAX];
    float velocities[3 * RANDOM_PARTICLES_MAX];
    float masses[RANDOM_PARTICLES_MAX];
    struct sim_particles_desc desc = sim_particles_desc_default();
    desc.particles = dice_below(dice, 12);
    desc.positions = points;
    dice_points(dice, points, desc.particles, r->reach);
    for (uint32_t i = 0; i < 3 * desc.particles; i++) {
        velocities[i] = dice_percent(dice, 10) ? dice_between(dice, -1e3f, 1e3f) : 0.0f;
    }
    desc.masses = random_masses(r, masses, desc.particles, 70);
    desc.velocities = dice_percent(dice, 70) ? velocities : NULL;
    desc.radius = random_size(r, 0.0f, 0.1f);
    desc.friction = dice_real(dice, 0.0f, 10.0f);
    desc.restitution = dice_real(dice, 0.0f, 1.0f);
    desc.collision = r->threads;
    count_result(r, sim_particles_spawn(r->world, &desc, &id, &fault));
}

static inline void spawn_rope(struct random_world *r) {
    uint32_t id = 0;
    struct fault fault;
    struct dice *dice = &r->dice;
    float masses[RANDOM_PARTICLES_MAX];
    struct sim_rope_desc rope = sim_rope_desc_default();
    rope.from = random_place(r);
    rope.to = random_place(r);
    rope.particles = 1 + dice_below(dice, RANDOM_PARTICLES_MAX);
    rope.mass = dice_scale(dice, 1e-6f, 1e6f);
    rope.masses = random_masses(r, masses, rope.particles, 20);
    rope.pins.preset =
        dice_percent(dice, 50) ? SIM_PIN_NONE : (enum sim_pin_preset)(SIM_PIN_START + dice_below(dice, 3));
    rope.thickness = dice_percent(dice, 80) ? dice_real(dice, 0.0f, 0.1f) : dice_scale(dice, 1e-6f, 10.0f);
    rope.friction = dice_real(dice, 0.0f, 10.0f);
    rope.tear_force = r->tears && dice_percent(dice, 50) ? dice_scale(dice, 1e-7f, 1e9f) : 0.0f;
    rope.restitution = dice_real(dice, 0.0f, 1.0f);
    rope.stretch_compliance = random_compliance(r);
    rope.collision = r->threads;
    count_result(r, sim_rope_spawn(r->world, &rope, &id, &fault));
}

// Dice of their own, from what the others have come to, so that worlds of old seeds are drawn as ever.
static inline struct dice dice_aside(const struct dice *dice) {
    struct dice aside = *dice;
    aside.state ^= 0x9e3779b97f4a7c15u;
    (void)dice_below(&aside, 2);
    return aside;
}

static inline struct sim_body_part random_part(struct dice *dice, float size, const float *points) {
    static const enum sim_body_shape shapes[5] = {SIM_BODY_SPHERE, SIM_BODY_CAPSULE, SIM_BODY_CYLINDER, SIM_BODY_BOX,
                                                  SIM_BODY_HULL};
    struct sim_body_part part = {.shape = shapes[dice_below(dice, 5)], .density = 1.0f};
    part.radius = size * dice_real(dice, 0.05f, 1.0f);
    part.length = dice_percent(dice, 90) ? size * dice_real(dice, 0.1f, 3.0f) : dice_real(dice, 0.0f, 0.002f);
    part.extents = (struct vec3){size, size * dice_real(dice, 0.05f, 1.0f), size * dice_real(dice, 0.05f, 1.0f)};
    part.vertices = points;
    part.vertex_count = 4 + dice_below(dice, 8);
    part.rotation = dice_rotation(dice);
    part.position = dice_vector(dice, 1.5f * size);
    part.density = dice_percent(dice, 80) ? 1.0f : dice_scale(dice, 1e-3f, 1e3f);
    part.radius =
        (part.shape == SIM_BODY_BOX || part.shape == SIM_BODY_HULL) && dice_percent(dice, 60) ? 0.0f : part.radius;
    return part;
}

// In worlds of round bodies, makes half of the bodies round or compound.
static inline void make_round(struct random_world *r, struct sim_body_desc *body, struct sim_body_part *parts,
                              float *points) {
    struct dice dice = dice_aside(&r->dice);
    if (!r->round || !dice_percent(&dice, 50)) {
        return;
    }
    const float size = dice_percent(&dice, 90) ? dice_real(&dice, 0.05f, 0.5f) : dice_scale(&dice, 1e-4f, 10.0f);
    dice_points(&dice, points, RANDOM_PART_POINTS, size);
    body->part_count = 1 + dice_below(&dice, RANDOM_PARTS_MAX);
    for (uint32_t k = 0; k < body->part_count; k++) {
        parts[k] = random_part(&dice, size, points);
    }
    const bool compound = dice_percent(&dice, 40);
    body->masses = NULL;
    body->shape = compound ? SIM_BODY_COMPOUND : parts[0].shape;
    body->radius = parts[0].radius;
    body->length = parts[0].length;
    body->extents = parts[0].extents;
    body->vertices = parts[0].vertices;
    body->vertex_count = parts[0].vertex_count;
    body->parts = parts;
}

static inline void spawn_body(struct random_world *r) {
    uint32_t id = 0;
    struct fault fault;
    struct dice *dice = &r->dice;
    float points[3 * RANDOM_PARTICLES_MAX];
    float masses[4];
    struct sim_body_desc body = sim_body_desc_default();
    body.shape = (enum sim_body_shape)dice_below(dice, 4); // the round kinds and compounds are drawn last
    body.size = random_size(r, 0.05f, 0.5f);
    body.extents.x = dice_percent(dice, 80) ? body.size : random_size(r, 0.001f, 1.0f);
    body.extents.y = dice_percent(dice, 60) ? body.size : random_size(r, 0.001f, 1.0f);
    body.extents.z = dice_percent(dice, 70) ? body.size : random_size(r, 0.001f, 1.0f);
    const uint32_t corners = 3 + dice_below(dice, dice_percent(dice, 80) ? 8 : RANDOM_PARTICLES_MAX - 3);
    body.vertex_count = body.shape == SIM_BODY_TETRAHEDRON ? 4 : corners;
    dice_points(dice, points, body.vertex_count, random_size(r, 0.05f, 0.5f));
    const bool takes_vertices = body.shape == SIM_BODY_HULL || dice_percent(dice, 40);
    body.vertices = takes_vertices && body.shape != SIM_BODY_BOX && body.shape != SIM_BODY_FRAME ? points : NULL;
    const bool takes_masses = body.shape == SIM_BODY_TETRAHEDRON || body.shape == SIM_BODY_FRAME;
    body.masses = random_masses(r, masses, 4, takes_masses ? 30 : 0);
    body.mass = dice_percent(dice, 60) ? 1.0f : dice_scale(dice, 1e-6f, 1e6f);
    body.position = random_place(r);
    body.rotation = dice_rotation(dice);
    body.velocity = dice_percent(dice, 30) ? dice_vector(dice, 1000.0f) : body.velocity;
    body.angular_velocity = dice_percent(dice, 30) ? dice_vector(dice, 1000.0f) : body.angular_velocity;
    body.friction = dice_real(dice, 0.0f, 10.0f);
    body.restitution = dice_real(dice, 0.0f, 1.0f);
    body.projection = (enum sim_projection)dice_below(dice, 2);
    struct sim_body_part parts[RANDOM_PARTS_MAX];
    make_round(r, &body, parts, points);
    count_result(r, sim_body_spawn(r->world, &body, &id, &fault));
}

static inline void spawn_plant(struct random_world *r) {
    uint32_t id = 0;
    struct fault fault;
    struct sim_plant_desc plant = sim_plant_desc_default();
    plant.position = random_place(r);
    plant.height = random_size(r, 0.1f, 1.0f);
    plant.levels = 2 + dice_below(&r->dice, dice_percent(&r->dice, 95) ? 6 : 40);
    plant.leaves = dice_below(&r->dice, 6);
    plant.mass = dice_scale(&r->dice, 1e-6f, 1e6f);
    plant.stiffness = dice_real(&r->dice, 0.0f, 1.0f);
    plant.friction = dice_real(&r->dice, 0.0f, 10.0f);
    count_result(r, sim_plant_spawn(r->world, &plant, &id, &fault));
}

static inline void spawn_ragdoll(struct random_world *r) {
    uint32_t id = 0;
    struct fault fault;
    struct sim_ragdoll_desc ragdoll = sim_ragdoll_desc_default();
    ragdoll.position = random_place(r);
    ragdoll.rotation = dice_rotation(&r->dice);
    ragdoll.velocity = dice_percent(&r->dice, 50) ? dice_vector(&r->dice, 1000.0f) : ragdoll.velocity;
    ragdoll.height = random_size(r, 0.1f, 1.0f);
    ragdoll.mass = dice_scale(&r->dice, 1e-6f, 1e6f);
    ragdoll.friction = dice_real(&r->dice, 0.0f, 10.0f);
    count_result(r, sim_ragdoll_spawn(r->world, &ragdoll, &id, &fault));
}

// One thing, at times twice: exactly in the same place.
static inline void spawn_something(struct random_world *r) {
    static void (*const spawns[])(struct random_world *) = {
        spawn_cloth, spawn_cloth, spawn_mesh, spawn_particles, spawn_particles, spawn_rope,   spawn_rope,
        spawn_body,  spawn_body,  spawn_body, spawn_body,      spawn_plant,     spawn_ragdoll};
    const uint32_t kind = dice_below(&r->dice, sizeof spawns / sizeof spawns[0]);
    const bool twice = dice_percent(&r->dice, 8);
    const struct dice before = r->dice;
    const struct vec3 last = r->last;
    spawns[kind](r);
    if (twice) {
        r->dice = before;
        r->last = last;
        spawns[kind](r);
    }
}

// Soft bodies and gas, from dice of their own: what else a world of a seed holds does not depend on them.
static inline void spawn_soft(struct random_world *r, struct dice *dice) {
    uint32_t id = 0;
    struct fault fault;
    float points[3 * RANDOM_PARTICLES_MAX];
    uint32_t corners[4 * 12];
    const float reach = r->reach;
    struct sim_soft_desc soft = sim_soft_desc_default();
    soft.shape = (enum sim_soft_shape)dice_below(dice, SIM_SOFT_SHAPE_COUNT);
    soft.extents =
        (struct vec3){dice_between(dice, 0.0f, reach), dice_between(dice, 0.0f, reach), dice_real(dice, 0.0f, reach)};
    soft.radius = dice_real(dice, 0.0f, reach);
    for (unsigned axis = 0; axis < 3; axis++) {
        soft.cells[axis] = soft.shape == SIM_SOFT_BALL ? 2 : dice_below(dice, 4);
    }
    soft.particles = 4 + dice_below(dice, 8);
    soft.tetrahedron_count = 1 + dice_below(dice, 3);
    dice_points(dice, points, soft.particles, reach);
    for (uint32_t i = 0; i < 4 * soft.tetrahedron_count; i++) {
        corners[i] = i < soft.particles ? i : dice_below(dice, soft.particles + 1);
    }
    soft.particles = dice_percent(dice, 70) && soft.tetrahedron_count == 1 ? 4 : soft.particles;
    soft.positions = points;
    soft.tetrahedra = corners;
    soft.position = dice_vector(dice, reach);
    soft.rotation = dice_rotation(dice);
    soft.velocity = dice_percent(dice, 30) ? dice_vector(dice, 1000.0f) : soft.velocity;
    soft.angular_velocity = dice_percent(dice, 30) ? dice_vector(dice, 1000.0f) : soft.angular_velocity;
    soft.young = dice_scale(dice, 1.0f, 1e12f);
    soft.poisson = dice_real(dice, 0.0f, 0.5f);
    soft.density = dice_scale(dice, 1e-3f, 1e5f);
    soft.viscosity = dice_percent(dice, 50) ? 0.0f : dice_scale(dice, 1e-6f, 10.0f);
    soft.friction = dice_real(dice, 0.0f, 10.0f);
    soft.restitution = dice_real(dice, 0.0f, 1.0f);
    soft.thickness = dice_percent(dice, 60) ? 0.0f : dice_between(dice, 0.0f, 0.02f) * reach;
    soft.self_collision = dice_percent(dice, 8);
    soft.projection = (enum sim_projection)dice_below(dice, 2);
    count_result(r, sim_soft_spawn(r->world, &soft, &id, &fault));
}

static inline void spawn_balloon(struct random_world *r, struct dice *dice) {
    static const uint32_t triangles[] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    uint32_t id = 0;
    struct fault fault;
    const float half = dice_real(dice, 0.001f, 0.5f) * r->reach;
    const float points[] = {half, 0, 0, -half, 0, 0, 0, half, 0, 0, -half, 0, 0, 0, half, 0, 0, -half};
    const float pressure = dice_real(dice, -1e5f, 1e6f);
    struct sim_mesh_desc mesh = sim_mesh_desc_default();
    mesh.positions = points;
    mesh.particles = 6;
    mesh.triangles = triangles;
    mesh.triangle_count = 8;
    mesh.gas = (struct sim_gas){true, dice_real(dice, -1e5f, 1e6f), dice_percent(dice, 30)};
    mesh.sheet.position = dice_vector(dice, r->reach);
    mesh.sheet.mass = dice_scale(dice, 1e-6f, 1e6f);
    mesh.sheet.stretch_compliance = dice_percent(dice, 50) ? 0.0f : dice_scale(dice, 1e-9f, 1e3f);
    mesh.sheet.tear = dice_percent(dice, 40) ? dice_real(dice, 1.0f, 2.0f) : 0.0f;
    mesh.sheet.projection = (enum sim_projection)dice_below(dice, 2);
    const enum result result = sim_mesh_spawn(r->world, &mesh, &id, &fault);
    count_result(r, result);
    if (result == RESULT_OK && dice_percent(dice, 30)) {
        count_result(r, sim_object_set(r->world, id, (struct sim_material){.pressure = &pressure}, &fault));
    }
}

static inline void spawn_volumes(struct random_world *r) {
    struct dice dice = {r->dice.state * 0xD1342543DE82EF95u + 26};
    for (uint32_t i = dice_percent(&dice, 25) ? 1 + dice_below(&dice, 2) : 0; i > 0; i--) {
        if (dice_percent(&dice, 60)) {
            spawn_soft(r, &dice);
        } else {
            spawn_balloon(r, &dice);
        }
    }
}

// ---- obstacles ---------------------------------------------------------------------------------------------------

// A closed box of any proportions, at times inside out, or a heap of triangles.
static inline void random_obstacle_mesh(struct random_world *r, struct sim_obstacle *shape, float *points,
                                        uint32_t *triangles) {
    static const uint32_t sides[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                       2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    shape->positions = points;
    shape->triangles = triangles;
    if (dice_percent(&r->dice, 40)) {
        const float x = random_size(r, 0.0f, 1.0f);
        const float y = random_size(r, 0.0f, 1.0f);
        const float z = random_size(r, 0.0f, 1.0f);
        for (uint32_t i = 0; i < 8; i++) {
            points[3 * i] = (i & 1) != 0 ? x : 0.0f;
            points[3 * i + 1] = (i & 2) != 0 ? y : 0.0f;
            points[3 * i + 2] = (i & 4) != 0 ? z : 0.0f;
        }
        const bool inside_out = dice_percent(&r->dice, 20);
        for (uint32_t i = 0; i < 36; i++) {
            triangles[i] = sides[inside_out ? 35 - i : i];
        }
        shape->vertices = 8;
        shape->triangle_count = 12;
        return;
    }
    shape->vertices = 3 + dice_below(&r->dice, 13);
    shape->triangle_count = 1 + dice_below(&r->dice, 20);
    dice_points(&r->dice, points, shape->vertices, r->reach);
    for (uint32_t i = 0; i < 3 * shape->triangle_count; i++) {
        const uint32_t next = i % 3 == 0 ? dice_below(&r->dice, shape->vertices) : triangles[i - 1] + 1;
        triangles[i] = next % shape->vertices;
    }
    if (dice_percent(&r->dice, 10)) {
        triangles[dice_below(&r->dice, 3 * shape->triangle_count)] = dice_below(&r->dice, shape->vertices + 1);
    }
}

static inline void random_heights(struct random_world *r, struct sim_obstacle *shape, float *heights) {
    shape->columns = 1 + dice_below(&r->dice, 6);
    shape->rows = 1 + dice_below(&r->dice, 6);
    shape->spacing = random_size(r, 0.02f, 1.0f);
    shape->heights = heights;
    const float steep = random_size(r, 0.0f, 1.0f);
    for (uint32_t i = 0; i < 36; i++) {
        heights[i] = dice_real(&r->dice, -steep, steep);
    }
}

static inline void add_obstacle(struct random_world *r) {
    uint32_t id = 0;
    struct fault fault;
    struct dice *dice = &r->dice;
    float points[3 * 16];
    uint32_t triangles[3 * 20];
    float heights[36];
    struct sim_path_point path[RANDOM_PATH_POINTS_MAX];
    struct sim_obstacle shape = {.shape = (enum sim_obstacle_shape)dice_below(dice, SIM_OBSTACLE_SHAPE_COUNT)};
    shape.position = random_place(r);
    shape.radius = random_size(r, 0.0f, 1.0f);
    shape.size.x = random_size(r, 0.0f, 2.0f);
    shape.size.y = random_size(r, 0.0f, 1.0f);
    shape.size.z = random_size(r, 0.0f, 1.0f);
    shape.rotation = dice_rotation(dice);
    shape.normal = dice_vector(dice, 1.0f);
    shape.from = random_place(r);
    shape.to = random_place(r);
    shape.to.y += dice_percent(dice, 10) ? 1e-6f : 0.0f;
    random_heights(r, &shape, heights);
    random_obstacle_mesh(r, &shape, points, triangles);
    shape.friction = dice_real(dice, 0.0f, 10.0f);
    shape.restitution = dice_percent(dice, 50) ? 0.0f : dice_real(dice, 0.0f, 1.0f);
    if (r->moving) {
        shape.motion = random_motion(dice, r->reach, path);
    }
    count_result(r, sim_obstacle_add(r->world, &shape, &id, &fault));
}

#endif
