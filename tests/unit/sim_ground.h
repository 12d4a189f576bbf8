// SPDX-License-Identifier: MIT
// Grounds of every kind and bodies of every shape, for tests of what lies, slides and bounces on them.
#ifndef WEFT_TESTS_SIM_GROUND_H
#define WEFT_TESTS_SIM_GROUND_H

#include "sim_fixture.h"

// Through the origin; inclined, they fall towards +x.
enum ground {
    GROUND_PLANE,
    GROUND_BOX,
    GROUND_MESH,
    GROUND_HEIGHTFIELD,
    GROUND_PINNED_BODY,
    GROUND_HEAVY_BODY, // lies on a box obstacle
    GROUND_BOUNDS,     // inclined by turning gravity
    GROUND_COUNT
};
static const char *const ground_name[GROUND_COUNT] = {"plane",       "box",        "mesh",  "height field",
                                                      "pinned body", "heavy body", "bounds"};

enum thing { THING_PARTICLE, THING_CUBE, THING_BOX, THING_HULL, THING_TETRAHEDRON, THING_FRAME, THING_COUNT };
static const char *const thing_name[THING_COUNT] = {"particle", "cube", "box", "hull", "tetrahedron", "frame"};

#define GROUND_SIDE 41u // samples of the height field
#define GROUND_SPACING 1.0f

static inline struct sim_world *ground_world(uint32_t substeps, uint32_t iterations) {
    struct sim_world *world = NULL;
    const struct sim_capacity capacity = {
        .particles = 100, .sticks = 200, .triangles = 200, .objects = 10, .obstacles = 4, .shape_words = 20000};
    assert_int_equal(sim_world_create(&capacity, TICK_HZ, &world), RESULT_OK);
    set_solver(world, substeps, iterations, 0.0f);
    return world;
}

static inline uint32_t ground_spawn(struct sim_world *world, const struct sim_body_desc *desc) {
    struct fault fault;
    uint32_t id = 0;
    MUST(sim_body_spawn(world, desc, &id, &fault));
    return id;
}

static inline struct vec3 ground_normal(double angle) {
    return (struct vec3){(float)sin(angle), (float)cos(angle), 0.0f};
}

static inline struct quat ground_rotation(double angle) {
    return (struct quat){0.0f, 0.0f, (float)-sin(angle / 2.0), (float)cos(angle / 2.0)};
}

static inline void ground_obstacle(struct sim_world *world, const struct sim_obstacle *obstacle) {
    struct fault fault;
    uint32_t id = 0;
    MUST(sim_obstacle_add(world, obstacle, &id, &fault));
}

// A block of `ground` bodies, 30 m long; the top of the obstacle under a heavy one is 1 m below its own.
static inline uint32_t ground_block(struct sim_world *world, enum ground ground, double angle, float mu) {
    struct fault fault;
    const struct vec3 n = ground_normal(angle);
    struct sim_body_desc desc = sim_body_desc_default();
    desc.shape = SIM_BODY_BOX;
    desc.extents = (struct vec3){30.0f, 1.0f, 10.0f};
    desc.position = (struct vec3){-0.5f * n.x, -0.5f * n.y, 0.0f};
    desc.rotation = ground_rotation(angle);
    desc.mass = 1e5f;
    desc.friction = mu;
    const uint32_t id = ground_spawn(world, &desc);
    if (ground == GROUND_PINNED_BODY) {
        const uint32_t all[4] = {0, 1, 2, 3};
        MUST(sim_particle_pin(world, id, all, 4, NULL, &fault));
        return id;
    }
    const struct sim_obstacle under = {.shape = SIM_OBSTACLE_BOX,
                                       .friction = 10.0f,
                                       .rotation = desc.rotation,
                                       .size = {80.0f, 1.0f, 80.0f},
                                       .position = {-1.5f * n.x, -1.5f * n.y, 0.0f}};
    ground_obstacle(world, &under);
    return id;
}

// The id of the body that is the ground, or 0.
static inline uint32_t ground_add(struct sim_world *world, enum ground ground, double angle, float mu) {
    static const float positions[27] = {-40, 0,  -40, 0, 0,   -40, 40, 0, -40, -40, 0,  0, 0, 0,
                                        0,   40, 0,   0, -40, 0,   40, 0, 0,   40,  40, 0, 40};
    static const uint32_t triangles[24] = {0, 3, 1, 1, 3, 4, 1, 4, 2, 2, 4, 5, 3, 6, 4, 4, 6, 7, 4, 7, 5, 5, 7, 8};
    static float heights[GROUND_SIDE * GROUND_SIDE];
    const struct vec3 n = ground_normal(angle);
    struct sim_obstacle obstacle = {.friction = mu, .rotation = ground_rotation(angle)};
    if (ground == GROUND_PLANE) {
        obstacle.shape = SIM_OBSTACLE_PLANE;
        obstacle.normal = n;
    } else if (ground == GROUND_BOX) {
        obstacle.shape = SIM_OBSTACLE_BOX;
        obstacle.size = (struct vec3){80.0f, 1.0f, 80.0f};
        obstacle.position = (struct vec3){-0.5f * n.x, -0.5f * n.y, 0.0f};
    } else if (ground == GROUND_MESH) {
        obstacle.shape = SIM_OBSTACLE_MESH;
        obstacle.positions = positions;
        obstacle.vertices = 9;
        obstacle.triangles = triangles;
        obstacle.triangle_count = 8;
    } else if (ground == GROUND_HEIGHTFIELD) {
        for (uint32_t i = 0; i < GROUND_SIDE * GROUND_SIDE; i++) {
            const double x = (double)GROUND_SPACING * ((double)(i % GROUND_SIDE) - 0.5 * (GROUND_SIDE - 1));
            heights[i] = (float)(-tan(angle) * x);
        }
        obstacle.shape = SIM_OBSTACLE_HEIGHTFIELD;
        obstacle.rotation = ground_rotation(0.0);
        obstacle.columns = GROUND_SIDE;
        obstacle.rows = GROUND_SIDE;
        obstacle.spacing = GROUND_SPACING;
        obstacle.heights = heights;
    } else if (ground == GROUND_BOUNDS) {
        struct fault fault;
        struct sim_parameters parameters = *sim_world_parameters(world);
        parameters.gravity = (struct vec3){(float)(9.81 * sin(angle)), (float)(-9.81 * cos(angle)), 0.0f};
        parameters.bounds_min = (struct vec3){-200.0f, 0.0f, -200.0f};
        parameters.bounds_max = (struct vec3){200.0f, 200.0f, 200.0f};
        parameters.friction = mu;
        MUST(sim_world_set_parameters(world, &parameters, &fault));
        return 0;
    } else {
        return ground_block(world, ground, angle, mu);
    }
    ground_obstacle(world, &obstacle);
    return 0;
}

// At `position`, which is its centre; of a box `extents` are the sides, of the others the size is their own.
static inline uint32_t thing_spawn(struct sim_world *world, enum thing thing, struct sim_body_desc desc) {
    static const float hull[27] = {-0.3f, 0,    -0.2f, 0.3f,  0,    -0.2f, -0.3f, 0,     0.2f,
                                   0.3f,  0,    0.2f,  -0.2f, 0.3f, -0.2f, 0.2f,  0.3f,  -0.2f,
                                   -0.2f, 0.3f, 0.2f,  0.2f,  0.3f, 0.2f,  0,     0.35f, 0};
    static const float corners[12] = {-0.2f, 0, -0.1154f, 0.2f, 0, -0.1154f, 0, 0, 0.2309f, 0, 0.3266f, 0};
    if (thing == THING_PARTICLE) {
        struct fault fault;
        uint32_t id = 0;
        struct sim_particles_desc particle = sim_particles_desc_default();
        particle.positions = &desc.position.x;
        particle.particles = 1;
        particle.friction = desc.friction;
        particle.restitution = desc.restitution;
        MUST(sim_particles_spawn(world, &particle, &id, &fault));
        return id;
    }
    desc.shape = thing == THING_HULL          ? SIM_BODY_HULL
                 : thing == THING_TETRAHEDRON ? SIM_BODY_TETRAHEDRON
                 : thing == THING_FRAME       ? SIM_BODY_FRAME
                                              : SIM_BODY_BOX;
    if (thing == THING_HULL) {
        desc.vertices = hull;
        desc.vertex_count = 9;
    } else if (thing == THING_TETRAHEDRON) {
        desc.vertices = corners;
        desc.vertex_count = 4;
    } else if (thing == THING_FRAME) {
        desc.size = 0.4f;
    } else if (thing == THING_CUBE) {
        desc.extents = (struct vec3){0.3f, 0.3f, 0.3f};
    }
    return ground_spawn(world, &desc);
}

// ---- what it does ------------------------------------------------------------------------------------------------

struct state {
    double mass, height, lowest; // kg; m, of the centre and of the lowest point
    double velocity[3];          // m/s, at the tick, not halfway through the last substep
    double energy;               // J, kinetic and potential
};

static inline struct state state_of(const struct sim_world *world, uint32_t id) {
    struct fault fault;
    struct sim_object_view view;
    MUST(sim_object_find(world, id, &view, &fault));
    const struct sim_particles_view p = sim_world_particles(world);
    const struct vec3 g = sim_world_parameters(world)->gravity;
    struct state state = {.lowest = 1e9};
    for (uint32_t i = view.first; i < view.first + view.particles; i++) {
        const double m = 1.0 / (double)sim_particle_own_inverse_mass(world, i);
        const double h = (double)p.substep;
        const double v[3] = {(double)p.dx[i] / h + 0.5 * h * (double)g.x, (double)p.dy[i] / h + 0.5 * h * (double)g.y,
                             (double)p.dz[i] / h + 0.5 * h * (double)g.z};
        state.mass += m;
        state.height += m * (double)p.y[i];
        state.energy += 0.5 * m * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        state.energy -=
            m * ((double)p.x[i] * (double)g.x + (double)p.y[i] * (double)g.y + (double)p.z[i] * (double)g.z);
        for (unsigned k = 0; k < 3; k++) {
            state.velocity[k] += m * v[k];
        }
        state.lowest = view.hull_vertices == 0 ? fmin(state.lowest, (double)p.y[i]) : state.lowest;
    }
    for (uint32_t i = 0; i < view.hull_vertices; i++) {
        double y = 0.0;
        for (uint32_t k = 0; k < 4; k++) {
            y += (double)view.hull_weights[4 * i + k] * (double)p.y[view.first + k];
        }
        state.lowest = fmin(state.lowest, y);
    }
    state.height /= state.mass;
    for (unsigned k = 0; k < 3; k++) {
        state.velocity[k] /= state.mass;
    }
    return state;
}

#endif
