// SPDX-License-Identifier: MIT
// Walls 1 cm thin of every kind hit by things of every kind at 100 m/s in any attitude (server/sim/PHYSICS.md 4):
// nothing passes. And stacks on every kind of ground: they stand, and sleep.
#include "sim_ground.h"

enum wall { WALL_BOX, WALL_CLOSED_MESH, WALL_SHEET, WALL_RIDGE, WALL_PINNED_BODY, WALL_FREE_BODY, WALL_COUNT };
static const char *const wall_name[WALL_COUNT] = {"box",         "closed mesh", "open mesh", "ridge of a height field",
                                                  "pinned body", "free body"};

enum shot {
    SHOT_PARTICLE,
    SHOT_STICK,
    SHOT_ROPE,
    SHOT_TRIANGLE,
    SHOT_CLOTH,
    SHOT_TETRAHEDRON,
    SHOT_BOX,
    SHOT_HULL,
    SHOT_FRAME,
    SHOT_RAGDOLL,
    SHOT_COUNT
};
static const char *const shot_name[SHOT_COUNT] = {"particle",    "stick", "rope", "triangle", "cloth",
                                                  "tetrahedron", "box",   "hull", "frame",    "figure"};

#define ROPE_PARTICLES 12u
#define CLOTH_SIDE 6u

#define RIDGE_COLUMNS 5u
#define RIDGE_ROWS 401u

// Across x = 0, 4 m wide and high.
static void add_wall(struct sim_world *world, enum wall wall) {
    static const float block[24] = {-0.005f, -2, -2, 0.005f, -2, -2, -0.005f, 2, -2, 0.005f, 2, -2,
                                    -0.005f, -2, 2,  0.005f, -2, 2,  -0.005f, 2, 2,  0.005f, 2, 2};
    static const uint32_t sides[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                       2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    static const float sheet[12] = {0, -2, -2, 0, 2, -2, 0, 2, 2, 0, -2, 2};
    static const uint32_t halves[6] = {0, 1, 2, 0, 2, 3};
    static float heights[RIDGE_COLUMNS * RIDGE_ROWS];
    struct sim_obstacle obstacle = {.friction = 0.3f, .rotation = {0.0f, 0.0f, 0.0f, 1.0f}};
    if (wall >= WALL_PINNED_BODY) {
        struct fault fault;
        const uint32_t all[4] = {0, 1, 2, 3};
        struct sim_body_desc plate = sim_body_desc_default();
        plate.shape = SIM_BODY_BOX;
        plate.extents = (struct vec3){0.01f, 4.0f, 4.0f};
        plate.mass = 1000.0f;
        const uint32_t id = ground_spawn(world, &plate);
        if (wall == WALL_PINNED_BODY) {
            MUST(sim_particle_pin(world, id, all, 4, NULL, &fault));
        }
        return;
    }
    obstacle.shape = wall == WALL_BOX     ? SIM_OBSTACLE_BOX
                     : wall == WALL_RIDGE ? SIM_OBSTACLE_HEIGHTFIELD
                                          : SIM_OBSTACLE_MESH;
    obstacle.size = (struct vec3){0.01f, 4.0f, 4.0f};
    obstacle.positions = wall == WALL_SHEET ? sheet : block;
    obstacle.vertices = wall == WALL_SHEET ? 4 : 8;
    obstacle.triangles = wall == WALL_SHEET ? halves : sides;
    obstacle.triangle_count = wall == WALL_SHEET ? 2 : 12;
    if (wall == WALL_RIDGE) {
        for (uint32_t i = 0; i < RIDGE_COLUMNS * RIDGE_ROWS; i++) {
            heights[i] = i % RIDGE_COLUMNS == 2 ? 4.0f : 0.0f;
        }
        obstacle.position.y = -2.0f;
        obstacle.columns = RIDGE_COLUMNS;
        obstacle.rows = RIDGE_ROWS;
        obstacle.spacing = 0.01f;
        obstacle.heights = heights;
    }
    ground_obstacle(world, &obstacle);
}

struct flight {
    struct vec3 position, velocity;
    struct quat rotation;
};

static struct flight random_flight(uint64_t *seed) {
    const struct vec3 axis = random_point(seed, 1.0f);
    const float w = random_between(seed, -1.0f, 1.0f);
    const float length = sqrtf(axis.x * axis.x + axis.y * axis.y + axis.z * axis.z + w * w);
    return (struct flight){
        .position = {-1.0f - random_between(seed, 0.0f, 1.7f), 0.0f, 0.0f},
        .velocity = {100.0f, random_between(seed, -20.0f, 20.0f), random_between(seed, -20.0f, 20.0f)},
        .rotation = {axis.x / length, axis.y / length, axis.z / length, w / length},
    };
}

static uint32_t spawn_strand(struct sim_world *world, uint32_t particles, const struct flight *flight, uint64_t *seed) {
    struct fault fault;
    uint32_t id = 0;
    const struct vec3 way = random_point(seed, 0.3f);
    struct sim_rope_desc desc = sim_rope_desc_default();
    desc.from = flight->position;
    desc.to = (struct vec3){desc.from.x - fabsf(way.x), desc.from.y + way.y, desc.from.z + way.z + 0.05f};
    desc.particles = particles;
    desc.thickness = 0.01f;
    desc.pins.preset = SIM_PIN_NONE;
    MUST(sim_rope_spawn(world, &desc, &id, &fault));
    return id;
}

static uint32_t spawn_sheet(struct sim_world *world, enum shot shot, const struct flight *flight) {
    static const float corners[9] = {0, 0, 0, 0.2f, 0, 0, 0, 0.2f, 0.05f};
    static const uint32_t triangle[3] = {0, 1, 2};
    struct fault fault;
    uint32_t id = 0;
    if (shot == SHOT_CLOTH) {
        struct sim_cloth_desc desc = sim_cloth_desc_default();
        desc.columns = desc.rows = CLOTH_SIDE;
        desc.spacing = 0.06f;
        desc.sheet.position = flight->position;
        desc.sheet.rotation = flight->rotation;
        desc.sheet.pins.preset = SIM_PIN_NONE;
        MUST(sim_cloth_spawn(world, &desc, &id, &fault));
        return id;
    }
    struct sim_mesh_desc desc = sim_mesh_desc_default();
    desc.positions = corners;
    desc.particles = 3;
    desc.triangles = triangle;
    desc.triangle_count = 1;
    desc.sheet.position = flight->position;
    desc.sheet.rotation = flight->rotation;
    desc.sheet.pins.preset = SIM_PIN_NONE;
    MUST(sim_mesh_spawn(world, &desc, &id, &fault));
    return id;
}

// Every particle by v·h, which makes v its speed.
static void throw(struct sim_world * world, uint32_t id, struct vec3 v) {
    struct fault fault;
    struct sim_object_view view;
    MUST(sim_object_find(world, id, &view, &fault));
    for (uint32_t i = 0; i < view.particles; i++) {
        const float h = sim_world_particles(world).substep;
        const struct vec3 x = position_of(world, id, i);
        const struct vec3 to = {x.x + v.x * h, x.y + v.y * h, x.z + v.z * h};
        MUST(sim_particle_move(world, id, i, to, SIM_MOVE_PUSH, &fault));
    }
}

static uint32_t spawn_body(struct sim_world *world, enum shot shot, const struct flight *flight, uint64_t *seed) {
    static const struct vec3 sides[3] = {{0.2f, 0.1f, 0.3f}, {0.03f, 0.02f, 0.03f}, {0.3f, 0.01f, 0.2f}};
    static const enum thing thing[SHOT_COUNT] = {[SHOT_TETRAHEDRON] = THING_TETRAHEDRON,
                                                 [SHOT_BOX] = THING_BOX,
                                                 [SHOT_HULL] = THING_HULL,
                                                 [SHOT_FRAME] = THING_FRAME};
    struct sim_body_desc desc = sim_body_desc_default();
    desc.extents = sides[random_below(seed, 3)];
    desc.position = flight->position;
    desc.rotation = flight->rotation;
    desc.velocity = flight->velocity;
    desc.angular_velocity = random_point(seed, 10.0f);
    return thing_spawn(world, thing[shot], desc);
}

static uint32_t spawn_shot(struct sim_world *world, enum shot shot, uint64_t *seed) {
    struct flight flight = random_flight(seed);
    struct fault fault;
    uint32_t id = 0;
    if (shot == SHOT_PARTICLE) {
        return spawn_particle(world, flight.position, flight.velocity, 1.0f);
    }
    if (shot == SHOT_RAGDOLL) {
        struct sim_ragdoll_desc desc = sim_ragdoll_desc_default();
        desc.position = flight.position;
        desc.position.x -= 0.2f;
        desc.rotation = flight.rotation;
        desc.velocity = flight.velocity;
        MUST(sim_ragdoll_spawn(world, &desc, &id, &fault));
        return id;
    }
    if (shot >= SHOT_TETRAHEDRON) {
        return spawn_body(world, shot, &flight, seed);
    }
    const float h = sim_world_particles(world).substep;
    flight.position.x -= flight.velocity.x * h; // the throw itself moves it, and is no flight
    id = shot <= SHOT_ROPE ? spawn_strand(world, shot == SHOT_STICK ? 2 : ROPE_PARTICLES, &flight, seed)
                           : spawn_sheet(world, shot, &flight);
    throw(world, id, flight.velocity);
    return id;
}

// The middle of the wall and the way through it; a free one gives way, turns, and is bent a little by the blow.
struct place {
    double middle[3], normal[3];
};

static void hull_vertex(const struct sim_world *world, const struct sim_object_view *view, uint32_t vertex,
                        double at[3]) {
    const struct sim_particles_view p = sim_world_particles(world);
    at[0] = at[1] = at[2] = 0.0;
    for (uint32_t k = 0; k < 4; k++) {
        const double weight = (double)view->hull_weights[4 * vertex + k];
        at[0] += weight * (double)p.x[view->first + k];
        at[1] += weight * (double)p.y[view->first + k];
        at[2] += weight * (double)p.z[view->first + k];
    }
}

// The normal of the largest triangle that faces away from where the shots come from.
static struct place place_of(const struct sim_world *world, enum wall wall) {
    struct place place = {.normal = {1.0, 0.0, 0.0}};
    if (wall != WALL_FREE_BODY) {
        return place;
    }
    const struct sim_object_view view = sim_world_object_at(world, 0);
    double largest = 0.0;
    for (uint32_t i = 0; i < view.hull_triangle_count; i++) {
        double c[3][3], n[3];
        for (unsigned k = 0; k < 3; k++) {
            hull_vertex(world, &view, view.hull_triangles[3 * i + k], c[k]);
        }
        for (unsigned k = 0; k < 3; k++) {
            const unsigned y = (k + 1) % 3;
            const unsigned z = (k + 2) % 3;
            n[k] = (c[1][y] - c[0][y]) * (c[2][z] - c[0][z]) - (c[1][z] - c[0][z]) * (c[2][y] - c[0][y]);
        }
        const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (unsigned k = 0; k < 3 && n[0] > 0.0 && length > largest; k++) {
            place.normal[k] = n[k] / length;
        }
        largest = n[0] > 0.0 && length > largest ? length : largest;
    }
    for (uint32_t i = 0; i < view.hull_vertices; i++) {
        double at[3];
        hull_vertex(world, &view, i, at);
        for (unsigned k = 0; k < 3; k++) {
            place.middle[k] += at[k] / (double)view.hull_vertices;
        }
    }
    return place;
}

// Behind the wall, not beside it.
static bool is_behind(const struct place *place, struct vec3 p, double most) {
    const double way[3] = {(double)p.x - place->middle[0], (double)p.y - place->middle[1],
                           (double)p.z - place->middle[2]};
    const double height = way[0] * place->normal[0] + way[1] * place->normal[1] + way[2] * place->normal[2];
    const double squared = way[0] * way[0] + way[1] * way[1] + way[2] * way[2] - height * height;
    return height > most && squared < 1.7 * 1.7;
}

// Any of its particles, by more than the wall is thick; of an embedded shape the centre, for its particles may lie in
// what is thinner than the wall.
static bool has_passed(const struct sim_world *world, enum wall wall, uint32_t id) {
    struct fault fault;
    struct sim_object_view view;
    MUST(sim_object_find(world, id, &view, &fault));
    const struct place place = place_of(world, wall);
    struct vec3 middle = {0.0f, 0.0f, 0.0f};
    bool passed = false;
    for (uint32_t k = 0; k < view.particles; k++) {
        const struct vec3 p = position_of(world, id, k);
        const float share = 1.0f / (float)view.particles;
        middle = (struct vec3){middle.x + share * p.x, middle.y + share * p.y, middle.z + share * p.z};
        passed = passed || is_behind(&place, p, 0.015);
    }
    return view.hull_vertices > 0 ? is_behind(&place, middle, 0.005) : passed;
}

static bool passes(enum wall wall, enum shot shot, uint32_t substeps, uint64_t *seed) {
    struct sim_world *world = ground_world(substeps, 4);
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    add_wall(world, wall);
    const uint32_t id = spawn_shot(world, shot, seed);
    bool passed = false;
    for (unsigned tick = 0; tick < 10 && !passed; tick++) {
        step(world, 1);
        passed = has_passed(world, wall, id);
    }
    sim_world_destroy(world);
    return passed;
}

static void nothing_passes_a_thin_wall_of_any_kind(void **state) {
    (void)state;
    static const uint32_t all_substeps[3] = {1, 4, 8};
    uint64_t seed = new_seed("nothing_passes_a_thin_wall_of_any_kind");
    unsigned passed = 0;
    unsigned fired = 0;
    for (enum wall wall = 0; wall < WALL_COUNT; wall++) {
        for (enum shot shot = 0; shot < SHOT_COUNT; shot++) {
            unsigned count[3] = {0, 0, 0};
            const unsigned rounds = shot == SHOT_BOX || shot == SHOT_RAGDOLL ? 9 : 6;
            for (unsigned round = 0; round < 3 * rounds; round++) {
                count[round % 3] += passes(wall, shot, all_substeps[round % 3], &seed) ? 1 : 0;
            }
            print_message("%s against a 1 cm %s at 100 m/s: %u, %u and %u of %u passed with 1, 4 and 8 substeps\n",
                          shot_name[shot], wall_name[wall], count[0], count[1], count[2], rounds);
            passed += count[0] + count[1] + count[2];
            fired += 3 * rounds;
        }
    }
    print_message("walls of 1 cm at 100 m/s: %u of %u passed\n", passed, fired);
    assert_int_equal(passed, 0);
}

// ---- stacks ------------------------------------------------------------------------------------------------------

struct stack {
    const char *name;
    enum ground ground;
    enum thing thing;
    float side, shift; // m
    uint32_t substeps, iterations;
};

static void check_stack(const struct stack *stack) {
    struct sim_world *world = ground_world(stack->substeps, stack->iterations);
    set_solver(world, stack->substeps, stack->iterations, 0.02f);
    (void)ground_add(world, stack->ground, 0.0, 0.5f);
    double place[2] = {0.0, 0.0};
    double worst = 0.0;
    unsigned slept = 0;
    uint32_t top = 0;
    for (unsigned i = 0; i < 5; i++) {
        struct sim_body_desc desc = sim_body_desc_default();
        desc.friction = 0.5f;
        desc.extents = (struct vec3){stack->side, stack->side, stack->side};
        desc.position = (struct vec3){i % 2 == 0 ? 0.0f : stack->shift, stack->side * (0.5f + (float)i), 0.0f};
        top = thing_spawn(world, stack->thing, desc);
    }
    place[0] = (double)position_of(world, top, 0).x;
    place[1] = (double)position_of(world, top, 0).y;
    for (unsigned tick = 1; tick <= 1200; tick++) {
        step(world, 1);
        const struct vec3 now = position_of(world, top, 0);
        worst = fmax(worst, fmax(fabs((double)now.x - place[0]), fabs((double)now.y - place[1])));
        slept = slept == 0 && sim_world_object_at(world, sim_world_object_count(world) - 1).asleep ? tick : slept;
    }
    for (uint32_t i = 0; i < sim_world_object_count(world); i++) {
        assert_true(sim_world_object_at(world, i).asleep);
    }
    print_message("five boxes %s: within %.1f mm over 20 s, asleep after %.1f s\n", stack->name, 1e3 * worst,
                  slept / 60.0);
    assert_true(worst < 0.05);
    assert_true(slept > 0 && slept <= 600);
    sim_world_destroy(world);
}

static void stacks_stand_and_sleep_whatever_they_are_and_stand_on(void **state) {
    (void)state;
    static const struct stack stacks[] = {
        {"of 0.3 m", GROUND_PLANE, THING_BOX, 0.3f, 0.0f, 4, 16},
        {"of 1 m", GROUND_PLANE, THING_BOX, 1.0f, 0.0f, 4, 16},
        {"with 8 x 8", GROUND_BOUNDS, THING_BOX, 0.5f, 0.0f, 8, 8},
        {"2 cm out of line", GROUND_PLANE, THING_BOX, 0.5f, 0.02f, 4, 16},
        {"on a box", GROUND_BOX, THING_BOX, 0.5f, 0.0f, 4, 16},
        {"on a mesh", GROUND_MESH, THING_BOX, 0.5f, 0.0f, 4, 16},
        {"on a height field", GROUND_HEIGHTFIELD, THING_BOX, 0.5f, 0.0f, 4, 16},
    };
    for (unsigned i = 0; i < sizeof stacks / sizeof stacks[0]; i++) {
        check_stack(&stacks[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_passes_a_thin_wall_of_any_kind),
        cmocka_unit_test(stacks_stand_and_sleep_whatever_they_are_and_stand_on),
    };
    return cmocka_run_group_tests_name("wall", tests, NULL, NULL);
}
