// SPDX-License-Identifier: MIT
// Newton's first law and sleep: only what rests on something or hangs from something, in equilibrium, falls asleep.
// When things fall asleep, and what it saves: sim_sleep_test.c.
#include "sim_sleep.h"

// ---- things ------------------------------------------------------------------------------------------------------

static uint32_t make_particle(struct sim_world *world) {
    return spawn_particle(world, (struct vec3){0, 0, 0}, (struct vec3){0, 0, 0}, 1.0f);
}

static uint32_t make_rope(struct sim_world *world) {
    struct fault fault;
    uint32_t id = 0;
    struct sim_rope_desc rope = sim_rope_desc_default();
    rope.from = (struct vec3){0, 0, 0};
    rope.to = (struct vec3){1, 0, 0};
    rope.particles = 8;
    rope.pins.preset = SIM_PIN_NONE;
    MUST(sim_rope_spawn(world, &rope, &id, &fault));
    return id;
}

static uint32_t make_cloth(struct sim_world *world) {
    struct fault fault;
    uint32_t id = 0;
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    cloth.columns = cloth.rows = 6;
    cloth.sheet.pins.preset = SIM_PIN_NONE;
    MUST(sim_cloth_spawn(world, &cloth, &id, &fault));
    return id;
}

static uint32_t make_mesh(struct sim_world *world) {
    static const float positions[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
    static const uint32_t triangles[] = {0, 1, 2, 1, 3, 2};
    struct fault fault;
    uint32_t id = 0;
    struct sim_mesh_desc mesh = sim_mesh_desc_default();
    mesh.positions = positions;
    mesh.particles = 4;
    mesh.triangles = triangles;
    mesh.triangle_count = 2;
    mesh.sheet.pins.preset = SIM_PIN_NONE;
    MUST(sim_mesh_spawn(world, &mesh, &id, &fault));
    return id;
}

static uint32_t make_body(struct sim_world *world, enum sim_body_shape shape) {
    struct fault fault;
    uint32_t id = 0;
    struct sim_body_desc body = sim_body_desc_default();
    body.shape = shape;
    body.extents = (struct vec3){0.4f, 0.3f, 0.5f};
    MUST(sim_body_spawn(world, &body, &id, &fault));
    return id;
}

static uint32_t make_tetrahedron(struct sim_world *world) {
    return make_body(world, SIM_BODY_TETRAHEDRON);
}

static uint32_t make_box(struct sim_world *world) {
    return make_body(world, SIM_BODY_BOX);
}

static uint32_t make_ragdoll(struct sim_world *world) {
    struct fault fault;
    uint32_t id = 0;
    const struct sim_ragdoll_desc figure = sim_ragdoll_desc_default();
    MUST(sim_ragdoll_spawn(world, &figure, &id, &fault));
    return id;
}

struct thing {
    const char *name;
    uint32_t (*make)(struct sim_world *);
};
static const struct thing things[] = {
    {"a particle", make_particle},       {"a rope", make_rope}, {"a cloth", make_cloth},     {"a mesh", make_mesh},
    {"a tetrahedron", make_tetrahedron}, {"a box", make_box},   {"a ragdoll", make_ragdoll},
};
#define THINGS (sizeof things / sizeof things[0])

// To the last bits: of the others rounding adds or takes a little speed.
static bool keeps_momentum(const struct thing *thing) {
    return thing->make == make_particle || thing->make == make_tetrahedron || thing->make == make_box;
}

// Adds to the velocity of each of its particles.
static void push(struct sim_world *world, uint32_t object, struct vec3 velocity) {
    struct fault fault;
    const float h = sim_world_particles(world).substep;
    for (uint32_t i = 0; i < view_of(world, object).particles; i++) {
        struct vec3 p = position_of(world, object, i);
        p = (struct vec3){p.x + velocity.x * h, p.y + velocity.y * h, p.z + velocity.z * h};
        MUST(sim_particle_move(world, object, i, p, SIM_MOVE_PUSH, &fault));
    }
}

static struct vec3 middle_of(const struct sim_world *world, uint32_t object) {
    const uint32_t count = view_of(world, object).particles;
    double sum[3] = {0};
    for (uint32_t i = 0; i < count; i++) {
        const struct vec3 p = position_of(world, object, i);
        sum[0] += (double)p.x / count;
        sum[1] += (double)p.y / count;
        sum[2] += (double)p.z / count;
    }
    return (struct vec3){(float)sum[0], (float)sum[1], (float)sum[2]};
}

static void stay_awake(struct sim_world *world, uint32_t object, unsigned ticks, const char *name) {
    for (unsigned tick = 0; tick < ticks; tick++) {
        sim_world_step(world);
        if (is_asleep(world, object)) {
            fail_msg("%s fell asleep in tick %u", name, tick);
        }
    }
}

static double seconds_until_asleep(struct sim_world *world, uint32_t object, unsigned seconds, const char *name) {
    for (unsigned tick = 1; tick <= 60 * seconds; tick++) {
        sim_world_step(world);
        if (is_asleep(world, object)) {
            return (double)tick / 60.0;
        }
    }
    fail_msg("%s is still awake after %u s", name, seconds);
    return 0.0;
}

// ---- nothing holds it --------------------------------------------------------------------------------------------

static void what_drifts_without_gravity_goes_on_for_ever(void **state) {
    (void)state;
    static const float speeds[] = {0.019f, 1e-3f, 1e-4f};
    double worst = 0.0;
    for (size_t i = 0; i < 3 * THINGS; i++) {
        const struct thing *thing = &things[i / 3];
        struct sim_world *world = new_world();
        set_gravity(world, 0.0f, 0.0f, 0.0f);
        const uint32_t id = thing->make(world);
        push(world, id, (struct vec3){speeds[i % 3], 0.0f, 0.0f});
        const struct vec3 before = middle_of(world, id);
        stay_awake(world, id, 600, thing->name);
        const double way = distance_of(middle_of(world, id), before);
        worst = fmax(worst, keeps_momentum(thing) ? fabs(way / (10.0 * (double)speeds[i % 3]) - 1.0) : 0.0);
        sim_world_destroy(world);
    }
    print_message("drift of 0.1 to 19 mm/s for 10 s: way within %.2f %%\n", 100.0 * worst);
    assert_true(worst < 0.02);
}

static void what_turns_slowly_without_gravity_turns_on(void **state) {
    (void)state;
    struct fault fault;
    for (unsigned shape = SIM_BODY_TETRAHEDRON; shape <= SIM_BODY_BOX; shape++) {
        struct sim_world *world = new_world();
        set_gravity(world, 0.0f, 0.0f, 0.0f);
        struct sim_body_desc body = sim_body_desc_default();
        body.shape = (enum sim_body_shape)shape;
        body.angular_velocity = (struct vec3){0.0f, 0.002f, 0.0f};
        uint32_t id = 0;
        MUST(sim_body_spawn(world, &body, &id, &fault));
        stay_awake(world, id, 600, "a turning body");
        sim_world_destroy(world);
    }
}

static void what_falls_falls_on_however_weak_gravity_is(void **state) {
    (void)state;
    static const float gravities[] = {0.01f, 1e-3f, 1e-4f};
    double worst = 0.0;
    for (size_t i = 0; i < 3 * THINGS; i++) {
        const struct thing *thing = &things[i / 3];
        struct sim_world *world = new_world();
        set_gravity(world, 0.0f, -gravities[i % 3], 0.0f);
        const uint32_t id = thing->make(world);
        const struct vec3 before = middle_of(world, id);
        stay_awake(world, id, 600, thing->name);
        const double fall = (double)(before.y - middle_of(world, id).y);
        worst = fmax(worst, keeps_momentum(thing) ? fabs(fall / (50.0 * (double)gravities[i % 3]) - 1.0) : 0.0);
        sim_world_destroy(world);
    }
    print_message("fall at g = 0.01 to 0.0001 for 10 s: way within %.2f %%\n", 100.0 * worst);
    assert_true(worst < 0.02);
}

// What sinks as through honey has no more speed than a thing at rest may seem to have.
static void what_strong_damping_slows_down_sinks_on(void **state) {
    (void)state;
    static const float dampings[] = {0.9f, 0.999f, 0.99999f};
    for (size_t i = 0; i < 3 * THINGS; i++) {
        struct sim_world *world = new_world();
        set_solver(world, i % 2 == 0 ? 8 : 64, 1, dampings[i % 3]);
        const uint32_t id = things[i / 3].make(world);
        stay_awake(world, id, 120, things[i / 3].name);
        sim_world_destroy(world);
    }
}

static void what_is_thrown_up_in_weak_gravity_comes_down(void **state) {
    (void)state;
    for (size_t i = 0; i < THINGS; i++) {
        struct sim_world *world = new_world();
        set_gravity(world, 0.0f, -0.02f, 0.0f);
        const uint32_t id = things[i].make(world);
        push(world, id, (struct vec3){0.0f, 0.06f, 0.0f}); // at its top after 3 s
        stay_awake(world, id, 480, things[i].name);
        assert_true(velocity_of(world, id, 0).y < -0.09f);
        sim_world_destroy(world);
    }
}

// ---- it is held, and not in equilibrium --------------------------------------------------------------------------

static void pin(struct sim_world *world, uint32_t object, uint32_t index) {
    struct fault fault;
    MUST(sim_particle_pin(world, object, &index, 1, NULL, &fault));
}

static void join(struct sim_world *world, struct sim_stick_end a, struct sim_stick_end b, enum sim_stick_kind kind,
                 float length) {
    struct fault fault;
    uint32_t id = 0;
    MUST(sim_stick_add(world, a, b, length, kind, 0.0f, &id, &fault));
}

// A pendulum of the length, let go `off` beside the plumb line: a rope, a particle on an added stick, or a triangle.
enum pendulum { PENDULUM_ROPE, PENDULUM_STICK, PENDULUM_MESH, PENDULUM_COUNT };
struct bob {
    uint32_t object, particle;
};

static struct bob hang(struct sim_world *world, enum pendulum kind, float length, float off) {
    struct fault fault;
    uint32_t id = 0;
    if (kind == PENDULUM_ROPE) {
        struct sim_rope_desc rope = sim_rope_desc_default();
        rope.from = (struct vec3){0, 0, 0};
        rope.to = (struct vec3){off, -length, 0};
        rope.particles = 2;
        rope.pins.preset = SIM_PIN_START;
        MUST(sim_rope_spawn(world, &rope, &id, &fault));
        return (struct bob){id, 1};
    }
    if (kind == PENDULUM_STICK) {
        const uint32_t nail = spawn_particle(world, (struct vec3){0, 0, 0}, (struct vec3){0, 0, 0}, 1.0f);
        id = spawn_particle(world, (struct vec3){off, -length, 0}, (struct vec3){0, 0, 0}, 1.0f);
        pin(world, nail, 0);
        join(world, (struct sim_stick_end){nail, 0}, (struct sim_stick_end){id, 0}, SIM_STICK_EQUAL, -1.0f);
        return (struct bob){id, 0};
    }
    const float corners[] = {0, 0, -0.5f * length, 0, 0, 0.5f * length, off, -length, 0};
    static const uint32_t triangle[] = {0, 1, 2}, pinned[] = {0, 1};
    struct sim_mesh_desc mesh = sim_mesh_desc_default();
    mesh.positions = corners;
    mesh.particles = 3;
    mesh.triangles = triangle;
    mesh.triangle_count = 1;
    mesh.sheet.projection = SIM_PROJECTION_START;
    mesh.sheet.pins = (struct sim_pins){.preset = SIM_PIN_LIST, .indices = pinned, .count = 2};
    MUST(sim_mesh_spawn(world, &mesh, &id, &fault));
    return (struct bob){id, 2};
}

static void a_pendulum_that_swings_by_millimetres_stays_awake(void **state) {
    (void)state;
    static const float swings[][2] = {{1.0f, 0.005f}, {1.0f, 0.002f}, {5.0f, 0.01f}, {0.005f, 0.001f}}; // length, off
    for (size_t i = 0; i < 4 * PENDULUM_COUNT; i++) {
        const float *swing = swings[i / PENDULUM_COUNT];
        const enum pendulum kind = (enum pendulum)(i % PENDULUM_COUNT);
        struct sim_world *world = new_world();
        const struct bob bob = hang(world, kind, swing[0], swing[1]);
        double widest = 0.0;
        for (unsigned tick = 0; tick < 600; tick++) {
            sim_world_step(world);
            const double off = fabs((double)position_of(world, bob.object, bob.particle).x);
            widest = fmax(tick % 300 == 0 ? 0.0 : widest, off);
            if (is_asleep(world, bob.object) && off > fmax(1e-4, 1e-3 * (double)swing[0])) {
                fail_msg("kind %u, length %g m: it sleeps %g mm off", kind, (double)swing[0], 1e3 * off);
            }
        }
        if (kind == PENDULUM_MESH) { // which keeps its energy: the others lose some in each swing
            assert_true(widest > 0.8 * (double)swing[1]);
        }
        sim_world_destroy(world);
    }
}

static void a_damped_pendulum_falls_asleep_at_the_plumb_line(void **state) {
    (void)state;
    double worst = 0.0;
    for (unsigned kind = 0; kind < PENDULUM_COUNT; kind++) {
        struct sim_world *world = new_world();
        set_solver(world, 8, 1, 0.02f);
        const struct bob bob = hang(world, (enum pendulum)kind, 1.0f, 0.005f);
        (void)seconds_until_asleep(world, bob.object, 30, "a pendulum");
        worst = fmax(worst, fabs((double)position_of(world, bob.object, bob.particle).x));
        sim_world_destroy(world);
    }
    print_message("pendulums of 1 m fall asleep within %.2f mm of the plumb line\n", 1e3 * worst);
    assert_true(worst < 5e-4);
}

static void a_chain_of_objects_with_a_free_end_stays_awake_while_it_swings(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    const uint32_t nail = make_particle(world);
    pin(world, nail, 0);
    struct sim_stick_end above = {nail, 0};
    uint32_t id = 0;
    for (unsigned i = 1; i <= 3; i++) {
        id = spawn_tetrahedron(world, (struct vec3){0.003f * (float)i, -1.2f * (float)i, 0.0f});
        join(world, above, (struct sim_stick_end){id, 0}, SIM_STICK_EQUAL, -1.0f);
        above = (struct sim_stick_end){id, 3};
    }
    stay_awake(world, id, 900, "the end of a chain");
    sim_world_destroy(world);
}

// The line to the nail is slack: it holds nothing.
static void what_is_on_a_slack_line_stays_awake(void **state) {
    (void)state;
    for (unsigned falls = 0; falls < 2; falls++) {
        struct sim_world *world = new_world();
        set_gravity(world, 0.0f, falls == 1 ? -0.002f : 0.0f, 0.0f);
        const uint32_t nail = make_particle(world);
        const uint32_t id = spawn_tetrahedron(world, (struct vec3){1.0f, 0.0f, 0.0f});
        pin(world, nail, 0);
        join(world, (struct sim_stick_end){nail, 0}, (struct sim_stick_end){id, 0}, SIM_STICK_AT_MOST, 10.0f);
        push(world, id, (struct vec3){falls == 1 ? 0.0f : 1e-4f, 0.0f, 0.0f});
        stay_awake(world, id, 600, "a body on a slack line");
        sim_world_destroy(world);
    }
}

static void what_slides_without_friction_slides_on(void **state) {
    (void)state;
    struct fault fault;
    double worst = 0.0;
    for (size_t i = 0; i < 2 * THINGS; i++) {
        const struct thing *thing = &things[i / 2];
        if (thing->make == make_cloth || thing->make == make_mesh || thing->make == make_ragdoll) {
            continue; // made upright: they fall over
        }
        struct sim_world *world = new_world();
        const struct sim_obstacle plane = {
            .shape = SIM_OBSTACLE_PLANE, .position = {0, -0.15f, 0}, .normal = {0, 1, 0}};
        const struct sim_obstacle box = {.shape = SIM_OBSTACLE_BOX,
                                         .position = {0, -1.15f, 0},
                                         .size = {20, 2, 20},
                                         .rotation = {0, 0, 0, 1},
                                         .friction = 0.5f};
        uint32_t ground = 0;
        MUST(sim_obstacle_add(world, i % 2 == 0 ? &plane : &box, &ground, &fault));
        const uint32_t id = thing->make(world);
        const float none = 0.0f;
        MUST(sim_object_set(world, id, (struct sim_material){.friction = &none}, &fault));
        step(world, 300);
        const struct vec3 velocity = velocity_of(world, id, 0);
        push(world, id, (struct vec3){0.005f - velocity.x, 0.0f, 0.0f});
        const struct vec3 before = middle_of(world, id);
        stay_awake(world, id, 600, thing->name);
        if (thing->make == make_particle || thing->make == make_rope) { // others rock a little and go their own way
            const double way = (double)(middle_of(world, id).x - before.x);
            worst = fmax(worst, fabs(way / 0.05 - 1.0));
        }
        sim_world_destroy(world);
    }
    print_message("slide of 5 mm/s without friction for 10 s: way within %.2f %%\n", 100.0 * worst);
    assert_true(worst < 0.01);
}

// Balanced on an edge, but for a tenth of a degree.
static void a_box_that_begins_to_fall_over_falls_over(void **state) {
    (void)state;
    struct fault fault;
    for (unsigned i = 0; i < 2; i++) {
        struct sim_world *world = new_world();
        set_solver(world, 8, 8, 0.0f);
        (void)add_floor(world);
        struct sim_body_desc body = sim_body_desc_default();
        body.shape = SIM_BODY_BOX;
        body.extents = (struct vec3){0.5f, 0.5f, 0.5f};
        body.position = (struct vec3){0.0f, 0.5f + 0.35356f, 0.0f};
        const double half = 0.5 * (0.78539816 + (i == 0 ? 0.0018 : 0.0087));
        body.rotation = (struct quat){0.0f, 0.0f, (float)sin(half), (float)cos(half)};
        uint32_t id = 0;
        MUST(sim_body_spawn(world, &body, &id, &fault));
        (void)seconds_until_asleep(world, id, 20, "a box on its edge");
        assert_true(middle_of(world, id).y < 0.8f);
        sim_world_destroy(world);
    }
}

static void a_curtain_stays_awake_while_it_swings_by_millimetres(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    cloth.columns = cloth.rows = 12;
    cloth.sheet.projection = SIM_PROJECTION_START;
    cloth.sheet.pins.preset = SIM_PIN_TOP_EDGE;
    uint32_t id = 0;
    MUST(sim_cloth_spawn(world, &cloth, &id, &fault));
    step(world, 60);
    push(world, id, (struct vec3){0.0f, 0.0f, 0.02f});
    for (unsigned tick = 0; tick < 300; tick++) {
        sim_world_step(world);
        assert_false(is_asleep(world, id));
    }
    sim_world_destroy(world);
}

// ---- the world's setting -----------------------------------------------------------------------------------------

static void set_sleep(struct sim_world *world, bool sleep) {
    struct fault fault;
    struct sim_parameters parameters = *sim_world_parameters(world);
    parameters.sleep = sleep;
    MUST(sim_world_set_parameters(world, &parameters, &fault));
}

static void a_world_without_sleep_wakes_everything_and_lets_nothing_sleep(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    assert_true(sim_world_parameters(world)->sleep);
    add_floor(world);
    const uint32_t rope = lay_rope(world, 0.0f, 0.0f);
    step(world, 120);
    assert_true(is_asleep(world, rope));
    const uint64_t asleep = sim_world_hash(world);
    set_sleep(world, false);
    assert_true(sim_world_hash(world) != asleep);
    stay_awake(world, rope, 300, "a rope in a world without sleep");
    set_sleep(world, true);
    step(world, 29);
    assert_false(is_asleep(world, rope));
    step(world, 1);
    assert_true(is_asleep(world, rope));
    sim_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_drifts_without_gravity_goes_on_for_ever),
        cmocka_unit_test(what_turns_slowly_without_gravity_turns_on),
        cmocka_unit_test(what_falls_falls_on_however_weak_gravity_is),
        cmocka_unit_test(what_strong_damping_slows_down_sinks_on),
        cmocka_unit_test(what_is_thrown_up_in_weak_gravity_comes_down),
        cmocka_unit_test(a_pendulum_that_swings_by_millimetres_stays_awake),
        cmocka_unit_test(a_damped_pendulum_falls_asleep_at_the_plumb_line),
        cmocka_unit_test(a_chain_of_objects_with_a_free_end_stays_awake_while_it_swings),
        cmocka_unit_test(what_is_on_a_slack_line_stays_awake),
        cmocka_unit_test(what_slides_without_friction_slides_on),
        cmocka_unit_test(a_box_that_begins_to_fall_over_falls_over),
        cmocka_unit_test(a_curtain_stays_awake_while_it_swings_by_millimetres),
        cmocka_unit_test(a_world_without_sleep_wakes_everything_and_lets_nothing_sleep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
