// SPDX-License-Identifier: MIT
// The scenario of what touches, tears and sleeps: stacked boxes, hulls, frames and tetrahedra that come to rest, a
// figure on steps, a plant in the wind, a cloth folded on itself over a ball, one that a hand tears in two, obstacles
// of every shape, what is hit in its sleep, and sweeps that stop early.
//
// It must have torn, slept and woken, or its hash is 0.
#include "scenario.h"

#include <stdbool.h>
#include <stddef.h>

#include "sim/sim.h"

struct method {
    struct sim_world *world;
    bool refused;
    uint32_t torn, slept, woke;
    uint32_t boxes[4], sheet, hand, support;
};

static void apply(struct method *m, enum result result) {
    m->refused = m->refused || result != RESULT_OK;
}

static void set_solver(struct method *m, struct vec3 wind, float tolerance) {
    struct sim_parameters parameters = *sim_world_parameters(m->world);
    parameters.substeps = 4;
    parameters.iterations = 6;
    parameters.damping = 0.02f;
    parameters.bounds_min = (struct vec3){-6.0f, -1.0f, -6.0f};
    parameters.bounds_max = (struct vec3){6.0f, 8.0f, 6.0f};
    parameters.wind_velocity = wind;
    parameters.wind_gust = 0.5f;
    parameters.tolerance = tolerance;
    apply(m, sim_world_set_parameters(m->world, &parameters, NULL));
}

// ---- obstacles ---------------------------------------------------------------------------------------------------

static void add(struct method *m, struct sim_obstacle shape, uint32_t *id) {
    shape.friction = 0.6f;
    shape.rotation.w = 1.0f;
    apply(m, sim_obstacle_add(m->world, &shape, id, NULL));
}

static void add_obstacles(struct method *m) {
    uint32_t id = 0;
    float heights[25];
    static const float corners[15] = {-0.5f, 0, -0.5f, 0.5f, 0, -0.5f, 0.5f, 0, 0.5f, -0.5f, 0, 0.5f, 0, 0.6f, 0};
    static const uint32_t faces[18] = {0, 4, 1, 1, 4, 2, 2, 4, 3, 3, 4, 0, 0, 1, 2, 0, 2, 3};
    for (uint32_t i = 0; i < 25; i++) {
        heights[i] = 0.05f * (float)((7 * i) % 5);
    }
    add(m, (struct sim_obstacle){.shape = SIM_OBSTACLE_PLANE, .normal = {0, 1, 0}}, &id);
    add(m, (struct sim_obstacle){.shape = SIM_OBSTACLE_SPHERE, .position = {3.5f, 0.6f, 3.5f}, .radius = 0.5f}, &id);
    add(m, (struct sim_obstacle){.shape = SIM_OBSTACLE_BOX, .position = {-4, 0.25f, -4}, .size = {2, 0.5f, 2}}, &id);
    add(m, (struct sim_obstacle){.shape = SIM_OBSTACLE_BOX, .position = {0, 0.5f, -4}, .size = {1, 1, 1}}, &m->support);
    add(m,
        (struct sim_obstacle){
            .shape = SIM_OBSTACLE_CAPSULE, .from = {-4.5f, 0.3f, 0}, .to = {-3.5f, 0.5f, 0.5f}, .radius = 0.2f},
        &id);
    add(m,
        (struct sim_obstacle){.shape = SIM_OBSTACLE_HEIGHTFIELD,
                              .position = {3.5f, 0.1f, -3.5f},
                              .columns = 5,
                              .rows = 5,
                              .spacing = 0.5f,
                              .heights = heights},
        &id);
    add(m,
        (struct sim_obstacle){.shape = SIM_OBSTACLE_MESH,
                              .position = {-3.5f, 0.0f, 3.5f},
                              .positions = corners,
                              .vertices = 5,
                              .triangles = faces,
                              .triangle_count = 6},
        &id);
}

// ---- objects -----------------------------------------------------------------------------------------------------

#define BARE_SHAPES 4u // tetrahedron, box, hull and frame, which come first

static uint32_t drop(struct method *m, enum sim_body_shape shape, struct vec3 position, struct vec3 spin) {
    static const float points[24] = {-0.3f, -0.1f, -0.2f, 0.3f, -0.1f, -0.2f, 0.2f,  -0.1f, 0.3f,  -0.2f, -0.1f, 0.2f,
                                     -0.1f, 0.3f,  0.0f,  0.2f, 0.2f,  0.0f,  -0.3f, 0.0f,  -0.1f, 0.0f,  0.2f,  0.2f};
    uint32_t id = 0;
    struct sim_body_desc body = sim_body_desc_default();
    body.shape = shape;
    body.size = 0.4f;
    body.extents = (struct vec3){0.4f, 0.4f, 0.4f};
    body.vertices = shape == SIM_BODY_HULL ? points : NULL;
    body.vertex_count = shape == SIM_BODY_HULL ? 8 : 0;
    body.position = position;
    body.angular_velocity = spin;
    body.restitution = shape == SIM_BODY_HULL ? 0.4f : 0.0f;
    apply(m, sim_body_spawn(m->world, &body, &id, NULL));
    return id;
}

static void drop_bodies(struct method *m) {
    const struct vec3 still = {0.0f, 0.0f, 0.0f};
    for (uint32_t i = 0; i < 3; i++) {
        m->boxes[i] = drop(m, SIM_BODY_BOX, (struct vec3){0.0f, 0.21f + 0.42f * (float)i, 0.0f}, still);
    }
    m->boxes[3] = drop(m, SIM_BODY_BOX, (struct vec3){0.0f, 1.22f, -4.0f}, still);
    for (uint32_t i = 0; i < 12; i++) {
        const struct vec3 position = {-4.5f + 2.7f * (float)(i % 4), 1.5f + 0.7f * (float)(i / 4),
                                      -4.2f + 2.7f * (float)(i % 3)};
        const struct vec3 spin = {3.0f, 2.0f - (float)(i % 3), 1.0f + (float)(i % 5)};
        (void)drop(m, (enum sim_body_shape)(i % BARE_SHAPES), position, spin);
    }
}

static void spawn_sheets(struct method *m) {
    uint32_t id = 0;
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    cloth.columns = cloth.rows = 16;
    cloth.spacing = 0.06f;
    cloth.sheet.position = (struct vec3){3.5f, 1.4f, 3.5f};
    cloth.sheet.rotation = (struct quat){-0.66f, 0.05f, 0.1f, 0.74f};
    cloth.sheet.pins.preset = SIM_PIN_NONE;
    cloth.sheet.thickness = 0.02f;
    cloth.sheet.self_collision = true;
    cloth.sheet.bend = true;
    cloth.sheet.bend_compliance = 0.01f;
    apply(m, sim_cloth_spawn(m->world, &cloth, &id, NULL));
    cloth = sim_cloth_desc_default();
    cloth.columns = cloth.rows = 12;
    cloth.spacing = 0.08f;
    cloth.sheet.position = (struct vec3){0.0f, 3.0f, 3.0f};
    cloth.sheet.pins.preset = SIM_PIN_TOP_EDGE;
    cloth.sheet.tethers = true;
    cloth.sheet.tear = 1.3f;
    cloth.sheet.stretch_compliance = 1e-4f;
    apply(m, sim_cloth_spawn(m->world, &cloth, &m->sheet, NULL));
}

static void spawn_living(struct method *m) {
    uint32_t id = 0;
    struct sim_plant_desc plant = sim_plant_desc_default();
    plant.position = (struct vec3){4.5f, 0.0f, 0.0f};
    apply(m, sim_plant_spawn(m->world, &plant, &id, NULL));
    struct sim_ragdoll_desc figure = sim_ragdoll_desc_default();
    figure.position = (struct vec3){-4.0f, 2.0f, -3.6f};
    apply(m, sim_ragdoll_spawn(m->world, &figure, &id, NULL));
}

// ---- commands ----------------------------------------------------------------------------------------------------

static void command(struct method *m, uint32_t tick) {
    const struct vec3 calm = {0.0f, 0.0f, 0.0f};
    if (tick == 60) {
        apply(m, sim_grab_start_particle(m->world, m->sheet, 138, &m->hand, NULL));
    } else if (tick > 60 && tick < 120) {
        const float way = 0.05f * (float)(tick - 60);
        apply(m, sim_grab_move(m->world, m->hand, (struct vec3){way, 2.0f - way, 3.0f + way}, NULL));
    } else if (tick == 120) {
        apply(m, sim_grab_end(m->world, m->hand, NULL));
    } else if (tick == 200) {
        set_solver(m, calm, 0.0f);
    } else if (tick == 600) {
        apply(m, sim_obstacle_remove(m->world, m->support, NULL));
        (void)drop(m, SIM_BODY_TETRAHEDRON, (struct vec3){0.1f, 4.0f, 0.0f}, calm);
    } else if (tick == 700) {
        apply(m, sim_object_remove(m->world, m->boxes[0], NULL));
    } else if (tick == 750) {
        set_solver(m, calm, 0.002f);
    }
}

static void count_events(struct method *m) {
    for (uint32_t i = 0; i < sim_world_event_count(m->world); i++) {
        const enum sim_event_kind kind = sim_world_event_at(m->world, i).kind;
        m->torn += kind == SIM_EVENT_TORN ? 1 : 0;
        m->slept += kind == SIM_EVENT_SLEPT ? 1 : 0;
        m->woke += kind == SIM_EVENT_WOKE ? 1 : 0;
        m->refused = m->refused || kind == SIM_EVENT_QUARANTINED;
    }
}

uint64_t method_hash(unsigned ticks) {
    struct method m = {0};
    const struct sim_capacity capacity = {
        .particles = 4000, .sticks = 20000, .triangles = 8000, .objects = 40, .obstacles = 8, .shape_words = 20000};
    if (sim_world_create(&capacity, 60.0f, &m.world) != RESULT_OK) {
        return 0;
    }
    set_solver(&m, (struct vec3){3.0f, 0.0f, 1.0f}, 0.0f);
    add_obstacles(&m);
    drop_bodies(&m);
    spawn_sheets(&m);
    spawn_living(&m);
    for (unsigned tick = 0; tick < ticks && !m.refused; tick++) {
        command(&m, tick);
        sim_world_step(m.world);
        count_events(&m);
    }
    const bool shown = m.torn > 0 && m.slept > 0 && m.woke > 0;
    const uint64_t hash = m.refused || (ticks >= SCENARIO_TICKS && !shown) ? 0 : sim_world_hash(m.world);
    sim_world_destroy(m.world);
    return hash;
}
