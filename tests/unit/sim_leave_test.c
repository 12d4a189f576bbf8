// SPDX-License-Identifier: MIT
// What a command puts into an obstacle, or an obstacle around, comes out again, slowly, and costs no more then.
#include "sim_sleep.h"

enum kind { CLOTH, MESH, ROPE, PARTICLES, BOX, TETRAHEDRON, RAGDOLL, KINDS };
static const char *const kind_names[KINDS] = {"cloth", "a mesh",        "a rope",   "particles",
                                              "a box", "a tetrahedron", "a ragdoll"};
enum shape { IN_BOX, IN_SPHERE, IN_PLANE, IN_CAPSULE, IN_CUBE_MESH, IN_BALL_MESH, IN_FIELD, SHAPES };
static const char *const shape_names[SHAPES] = {
    "a box", "a sphere", "a plane", "a capsule", "a cube that is a mesh", "a ball that is a mesh", "a height field"};
#define MIDDLE 3.0f // m above the floor
#define RINGS 8u    // of the ball: between its poles
#define AROUND 12u  // vertices of a ring
#define BALL_VERTICES (RINGS * AROUND + 2)
#define BALL_TRIANGLES (2 * RINGS * AROUND)
#define SIDE 17u // of the height field, in samples

static uint32_t make(struct sim_world *world, enum kind kind) {
    static const float corners[] = {-0.3f, 0, -0.3f, 0.3f, 0, -0.3f, -0.3f, 0, 0.3f, 0.3f, 0, 0.3f};
    static const uint32_t triangles[] = {0, 1, 2, 1, 3, 2};
    const struct vec3 middle = {0, MIDDLE, 0};
    struct fault fault;
    uint32_t id = 0;
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    struct sim_mesh_desc mesh = sim_mesh_desc_default();
    struct sim_rope_desc rope = sim_rope_desc_default();
    struct sim_body_desc body = sim_body_desc_default();
    struct sim_ragdoll_desc ragdoll = sim_ragdoll_desc_default();
    cloth.columns = cloth.rows = 20;
    cloth.spacing = 0.05f;
    cloth.sheet.position = mesh.sheet.position = body.position = ragdoll.position = middle;
    cloth.sheet.pins.preset = mesh.sheet.pins.preset = rope.pins.preset = SIM_PIN_NONE;
    mesh.positions = corners;
    mesh.particles = 4;
    mesh.triangles = triangles;
    mesh.triangle_count = 2;
    rope.from = (struct vec3){-0.5f, MIDDLE, 0};
    rope.to = (struct vec3){0.5f, MIDDLE, 0};
    body.shape = kind == BOX ? SIM_BODY_BOX : SIM_BODY_TETRAHEDRON;
    body.extents = (struct vec3){0.4f, 0.3f, 0.5f};
    switch (kind) {
    case CLOTH:
        MUST(sim_cloth_spawn(world, &cloth, &id, &fault));
        return id;
    case MESH:
        MUST(sim_mesh_spawn(world, &mesh, &id, &fault));
        return id;
    case ROPE:
        MUST(sim_rope_spawn(world, &rope, &id, &fault));
        return id;
    case RAGDOLL:
        MUST(sim_ragdoll_spawn(world, &ragdoll, &id, &fault));
        return id;
    case BOX:
    case TETRAHEDRON:
        MUST(sim_body_spawn(world, &body, &id, &fault));
        return id;
    case PARTICLES:
    case KINDS:
    default:
        return spawn_particle(world, middle, (struct vec3){0, 0, 0}, 1.0f);
    }
}

// A cube of 2 m, wound outwards.
static const float cube_corners[] = {-1, -1, -1, 1, -1, -1, -1, 1, -1, 1, 1, -1,
                                     -1, -1, 1,  1, -1, 1,  -1, 1, 1,  1, 1, 1};
static const uint32_t cube_triangles[] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                          2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};

// A ball of 1.2 m, wound outwards.
static void make_ball(float *corners, uint32_t *triangles) {
    const double pi = 3.14159265358979;
    uint32_t n = 0;
    for (uint32_t ring = 0; ring < RINGS; ring++) {
        const double up = pi * (double)(ring + 1) / (double)(RINGS + 1);
        for (uint32_t k = 0; k < AROUND; k++) {
            const double turn = 2.0 * pi * (double)k / (double)AROUND;
            corners[3 * (ring * AROUND + k)] = (float)(1.2 * sin(up) * cos(turn));
            corners[3 * (ring * AROUND + k) + 1] = (float)(1.2 * cos(up));
            corners[3 * (ring * AROUND + k) + 2] = (float)(1.2 * sin(up) * sin(turn));
        }
    }
    const uint32_t top = RINGS * AROUND, bottom = top + 1;
    const float poles[6] = {0, 1.2f, 0, 0, -1.2f, 0};
    memcpy(corners + 3 * (size_t)top, poles, sizeof poles);
    for (uint32_t k = 0; k < AROUND; k++) {
        const uint32_t next = (k + 1) % AROUND, last = (RINGS - 1) * AROUND;
        const uint32_t caps[6] = {top, next, k, bottom, last + k, last + next};
        memcpy(triangles + n, caps, sizeof caps);
        n += 6;
        for (uint32_t ring = 0; ring + 1 < RINGS; ring++) {
            const uint32_t a = ring * AROUND + k, b = ring * AROUND + next, c = a + AROUND, d = b + AROUND;
            const uint32_t square[6] = {a, b, c, b, d, c};
            memcpy(triangles + n, square, sizeof square);
            n += 6;
        }
    }
}

static void enclose(struct sim_world *world, enum shape shape) {
    static const enum sim_obstacle_shape shapes[SHAPES] = {
        SIM_OBSTACLE_BOX,  SIM_OBSTACLE_SPHERE, SIM_OBSTACLE_PLANE,      SIM_OBSTACLE_CAPSULE,
        SIM_OBSTACLE_MESH, SIM_OBSTACLE_MESH,   SIM_OBSTACLE_HEIGHTFIELD};
    struct fault fault;
    uint32_t id = 0;
    float heights[SIDE * SIDE];
    float ball[3 * BALL_VERTICES];
    uint32_t ball_triangles[3 * BALL_TRIANGLES];
    make_ball(ball, ball_triangles);
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        heights[i] = 1.2f + 0.1f * sinf((float)(i % SIDE)) * cosf((float)(i / SIDE));
    }
    const bool cube = shape == IN_CUBE_MESH;
    const struct sim_obstacle obstacle = {.columns = SIDE,
                                          .rows = SIDE,
                                          .spacing = 0.5f,
                                          .heights = heights,
                                          .positions = cube ? cube_corners : ball,
                                          .vertices = cube ? 8 : BALL_VERTICES,
                                          .triangles = cube ? cube_triangles : ball_triangles,
                                          .triangle_count = cube ? 12 : BALL_TRIANGLES,
                                          .shape = shapes[shape],
                                          .position = {0.2f, shape == IN_PLANE ? MIDDLE + 1.2f : MIDDLE, 0.1f},
                                          .size = {2, 2, 2},
                                          .radius = 1.2f,
                                          .normal = {0, 1, 0},
                                          .from = {-1, MIDDLE, 0.1f},
                                          .to = {1, MIDDLE, 0.1f},
                                          .rotation = {0, 0, 0, 1},
                                          .friction = 0.5f};
    MUST(sim_obstacle_add(world, &obstacle, &id, &fault));
}

static bool is_inside(struct vec3 p, enum shape shape) {
    const double slack = 0.02;
    const double x = (double)p.x - 0.2, y = (double)(p.y - MIDDLE), z = (double)p.z - 0.1;
    switch (shape) {
    case IN_BOX:
    case IN_CUBE_MESH:
        return fabs(x) < 1.0 - slack && fabs(y) < 1.0 - slack && fabs(z) < 1.0 - slack;
    case IN_SPHERE:
        return sqrt(x * x + y * y + z * z) < 1.2 - slack;
    case IN_BALL_MESH: // its facets lie up to 0.08 m within the ball
        return sqrt(x * x + y * y + z * z) < 1.2 - 0.08 - slack;
    case IN_FIELD:
        return fabs(x) < 4.0 && fabs(z) < 4.0 && y < 1.1 - slack;
    case IN_CAPSULE:
        return fabs((double)p.x) < 1.0 && hypot(y, z) < 1.2 - slack;
    case IN_PLANE:
    case SHAPES:
    default:
        return y < 1.2 - slack;
    }
}

static unsigned count_inside(const struct sim_world *world, enum shape shape) {
    const struct sim_particles_view p = sim_world_particles(world);
    unsigned inside = 0;
    for (uint32_t i = 0; i < p.count; i++) {
        inside += is_inside((struct vec3){p.x[i], p.y[i], p.z[i]}, shape) ? 1 : 0;
    }
    return inside;
}

static void what_is_put_into_an_obstacle_comes_out_slowly(void **state) {
    (void)state;
    double longest = 0.0;
    double fastest = 0.0;
    for (unsigned i = 0; i < KINDS * SHAPES * 2; i++) {
        const enum kind kind = (enum kind)(i / 2 % KINDS);
        const enum shape shape = (enum shape)(i / 2 / KINDS);
        struct sim_world *world = new_world();
        struct sim_parameters parameters = *sim_world_parameters(world);
        struct fault fault;
        parameters.bounds_min.y = 0.0f;
        MUST(sim_world_set_parameters(world, &parameters, &fault));
        if (i % 2 == 0) {
            enclose(world, shape);
        }
        (void)make(world, kind);
        if (i % 2 == 1) {
            enclose(world, shape);
        }
        unsigned tick = 0;
        for (; tick < 180 && (tick == 0 || count_inside(world, shape) > 0); tick++) {
            sim_world_step(world);
            fastest = fmax(fastest, fastest_of(world));
        }
        if (count_inside(world, shape) > 0) {
            fail_msg("%s in %s: %u particles are still inside", kind_names[kind], shape_names[shape],
                     count_inside(world, shape));
        }
        if (fastest > 15.0) {
            fail_msg("%s in %s (%u): %g m/s", kind_names[kind], shape_names[shape], i % 2, fastest);
        }
        longest = fmax(longest, (double)tick / 60.0);
        sim_world_destroy(world);
    }
    print_message("put into obstacles: out after %.2f s, at most at %.1f m/s\n", longest, fastest);
    assert_true(fastest < 15.0);
}

// Contacts that nothing can satisfy cost a hundred times as much as a cloth that lies.
static void a_cloth_that_was_in_a_box_sleeps_on_it(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    enclose(world, IN_BOX);
    const uint32_t cloth = make(world, CLOTH);
    step(world, 300);
    assert_true(is_asleep(world, cloth));
    assert_true(position_of(world, cloth, 0).y > MIDDLE + 0.99f);
    sim_world_destroy(world);
}

static void a_plant_rooted_in_an_obstacle_stands_still(void **state) {
    (void)state;
    for (unsigned shape = 0; shape < IN_CUBE_MESH; shape++) {
        struct fault fault;
        uint32_t id = 0;
        struct sim_world *world = new_world();
        enclose(world, (enum shape)shape);
        struct sim_plant_desc plant = sim_plant_desc_default();
        plant.position = (struct vec3){0, MIDDLE - 0.4f, 0};
        plant.height = 0.8f;
        MUST(sim_plant_spawn(world, &plant, &id, &fault));
        for (unsigned tick = 0; tick < 120; tick++) {
            sim_world_step(world);
            assert_true(fastest_of(world) < 1.0);
        }
        assert_int_equal(world->contacts, 0);
        sim_world_destroy(world);
    }
}

static double lowest_of(const struct sim_world *world) {
    const struct sim_particles_view p = sim_world_particles(world);
    double lowest = (double)INFINITY;
    for (uint32_t i = 0; i < p.count; i++) {
        lowest = fmin(lowest, (double)p.y[i]);
    }
    return lowest;
}

static struct sim_world *world_with_ground(enum sim_obstacle_shape shape, uint32_t substeps, uint32_t iterations) {
    struct fault fault;
    uint32_t id = 0;
    struct sim_world *world = new_world();
    const struct sim_obstacle ground = {.shape = shape,
                                        .position = {0, shape == SIM_OBSTACLE_PLANE ? 0.0f : -0.5f, 0},
                                        .normal = {0, 1, 0},
                                        .size = {20, 1, 20},
                                        .rotation = {0, 0, 0, 1},
                                        .friction = 0.5f};
    set_solver(world, substeps, iterations, 0.0f);
    MUST(sim_obstacle_add(world, &ground, &id, &fault));
    return world;
}

// Ragdolls and tetrahedra, while gravity is a thousand times the usual and when it is usual again.
static void solids_pressed_into_the_ground_come_back_out(void **state) {
    (void)state;
    static const uint32_t settings[][2] = {{4, 4}, {8, 1}, {16, 8}};
    double pressed = (double)INFINITY;
    double after = (double)INFINITY;
    for (unsigned run = 0; run < 12; run++) {
        struct fault fault;
        uint32_t id = 0;
        const uint32_t *setting = settings[run % 3];
        struct sim_world *world =
            world_with_ground(run / 3 % 2 == 0 ? SIM_OBSTACLE_PLANE : SIM_OBSTACLE_BOX, setting[0], setting[1]);
        struct sim_ragdoll_desc ragdoll = sim_ragdoll_desc_default();
        struct sim_body_desc body = sim_body_desc_default();
        ragdoll.position = body.position = (struct vec3){0, 1.2f, 0};
        if (run < 6) {
            MUST(sim_ragdoll_spawn(world, &ragdoll, &id, &fault));
        } else {
            MUST(sim_body_spawn(world, &body, &id, &fault));
        }
        step(world, 90);
        set_gravity(world, 0, -1e4f, 0);
        step(world, 60);
        for (unsigned tick = 0; tick < 60; tick++) {
            sim_world_step(world);
            pressed = fmin(pressed, lowest_of(world));
        }
        set_gravity(world, 0, -9.81f, 0);
        step(world, 60);
        after = fmin(after, lowest_of(world));
        sim_world_destroy(world);
    }
    print_message("pressed into the ground by 1e4 m/s2: at most %.1f mm deep after a second, and %.1f mm afterwards\n",
                  fmax(-1e3 * pressed, 0.0), fmax(-1e3 * after, 0.0));
    assert_true(pressed > -0.01);
    assert_true(after > -0.01);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_put_into_an_obstacle_comes_out_slowly),
        cmocka_unit_test(a_cloth_that_was_in_a_box_sleeps_on_it),
        cmocka_unit_test(solids_pressed_into_the_ground_come_back_out),
        cmocka_unit_test(a_plant_rooted_in_an_obstacle_stands_still),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
