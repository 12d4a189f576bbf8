// SPDX-License-Identifier: MIT
// The scenario: cloths of both lattices, a mesh, ropes, bodies, loose particles, three obstacles, gusts of wind, grabs,
// pins, forces, added sticks, moves, changes of parameters, and removals that move all that comes after them.
//
// A refused command stops it: `apply` remembers, and the hash is then 0.
#include "scenario.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "sim/sim.h"

struct scenario {
    struct sim_world *world;
    bool refused;
    uint32_t grid, hex, mesh, rope, bridge, bodies[6], loose;
    uint32_t hand, finger, link, ball;
};

static void apply(struct scenario *scenario, enum result result) {
    scenario->refused = scenario->refused || result != RESULT_OK;
}

static void add_obstacles(struct scenario *s) {
    uint32_t id = 0;
    const struct sim_obstacle ground = {
        .shape = SIM_OBSTACLE_PLANE, .position = {0.0f, -1.5f, 0.0f}, .normal = {0.1f, 1.0f, -0.05f}, .friction = 0.6f};
    const struct sim_obstacle ball = {
        .shape = SIM_OBSTACLE_SPHERE, .position = {0.3f, 0.1f, 0.2f}, .radius = 0.5f, .friction = 0.3f};
    const struct sim_obstacle box = {.shape = SIM_OBSTACLE_BOX,
                                     .position = {-1.5f, -0.8f, 0.4f},
                                     .size = {1.0f, 0.6f, 1.4f},
                                     .rotation = {0.1f, 0.3f, -0.2f, 0.9f},
                                     .friction = 0.8f};
    apply(s, sim_obstacle_add(s->world, &ground, &id, NULL));
    apply(s, sim_obstacle_add(s->world, &ball, &s->ball, NULL));
    apply(s, sim_obstacle_add(s->world, &box, &id, NULL));
}

static void spawn_cloths(struct scenario *s) {
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    cloth.columns = 33;
    cloth.rows = 29;
    cloth.sheet.position = (struct vec3){0.1f, 2.0f, 0.2f};
    cloth.sheet.rotation = (struct quat){-0.6f, 0.1f, 0.0f, 0.7f};
    cloth.sheet.pins.preset = SIM_PIN_NONE;
    apply(s, sim_cloth_spawn(s->world, &cloth, &s->grid, NULL));
    cloth = sim_cloth_desc_default();
    cloth.columns = 24;
    cloth.rows = 31;
    cloth.lattice = SIM_LATTICE_HEX;
    cloth.sheet.position = (struct vec3){-1.5f, 1.5f, 0.3f};
    cloth.sheet.pins.preset = SIM_PIN_TOP_EDGE;
    cloth.sheet.mass = 0.4f;
    apply(s, sim_cloth_spawn(s->world, &cloth, &s->hex, NULL));
}

// A wavy disc of rings and spokes, whose hub has many neighbours.
static void spawn_mesh(struct scenario *s) {
    enum { SPOKES = 12, RINGS = 4, PARTICLES = 1 + SPOKES * RINGS, TRIANGLES = SPOKES * (2 * RINGS - 1) };
    static const float direction[SPOKES][2] = {{1.0f, 0.0f},    {0.87f, 0.5f},  {0.5f, 0.87f},  {0.0f, 1.0f},
                                               {-0.5f, 0.87f},  {-0.87f, 0.5f}, {-1.0f, 0.0f},  {-0.87f, -0.5f},
                                               {-0.5f, -0.87f}, {0.0f, -1.0f},  {0.5f, -0.87f}, {0.87f, -0.5f}};
    float positions[3 * PARTICLES] = {0};
    uint32_t triangles[3 * TRIANGLES];
    uint32_t *at = triangles;
    for (uint32_t ring = 0; ring < RINGS; ring++) {
        for (uint32_t spoke = 0; spoke < SPOKES; spoke++) {
            const uint32_t here = 1 + ring * SPOKES + spoke;
            const uint32_t next = 1 + ring * SPOKES + (spoke + 1) % SPOKES;
            const float radius = 0.15f * (float)(ring + 1);
            positions[3 * here] = radius * direction[spoke][0];
            positions[3 * here + 1] = spoke % 2 == 0 ? 0.02f : -0.02f;
            positions[3 * here + 2] = radius * direction[spoke][1];
            const uint32_t inner[6] = {here - SPOKES, next - SPOKES, here, next - SPOKES, next, here};
            const uint32_t hub[3] = {0, next, here};
            const size_t corners = ring == 0 ? 3 : 6;
            memcpy(at, ring == 0 ? hub : inner, corners * sizeof *at);
            at += corners;
        }
    }
    struct sim_mesh_desc mesh = sim_mesh_desc_default();
    mesh.positions = positions;
    mesh.particles = PARTICLES;
    mesh.triangles = triangles;
    mesh.triangle_count = TRIANGLES;
    mesh.sheet.position = (struct vec3){1.5f, 1.8f, -0.5f};
    mesh.sheet.projection = SIM_PROJECTION_START;
    apply(s, sim_mesh_spawn(s->world, &mesh, &s->mesh, NULL));
}

static void spawn_ropes(struct scenario *s) {
    struct sim_rope_desc rope = sim_rope_desc_default();
    rope.from = (struct vec3){2.0f, 2.5f, 0.0f};
    rope.to = (struct vec3){3.0f, 2.4f, 0.5f};
    rope.particles = 25;
    apply(s, sim_rope_spawn(s->world, &rope, &s->rope, NULL));
    rope.from = (struct vec3){-3.0f, 1.0f, -1.0f};
    rope.to = (struct vec3){3.0f, 1.2f, -1.0f};
    rope.particles = 40;
    rope.pins.preset = SIM_PIN_BOTH;
    apply(s, sim_rope_spawn(s->world, &rope, &s->bridge, NULL));
}

static void spawn_bodies(struct scenario *s) {
    static const float uneven[12] = {0, 0, 0, 0.6f, 0.1f, 0, 0.1f, 0.5f, 0.1f, 0, 0.2f, -0.7f};
    static const float masses[4] = {0.2f, 1.0f, 0.5f, 2.0f};
    for (uint32_t i = 0; i < 6; i++) {
        struct sim_body_desc body = sim_body_desc_default();
        body.position = (struct vec3){-2.0f + 0.8f * (float)i, 3.0f + 0.3f * (float)i, -0.4f + 0.2f * (float)i};
        body.rotation = (struct quat){0.1f * (float)i, 0.3f, -0.2f, 1.0f};
        body.velocity = (struct vec3){0.5f, -1.0f, 0.2f * (float)i};
        body.angular_velocity = (struct vec3){3.0f, 1.0f - (float)i, 5.0f};
        if (i % 2 == 1) {
            body.vertices = uneven;
            body.masses = masses;
        }
        body.projection = i == 4 ? SIM_PROJECTION_CURRENT : SIM_PROJECTION_START;
        apply(s, sim_body_spawn(s->world, &body, &s->bodies[i], NULL));
    }
}

static void spawn_loose(struct scenario *s) {
    enum { COUNT = 64 };
    float positions[3 * COUNT];
    float velocities[3 * COUNT];
    float masses[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) {
        positions[3 * i] = -2.0f + 0.5f * (float)(i % 8);
        positions[3 * i + 1] = 2.5f + 0.02f * (float)i;
        positions[3 * i + 2] = -2.0f + 0.5f * (float)(i / 8);
        velocities[3 * i] = 0.1f * (float)(i % 5);
        velocities[3 * i + 1] = -0.3f * (float)(i % 3);
        velocities[3 * i + 2] = 0.07f * (float)(i % 7);
        masses[i] = 0.1f + 0.3f * (float)(i % 4);
    }
    struct sim_particles_desc desc = sim_particles_desc_default();
    desc.positions = positions;
    desc.velocities = velocities;
    desc.masses = masses;
    desc.particles = COUNT;
    desc.radius = 0.07f;
    apply(s, sim_particles_spawn(s->world, &desc, &s->loose, NULL));
}

static void set_weather(struct scenario *s, struct vec3 wind, float gust, enum sim_square_root root,
                        uint32_t substeps) {
    struct sim_parameters parameters = *sim_world_parameters(s->world);
    parameters.damping = 0.01f;
    parameters.bounds_min = (struct vec3){-4.0f, -2.0f, -4.0f};
    parameters.bounds_max = (struct vec3){4.0f, 6.0f, 4.0f};
    parameters.wind_velocity = wind;
    parameters.wind_gust = gust;
    parameters.square_root = root;
    parameters.substeps = substeps;
    apply(s, sim_world_set_parameters(s->world, &parameters, NULL));
}

static void join(struct scenario *s, struct sim_stick_end a, struct sim_stick_end b, enum sim_stick_kind kind) {
    apply(s, sim_stick_add(s->world, a, b, -1.0f, kind, 0.0f, &s->link, NULL));
}

static void add_links(struct scenario *s) {
    join(s, (struct sim_stick_end){s->rope, 24}, (struct sim_stick_end){s->bodies[5], 0}, SIM_STICK_EQUAL);
    join(s, (struct sim_stick_end){s->bodies[0], 1}, (struct sim_stick_end){s->bodies[1], 2}, SIM_STICK_AT_MOST);
    join(s, (struct sim_stick_end){s->bodies[2], 1}, (struct sim_stick_end){s->bodies[3], 3}, SIM_STICK_AT_LEAST);
}

static void move_hands(struct scenario *s, uint32_t tick) {
    const float way = 0.01f * (float)(tick - 100);
    if (tick > 100 && tick < 160) {
        apply(s, sim_grab_move(s->world, s->hand, (struct vec3){-0.5f + way, 1.0f + way, 0.3f}, NULL));
        apply(s, sim_grab_move(s->world, s->finger, (struct vec3){1.0f, 1.5f + way, -way}, NULL));
    }
}

// What happens between the ticks.
static void command(struct scenario *s, uint32_t tick) {
    const uint32_t some[3] = {5, 100, 300};
    const struct vec3 up = {0.2f, 3.0f, -1.0f};
    const struct vec3 corner = {-1.2f, 1.6f, 0.6f};
    switch (tick) {
    case 50:
        apply(s, sim_force_apply(s->world, s->grid, some, 3, up, 40, NULL));
        apply(s, sim_force_apply(s->world, s->loose, NULL, 0, (struct vec3){9.0f, 20.0f, -5.0f}, 25, NULL));
        break;
    case 100:
        apply(s, sim_grab_start_particle(s->world, s->grid, 400, &s->hand, NULL));
        apply(s, sim_grab_start_point(s->world, s->bodies[3], (struct vec3){1.0f, 1.0f, 0.0f}, &s->finger, NULL));
        break;
    case 160:
        apply(s, sim_grab_end(s->world, s->hand, NULL));
        break;
    case 200:
        apply(s, sim_particle_pin(s->world, s->grid, some, 3, NULL, NULL));
        apply(s, sim_particle_pin(s->world, s->hex, some, 1, &corner, NULL));
        set_weather(s, (struct vec3){4.0f, 0.5f, -6.0f}, 0.8f, SIM_SQUARE_ROOT_EXACT, 8);
        break;
    case 300:
        apply(s, sim_object_remove(s->world, s->hex, NULL));
        apply(s, sim_object_remove(s->world, s->bodies[1], NULL));
        break;
    case 400:
        set_weather(s, (struct vec3){-3.0f, 0.0f, 7.0f}, 1.0f, SIM_SQUARE_ROOT_APPROXIMATE, 5);
        apply(s, sim_particle_set_inverse_mass(s->world, s->bridge, some, 1, 0.0f, NULL));
        break;
    case 500:
        apply(s, sim_grab_end(s->world, s->finger, NULL));
        apply(s, sim_obstacle_remove(s->world, s->ball, NULL));
        apply(s, sim_particle_unpin(s->world, s->grid, some, 2, NULL));
        spawn_cloths(s);
        break;
    case 600:
        apply(s, sim_stick_remove(s->world, s->link, NULL));
        apply(s, sim_particle_move(s->world, s->mesh, 7, (struct vec3){1.0f, 2.0f, 0.0f}, SIM_MOVE_TELEPORT, NULL));
        apply(s, sim_particle_move(s->world, s->loose, 3, (struct vec3){0.0f, 1.0f, 0.0f}, SIM_MOVE_PUSH, NULL));
        break;
    case 700:
        set_weather(s, (struct vec3){0.0f, 0.0f, 0.0f}, 0.0f, SIM_SQUARE_ROOT_EXACT, 11);
        break;
    default:
        move_hands(s, tick);
    }
}

uint64_t scenario_hash(unsigned ticks) {
    struct scenario s = {0};
    const struct sim_capacity capacity = {
        .particles = 8000, .sticks = 40000, .triangles = 16000, .objects = 40, .obstacles = 8};
    if (sim_world_create(&capacity, 60.0f, &s.world) != RESULT_OK) {
        return 0;
    }
    set_weather(&s, (struct vec3){2.0f, 0.0f, 1.0f}, 0.5f, SIM_SQUARE_ROOT_EXACT, 8);
    add_obstacles(&s);
    spawn_cloths(&s);
    spawn_mesh(&s);
    spawn_ropes(&s);
    spawn_bodies(&s);
    spawn_loose(&s);
    add_links(&s);
    for (unsigned tick = 0; tick < ticks && !s.refused; tick++) {
        command(&s, tick);
        sim_world_step(s.world);
    }
    const uint64_t hash = s.refused ? 0 : sim_world_hash(s.world);
    sim_world_destroy(s.world);
    return hash;
}
