// SPDX-License-Identifier: MIT
#include "stage.h"

#include "sim/geometry/scalar.h"

#include <stdio.h>
#include <stdlib.h>

#define CLOTH_SIDE_MAX 64u
#define ROPE_PARTICLES 40u
#define PLOT 3.4f // m, from one object's place to the next
#define BODIES_ON_A_PLOT 16u

static void must(enum result result, const struct fault *fault) {
    if (result != RESULT_OK) {
        (void)fprintf(stderr, "%s\n", fault->message);
        exit(1);
    }
}

static struct sim_world *make(struct sim_capacity capacity, float half_width, float height) {
    struct sim_world *world;
    struct fault fault = {.message = "no memory for the world"};
    must(sim_world_create(&capacity, 60.0f, &world), &fault);
    struct sim_parameters parameters = sim_parameters_default();
    parameters.damping = 0.01f;
    parameters.bounds_min = vec3_of(-half_width, 0.0f, -half_width);
    parameters.bounds_max = vec3_of(half_width, height, half_width);
    parameters.wind_velocity = vec3_of(1.0f, 0.0f, 3.0f);
    parameters.wind_gust = 1.0f;
    must(sim_world_set_parameters(world, &parameters, &fault), &fault);
    return world;
}

// Places in rows on the floor.
struct plots {
    uint32_t across, next;
};

static struct vec3 next_plot(struct plots *plots, float height) {
    const uint32_t at = plots->next++;
    const float middle = 0.5f * (float)plots->across;
    return vec3_of(((float)(at % plots->across) - middle) * PLOT, height,
                   ((float)(at / plots->across) - middle) * PLOT);
}

static uint32_t add_cloth(struct sim_world *world, uint32_t side, struct vec3 position) {
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    struct fault fault;
    uint32_t object;
    cloth.columns = cloth.rows = side;
    cloth.sheet.position = position;
    must(sim_cloth_spawn(world, &cloth, &object, &fault), &fault);
    return side * side;
}

static uint32_t add_rope(struct sim_world *world, struct vec3 position) {
    struct sim_rope_desc rope = sim_rope_desc_default();
    struct fault fault;
    uint32_t object;
    rope.from = position;
    rope.to = vec3_of(position.x + 1.5f, position.y, position.z);
    rope.particles = ROPE_PARTICLES;
    rope.mass = 0.5f;
    rope.pins.preset = SIM_PIN_START;
    must(sim_rope_spawn(world, &rope, &object, &fault), &fault);
    return ROPE_PARTICLES;
}

static uint32_t add_plant(struct sim_world *world, struct vec3 position) {
    struct sim_plant_desc plant = sim_plant_desc_default();
    struct fault fault;
    uint32_t object;
    plant.position = position;
    const uint32_t before = sim_world_counts(world).particles;
    must(sim_plant_spawn(world, &plant, &object, &fault), &fault);
    return sim_world_counts(world).particles - before;
}

static uint32_t add_bodies(struct sim_world *world, struct vec3 position) {
    struct sim_body_desc body = sim_body_desc_default();
    struct fault fault;
    uint32_t object;
    body.shape = SIM_BODY_BOX;
    body.extents = vec3_of(0.3f, 0.2f, 0.25f);
    for (uint32_t i = 0; i < BODIES_ON_A_PLOT; i++) {
        body.position = vec3_of(position.x + 0.7f * (float)(i % 4), position.y, position.z + 0.7f * (float)(i / 4));
        body.angular_velocity = vec3_of(1.0f, (float)(i % 3), -1.0f);
        must(sim_body_spawn(world, &body, &object, &fault), &fault);
    }
    return 4 * BODIES_ON_A_PLOT;
}

struct sim_world *stage_mixed(uint32_t particles) {
    uint32_t side = CLOTH_SIDE_MAX;
    while (side > 8 && side * side > particles / 4) {
        side /= 2;
    }
    const struct sim_capacity capacity = {
        particles + 5000,      6 * particles + 50000, 2 * particles + 20000, particles / 4 + 100, 16,
        64 * particles + 65536};
    struct plots plots = {.across = 4};
    while (plots.across * plots.across < particles / 40 + 16) {
        plots.across++;
    }
    struct sim_world *world = make(capacity, 0.6f * PLOT * (float)plots.across + 10.0f, 50.0f);
    uint32_t cloths = 0, ropes = 0, plants = 0, bodies = 0;
    while (cloths < particles / 20 * 14) {
        cloths += add_cloth(world, side, next_plot(&plots, 4.0f));
    }
    while (ropes < particles / 20 * 3) {
        ropes += add_rope(world, next_plot(&plots, 3.0f));
    }
    while (plants < particles / 20 * 2) {
        plants += add_plant(world, next_plot(&plots, 0.0f));
    }
    while (bodies < particles / 20) {
        bodies += add_bodies(world, next_plot(&plots, 0.4f));
    }
    return world;
}

struct sim_world *stage_cloth(uint32_t side) {
    const uint32_t count = side * side;
    const struct sim_capacity capacity = {count, 4 * count, 2 * count, 1, 4, 1};
    struct sim_world *world = make(capacity, 100.0f, 100.0f);
    struct fault fault;
    uint32_t id;
    struct sim_obstacle sphere = {.shape = SIM_OBSTACLE_SPHERE, .radius = 0.1f * 0.05f * (float)side, .friction = 0.5f};
    sphere.position = vec3_of(0.0f, 0.03f * (float)side, 0.01f * (float)side);
    must(sim_obstacle_add(world, &sphere, &id, &fault), &fault);
    (void)add_cloth(world, side, vec3_of(0.0f, 0.03f * (float)side, 0.0f));
    return world;
}
