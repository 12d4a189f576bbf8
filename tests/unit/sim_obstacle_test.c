// SPDX-License-Identifier: MIT
// Obstacles of every shape against every feature: what rests on a bump rests on it, what is fast does not pass through,
// what is degenerate is refused. Penetration is measured against the shapes' own equations.
#include <string.h>

#include "sim_fixture.h"

static const struct vec3 still = {0.0f, 0.0f, 0.0f};
static const struct quat upright = {0.0f, 0.0f, 0.0f, 1.0f};

static uint32_t add_obstacle(struct sim_world *world, struct sim_obstacle obstacle) {
    struct fault fault;
    uint32_t id = 0;
    MUST(sim_obstacle_add(world, &obstacle, &id, &fault));
    return id;
}

// ---- bumps: a spike, a ball and a hill with their top at (0, 1, 0) -------------------------------------------------

static const float spike_positions[15] = {-0.5f, 0.0f,  -0.5f, 0.5f, 0.0f, -0.5f, 0.5f, 0.0f,
                                          0.5f,  -0.5f, 0.0f,  0.5f, 0.0f, 1.0f,  0.0f};
static const uint32_t spike_triangles[18] = {0, 4, 1, 1, 4, 2, 2, 4, 3, 3, 4, 0, 0, 1, 2, 0, 2, 3};

enum bump { BUMP_MESH, BUMP_SPHERE, BUMP_HEIGHTFIELD, BUMP_CAPSULE, BUMP_BOX, BUMP_COUNT };
static const char *const bump_name[BUMP_COUNT] = {"mesh spike", "sphere", "height field", "capsule", "box edge"};

#define FIELD_SIDE 21u
static float field_height(uint32_t column, uint32_t row) {
    const float x = (float)column - 10.0f;
    const float z = (float)row - 10.0f;
    const float r = 0.1f * sqrtf(x * x + z * z);
    return r < 0.5f ? 1.0f - 1.8f * r : 0.1f;
}

static void add_bump(struct sim_world *world, enum bump bump, float friction) {
    static float heights[FIELD_SIDE * FIELD_SIDE];
    struct sim_obstacle obstacle = {.friction = friction, .rotation = upright};
    if (bump == BUMP_MESH) {
        obstacle.shape = SIM_OBSTACLE_MESH;
        obstacle.positions = spike_positions;
        obstacle.vertices = 5;
        obstacle.triangles = spike_triangles;
        obstacle.triangle_count = 6;
    } else if (bump == BUMP_SPHERE) {
        obstacle.shape = SIM_OBSTACLE_SPHERE;
        obstacle.position = (struct vec3){0.0f, 0.7f, 0.0f};
        obstacle.radius = 0.3f;
    } else if (bump == BUMP_HEIGHTFIELD) {
        for (uint32_t i = 0; i < FIELD_SIDE * FIELD_SIDE; i++) {
            heights[i] = field_height(i % FIELD_SIDE, i / FIELD_SIDE);
        }
        obstacle.shape = SIM_OBSTACLE_HEIGHTFIELD;
        obstacle.columns = FIELD_SIDE;
        obstacle.rows = FIELD_SIDE;
        obstacle.spacing = 0.1f;
        obstacle.heights = heights;
    } else if (bump == BUMP_CAPSULE) {
        obstacle.shape = SIM_OBSTACLE_CAPSULE;
        obstacle.from = (struct vec3){0.0f, 0.0f, 0.0f};
        obstacle.to = (struct vec3){0.0f, 0.8f, 0.0f};
        obstacle.radius = 0.2f;
    } else { // a cube on one of its edges
        obstacle.shape = SIM_OBSTACLE_BOX;
        obstacle.size = (struct vec3){1.0f, 1.0f, 1.0f};
        obstacle.position = (struct vec3){0.0f, 1.0f - 0.70710678f, 0.0f};
        obstacle.rotation = (struct quat){0.0f, 0.0f, 0.38268343f, 0.92387953f};
    }
    (void)add_obstacle(world, obstacle);
}

// How far the top of a bump may lie under what rests on it: contact within 1 mm of it, less the gap that is kept.
static void check_rests(double height, const char *what, enum bump bump) {
    print_message("%s on a %s: %.3f mm above its top\n", what, bump_name[bump], 1000.0 * height);
    assert_true(height > -1e-3);
    assert_true(height < 2e-3);
}

static uint32_t spawn_stick(struct sim_world *world, struct vec3 a, struct vec3 b, struct vec3 velocity,
                            float friction) {
    struct fault fault;
    uint32_t id = 0;
    uint32_t stick = 0;
    const float positions[6] = {a.x, a.y, a.z, b.x, b.y, b.z};
    const float velocities[6] = {velocity.x, velocity.y, velocity.z, velocity.x, velocity.y, velocity.z};
    struct sim_particles_desc desc = sim_particles_desc_default();
    desc.positions = positions;
    desc.velocities = velocities;
    desc.particles = 2;
    desc.radius = 0.0f;
    desc.friction = friction;
    MUST(sim_particles_spawn(world, &desc, &id, &fault));
    MUST(sim_stick_add(world, (struct sim_stick_end){id, 0}, (struct sim_stick_end){id, 1}, -1.0f, SIM_STICK_EQUAL,
                       0.0f, &stick, &fault));
    return id;
}

static void a_stick_dropped_on_a_bump_rests_on_it_between_its_ends(void **state) {
    (void)state;
    for (enum bump bump = 0; bump < BUMP_COUNT; bump++) {
        struct sim_world *world = new_world();
        set_solver(world, 8, 4, 0.05f);
        add_bump(world, bump, 1.0f);
        const uint32_t stick =
            spawn_stick(world, (struct vec3){-0.8f, 1.1f, 0.0f}, (struct vec3){0.8f, 1.1f, 0.0f}, still, 1.0f);
        double lowest = 1e9;
        for (unsigned tick = 0; tick < 180; tick++) {
            sim_world_step(world);
            const struct vec3 a = position_of(world, stick, 0);
            const struct vec3 b = position_of(world, stick, 1);
            const double t = (double)a.x / ((double)a.x - (double)b.x);
            const double height = (double)a.y + t * ((double)b.y - (double)a.y) - 1.0;
            lowest = height < lowest ? height : lowest;
        }
        check_rests(lowest, "stick", bump);
        sim_world_destroy(world);
    }
}

// A tetrahedron whose lower face is level, its middle over the bump.
static uint32_t spawn_tetrahedron(struct sim_world *world, struct vec3 position, struct vec3 velocity, float size) {
    struct fault fault;
    uint32_t id = 0;
    struct sim_body_desc desc = sim_body_desc_default();
    const float h = 0.81649658f * size;
    const float vertices[12] = {-0.5f * size,        -0.25f * h, -0.28867513f * size, 0.5f * size,        -0.25f * h,
                                -0.28867513f * size, 0.0f,       -0.25f * h,          0.57735027f * size, 0.0f,
                                0.75f * h,           0.0f};
    desc.vertices = vertices;
    desc.vertex_count = 4;
    desc.position = position;
    desc.velocity = velocity;
    desc.friction = 1.0f;
    MUST(sim_body_spawn(world, &desc, &id, &fault));
    return id;
}

// Height of the plane of particles 0, 1, 2 over the axis of y.
static double face_height(const struct sim_world *world, uint32_t body) {
    const struct vec3 a = position_of(world, body, 0), b = position_of(world, body, 1), c = position_of(world, body, 2);
    const double ux = (double)b.x - (double)a.x, uy = (double)b.y - (double)a.y, uz = (double)b.z - (double)a.z;
    const double vx = (double)c.x - (double)a.x, vy = (double)c.y - (double)a.y, vz = (double)c.z - (double)a.z;
    const double nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
    return (double)a.y + ((double)a.x * nx + (double)a.z * nz) / ny;
}

static void a_tetrahedron_dropped_on_a_bump_rests_on_its_face(void **state) {
    (void)state;
    for (enum bump bump = 0; bump < BUMP_COUNT; bump++) {
        struct sim_world *world = new_world();
        set_solver(world, 8, 4, 0.05f);
        add_bump(world, bump, 1.0f);
        const uint32_t body = spawn_tetrahedron(world, (struct vec3){0.0f, 1.3f, 0.0f}, still, 0.6f);
        double lowest = 1e9;
        for (unsigned tick = 0; tick < 60; tick++) {
            sim_world_step(world);
            const double height = face_height(world, body) - 1.0;
            lowest = height < lowest ? height : lowest;
        }
        check_rests(lowest, "tetrahedron", bump);
        sim_world_destroy(world);
    }
}

// ---- fast things and a wall 1 cm thick -----------------------------------------------------------------------------

enum wall { WALL_BOX, WALL_MESH, WALL_COUNT };
enum thing { THING_PARTICLE, THING_STICK, THING_TRIANGLE, THING_TETRAHEDRON, THING_BOX, THING_COUNT };
static const char *const wall_name[WALL_COUNT] = {"box", "mesh"};
static const char *const thing_name[THING_COUNT] = {"particle", "stick", "triangle", "tetrahedron", "embedded box"};

// Upright at x = 0, square to x, 200 m wide: the box 1 cm thick, the mesh a sheet of two triangles.
static void add_wall(struct sim_world *world, enum wall wall) {
    static const float positions[12] = {0, -100, -100, 0, 100, -100, 0, 100, 100, 0, -100, 100};
    static const uint32_t triangles[6] = {0, 1, 2, 0, 2, 3};
    struct sim_obstacle obstacle = {.friction = 0.3f, .rotation = upright};
    if (wall == WALL_BOX) {
        obstacle.shape = SIM_OBSTACLE_BOX;
        obstacle.size = (struct vec3){0.01f, 200.0f, 200.0f};
    } else {
        obstacle.shape = SIM_OBSTACLE_MESH;
        obstacle.positions = positions;
        obstacle.vertices = 4;
        obstacle.triangles = triangles;
        obstacle.triangle_count = 2;
    }
    (void)add_obstacle(world, obstacle);
}

static uint32_t spawn_triangle(struct sim_world *world, struct vec3 position, struct vec3 velocity, uint64_t *seed) {
    struct fault fault;
    uint32_t id = 0;
    static const uint32_t corners[3] = {0, 1, 2};
    float positions[9];
    for (unsigned i = 0; i < 9; i++) {
        positions[i] = random_between(seed, -0.3f, 0.3f);
    }
    struct sim_mesh_desc desc = sim_mesh_desc_default();
    desc.positions = positions;
    desc.particles = 3;
    desc.triangles = corners;
    desc.triangle_count = 1;
    desc.sheet.position = position;
    desc.sheet.pins.preset = SIM_PIN_NONE;
    MUST(sim_mesh_spawn(world, &desc, &id, &fault));
    for (uint32_t i = 0; i < 3; i++) { // thrown by a push: x += Δ, d += Δ
        const struct vec3 p = position_of(world, id, i);
        const struct vec3 to = {p.x + velocity.x / TICK_HZ, p.y + velocity.y / TICK_HZ, p.z + velocity.z / TICK_HZ};
        MUST(sim_particle_move(world, id, i, to, SIM_MOVE_PUSH, &fault));
    }
    return id;
}

static uint32_t spawn_box(struct sim_world *world, struct vec3 position, struct vec3 velocity, uint64_t *seed) {
    struct fault fault;
    uint32_t id = 0;
    struct sim_body_desc desc = sim_body_desc_default();
    desc.shape = SIM_BODY_BOX;
    desc.extents = (struct vec3){random_between(seed, 0.1f, 0.5f), random_between(seed, 0.1f, 0.5f), 0.3f};
    desc.position = position;
    desc.velocity = velocity;
    desc.rotation = (struct quat){random_between(seed, -1.0f, 1.0f), random_between(seed, -1.0f, 1.0f),
                                  random_between(seed, -1.0f, 1.0f), 0.5f};
    MUST(sim_body_spawn(world, &desc, &id, &fault));
    return id;
}

static uint32_t throw_thing(struct sim_world *world, enum thing thing, struct vec3 from, struct vec3 velocity,
                            uint64_t *seed) {
    const struct vec3 other = random_point(seed, 0.3f);
    const struct vec3 end = {from.x + other.x, from.y + other.y, from.z + other.z + 0.05f};
    switch (thing) {
    case THING_PARTICLE:
        return spawn_particle(world, from, velocity, 1.0f);
    case THING_STICK:
        return spawn_stick(world, from, end, velocity, 0.3f);
    case THING_TRIANGLE:
        return spawn_triangle(world, from, velocity, seed);
    case THING_TETRAHEDRON:
        return spawn_tetrahedron(world, from, velocity, random_between(seed, 0.1f, 0.5f));
    case THING_BOX:
    case THING_COUNT:
    default:
        return spawn_box(world, from, velocity, seed);
    }
}

// The farthest through of an object's particles, and of its hull's vertices if it has any.
static double farthest_through(const struct sim_world *world, uint32_t id, float side) {
    struct fault fault;
    struct sim_object_view view;
    MUST(sim_object_find(world, id, &view, &fault));
    double farthest = -1e9;
    for (uint32_t i = 0; i < view.particles && view.hull_vertices == 0; i++) {
        const double x = (double)(side * position_of(world, id, i).x);
        farthest = x > farthest ? x : farthest;
    }
    for (uint32_t v = 0; v < view.hull_vertices; v++) {
        double x = 0.0;
        for (uint32_t k = 0; k < 4; k++) {
            x += (double)view.hull_weights[4 * (size_t)v + k] * (double)position_of(world, id, k).x;
        }
        farthest = (double)side * x > farthest ? (double)side * x : farthest;
    }
    return farthest;
}

static double throw_at_wall(enum wall wall, enum thing thing, uint64_t *seed) {
    struct sim_world *world = new_world();
    set_solver(world, 1, 1 + random_below(seed, 4), 0.0f);
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    add_wall(world, wall);
    const float side = random_below(seed, 2) == 0 ? 1.0f : -1.0f; // comes from the other one
    const struct vec3 from = {-side * random_between(seed, 3.0f, 6.0f), random_between(seed, -4.0f, 4.0f),
                              random_between(seed, -4.0f, 4.0f)};
    struct vec3 velocity = random_point(seed, 1.0f);
    velocity.x = side * random_between(seed, 0.2f, 1.0f);
    const float speed = 100.0f / sqrtf(velocity.x * velocity.x + velocity.y * velocity.y + velocity.z * velocity.z);
    velocity = (struct vec3){speed * velocity.x, speed * velocity.y, speed * velocity.z};
    const uint32_t id = throw_thing(world, thing, from, velocity, seed);
    double farthest = -1e9;
    for (unsigned tick = 0; tick < 20; tick++) {
        sim_world_step(world);
        const double through = farthest_through(world, id, side);
        farthest = through > farthest ? through : farthest;
    }
    sim_world_destroy(world);
    return farthest;
}

static void nothing_passes_a_thin_wall_at_100_metres_a_second(void **state) {
    (void)state;
    uint64_t seed = new_seed("nothing_passes_a_thin_wall_at_100_metres_a_second");
    for (enum wall wall = 0; wall < WALL_COUNT; wall++) {
        for (enum thing thing = 0; thing < THING_COUNT; thing++) {
            double farthest = -1e9;
            for (unsigned round = 0; round < 200; round++) {
                const double through = throw_at_wall(wall, thing, &seed);
                farthest = through > farthest ? through : farthest;
            }
            print_message("%s against a wall (%s): at most %.3f mm behind its middle\n", thing_name[thing],
                          wall_name[wall], 1000.0 * farthest);
            assert_true(farthest < 0.005);
        }
    }
}

// ---- refusals ----------------------------------------------------------------------------------------------------

static void refuse(struct sim_obstacle obstacle, const char *member, const char *says) {
    struct fault fault;
    struct sim_world *world = new_world();
    uint32_t id = 0;
    const uint64_t before = sim_world_hash(world);
    assert_int_equal(sim_obstacle_add(world, &obstacle, &id, &fault), RESULT_INVALID);
    assert_string_equal(fault.pointer, member);
    assert_non_null(strstr(fault.message, says));
    assert_true(sim_world_hash(world) == before);
    sim_world_destroy(world);
}

static void degenerate_capsules_and_height_fields_are_refused_with_their_reason(void **state) {
    (void)state;
    static const float flat[6] = {0, 0, 0, 0, 0, 0};
    static const float broken[4] = {0, 0, NAN, 0};
    struct sim_obstacle capsule = {.shape = SIM_OBSTACLE_CAPSULE, .radius = 0.1f, .to = {1.0f, 0.0f, 0.0f}};
    capsule.to = capsule.from;
    refuse(capsule, "/to", "use a sphere");
    capsule.to.x = INFINITY;
    refuse(capsule, "/to/0", "inf");
    capsule.to.x = 1.0f;
    capsule.radius = 0.0f;
    refuse(capsule, "/radius", "above 0");
    struct sim_obstacle field = {
        .shape = SIM_OBSTACLE_HEIGHTFIELD, .columns = 3, .rows = 2, .spacing = 1.0f, .heights = flat};
    field.columns = 1;
    refuse(field, "/columns", "got 1");
    field.columns = 3;
    field.rows = 0;
    refuse(field, "/rows", "got 0");
    field.rows = 2;
    field.spacing = 0.0f;
    refuse(field, "/spacing", "got 0");
    field.spacing = 1.0f;
    field.columns = 2;
    field.heights = broken;
    refuse(field, "/heights/2", "nan");
}

static void degenerate_meshes_are_refused_with_their_reason(void **state) {
    (void)state;
    static const float positions[12] = {0, 0, 0, 1, 0, 0, 0, 0, 1, 2, 0, 0};
    static const float broken[9] = {0, 0, 0, 1, INFINITY, 0, 0, 0, 1};
    static const uint32_t twice[3] = {0, 1, 1}, outside[3] = {0, 1, 4}, in_line[3] = {0, 1, 3}, good[3] = {0, 2, 1};
    struct sim_obstacle mesh = {.shape = SIM_OBSTACLE_MESH,
                                .rotation = upright,
                                .positions = positions,
                                .vertices = 4,
                                .triangles = twice,
                                .triangle_count = 1};
    refuse(mesh, "/triangles", "has a vertex twice");
    mesh.triangles = outside;
    refuse(mesh, "/triangles", "only 4 vertices");
    mesh.triangles = in_line;
    refuse(mesh, "/triangles", "no area");
    mesh.triangles = good;
    mesh.triangle_count = 0;
    refuse(mesh, "/triangles", "at least 1 triangle");
    mesh.triangle_count = 1;
    mesh.positions = broken;
    mesh.vertices = 3;
    refuse(mesh, "/positions/4", "inf");
    mesh.vertices = 2;
    refuse(mesh, "/positions", "at least 3 vertices");
}

// ---- keeping and giving back -------------------------------------------------------------------------------------

static void views_of_fields_and_meshes_stay_true_when_others_go(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    add_bump(world, BUMP_MESH, 0.5f);
    add_bump(world, BUMP_HEIGHTFIELD, 0.5f);
    add_bump(world, BUMP_MESH, 0.5f);
    MUST(sim_obstacle_remove(world, sim_world_obstacle_at(world, 0)->id, &fault));
    const struct sim_obstacle *field = sim_world_obstacle_at(world, 0);
    const struct sim_obstacle *mesh = sim_world_obstacle_at(world, 1);
    assert_int_equal(field->columns, FIELD_SIDE);
    assert_true(field->heights[FIELD_SIDE * 10 + 10] == 1.0f);
    assert_memory_equal(mesh->positions, spike_positions, sizeof spike_positions);
    assert_memory_equal(mesh->triangles, spike_triangles, sizeof spike_triangles);
    sim_world_destroy(world);
}

static void a_world_with_every_obstacle_goes_back_and_on_as_if_never_stopped(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    struct sim_snapshot *snapshot = NULL;
    for (enum bump bump = 0; bump < BUMP_COUNT; bump++) {
        add_bump(world, bump, 0.5f);
    }
    (void)spawn_tetrahedron(world, (struct vec3){0.1f, 1.3f, 0.0f}, still, 0.6f);
    (void)spawn_stick(world, (struct vec3){-0.8f, 1.9f, 0.1f}, (struct vec3){0.8f, 2.0f, 0.0f}, still, 0.5f);
    step(world, 40);
    assert_int_equal(sim_world_save(world, &snapshot), RESULT_OK);
    step(world, 80);
    const uint64_t hash = sim_world_hash(world);
    sim_world_restore(world, snapshot);
    step(world, 80);
    assert_true(sim_world_hash(world) == hash);
    sim_snapshot_destroy(snapshot);
    sim_world_destroy(world);
}

static void what_is_put_into_a_closed_mesh_or_under_a_field_comes_out(void **state) {
    (void)state;
    for (unsigned k = 0; k < 2; k++) {
        struct sim_world *world = new_world();
        set_gravity(world, 0.0f, 0.0f, 0.0f);
        add_bump(world, k == 0 ? BUMP_MESH : BUMP_HEIGHTFIELD, 0.5f);
        const uint32_t id = spawn_particle(world, (struct vec3){0.05f, 0.4f, 0.02f}, still, 1.0f);
        step(world, 60);
        const struct vec3 p = position_of(world, id, 0);
        const double r = k == 0 ? fmax(fabs((double)p.x), fabs((double)p.z)) : hypot((double)p.x, (double)p.z);
        assert_true((double)p.y > 1.0 - (k == 0 ? 2.0 : 1.9) * r);
        assert_true(fabs((double)velocity_of(world, id, 0).y) < 1e-3);
        sim_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stick_dropped_on_a_bump_rests_on_it_between_its_ends),
        cmocka_unit_test(a_tetrahedron_dropped_on_a_bump_rests_on_its_face),
        cmocka_unit_test(nothing_passes_a_thin_wall_at_100_metres_a_second),
        cmocka_unit_test(degenerate_capsules_and_height_fields_are_refused_with_their_reason),
        cmocka_unit_test(degenerate_meshes_are_refused_with_their_reason),
        cmocka_unit_test(views_of_fields_and_meshes_stay_true_when_others_go),
        cmocka_unit_test(a_world_with_every_obstacle_goes_back_and_on_as_if_never_stopped),
        cmocka_unit_test(what_is_put_into_a_closed_mesh_or_under_a_field_comes_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
