// SPDX-License-Identifier: MIT
// Bodies against bodies, floors and cloth (server/sim/PHYSICS.md 4 to 6): momentum, stacks, hard landings, heaps, fast
// ones.
#include "sim_fixture.h"

#include <string.h>

static struct sim_world *body_world(uint32_t bodies) {
    struct sim_world *world = NULL;
    const struct sim_capacity capacity = {.particles = 4 * bodies + 4000,
                                          .sticks = 6 * bodies + 20000,
                                          .triangles = 4 * bodies + 8000,
                                          .objects = bodies + 10,
                                          .obstacles = 4,
                                          .shape_words = 200 * bodies};
    assert_int_equal(sim_world_create(&capacity, TICK_HZ, &world), RESULT_OK);
    return world;
}

static uint32_t spawn(struct sim_world *world, const struct sim_body_desc *desc) {
    struct fault fault;
    uint32_t id = 0;
    MUST(sim_body_spawn(world, desc, &id, &fault));
    return id;
}

static struct sim_body_desc box_at(struct vec3 position, float x, float y, float z) {
    struct sim_body_desc desc = sim_body_desc_default();
    desc.shape = SIM_BODY_BOX;
    desc.extents = (struct vec3){x, y, z};
    desc.position = position;
    return desc;
}

// A rotation that every seed has equally often (K. Shoemake, 1992, by rejection).
static struct quat random_rotation(uint64_t *seed) {
    for (;;) {
        const struct quat q = {random_between(seed, -1.0f, 1.0f), random_between(seed, -1.0f, 1.0f),
                               random_between(seed, -1.0f, 1.0f), random_between(seed, -1.0f, 1.0f)};
        const float squared = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
        if (squared > 0.01f && squared < 1.0f) {
            return q;
        }
    }
}

static void set_floor(struct sim_world *world, float half_width) {
    struct fault fault;
    struct sim_parameters parameters = *sim_world_parameters(world);
    parameters.bounds_min = (struct vec3){-half_width, 0.0f, -half_width};
    parameters.bounds_max = (struct vec3){half_width, 100.0f, half_width};
    MUST(sim_world_set_parameters(world, &parameters, &fault));
}

static struct vec3 centre_of(const struct sim_world *world, uint32_t id) {
    struct vec3 sum = {0.0f, 0.0f, 0.0f};
    for (uint32_t i = 0; i < 4; i++) {
        const struct vec3 p = position_of(world, id, i);
        sum = (struct vec3){sum.x + 0.25f * p.x, sum.y + 0.25f * p.y, sum.z + 0.25f * p.z};
    }
    return sum;
}

static double determinant_of(const struct sim_world *world, uint32_t id) {
    const struct vec3 o = position_of(world, id, 0);
    double e[3][3];
    for (uint32_t i = 0; i < 3; i++) {
        const struct vec3 p = position_of(world, id, i + 1);
        e[i][0] = (double)p.x - (double)o.x;
        e[i][1] = (double)p.y - (double)o.y;
        e[i][2] = (double)p.z - (double)o.z;
    }
    return e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) + e[0][1] * (e[1][2] * e[2][0] - e[1][0] * e[2][2]) +
           e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
}

static void add_momentum(const struct sim_world *world, uint32_t id, double sum[3], double *scale) {
    struct fault fault;
    struct sim_object_view view;
    MUST(sim_object_find(world, id, &view, &fault));
    for (uint32_t i = 0; i < view.particles; i++) {
        const double mass = 1.0 / (double)sim_particle_own_inverse_mass(world, view.first + i);
        const struct vec3 v = velocity_of(world, id, i);
        sum[0] += mass * (double)v.x;
        sum[1] += mass * (double)v.y;
        sum[2] += mass * (double)v.z;
        *scale += mass * sqrt((double)(v.x * v.x + v.y * v.y + v.z * v.z));
    }
}

// ---- two bodies --------------------------------------------------------------------------------------------------

static void a_contact_between_bodies_conserves_momentum(void **state) {
    (void)state;
    uint64_t seed = new_seed("a_contact_between_bodies_conserves_momentum");
    double worst = 0.0;
    unsigned met = 0;
    for (unsigned round = 0; round < 100; round++) {
        struct sim_world *world = body_world(2);
        set_gravity(world, 0.0f, 0.0f, 0.0f);
        set_solver(world, 1, 8, 0.0f);
        struct sim_body_desc left = box_at((struct vec3){-1.0f, 0.0f, 0.0f}, 0.6f, 0.5f, 0.4f);
        struct sim_body_desc right = left;
        left.velocity = (struct vec3){5.0f, 0.0f, 0.0f};
        left.rotation = random_rotation(&seed);
        left.angular_velocity = random_point(&seed, 6.0f);
        right.shape = round % 2 == 0 ? SIM_BODY_BOX : SIM_BODY_TETRAHEDRON;
        right.size = 0.6f;
        right.mass = random_between(&seed, 0.2f, 5.0f);
        right.position = (struct vec3){0.5f, random_between(&seed, -0.3f, 0.3f), random_between(&seed, -0.3f, 0.3f)};
        right.rotation = random_rotation(&seed);
        const uint32_t a = spawn(world, &left);
        const uint32_t b = spawn(world, &right);
        for (unsigned tick = 0; tick < 30; tick++) {
            double before[3] = {0.0, 0.0, 0.0};
            double after[3] = {0.0, 0.0, 0.0};
            double scale = 0.0;
            double unused = 0.0;
            add_momentum(world, a, before, &scale);
            add_momentum(world, b, before, &scale);
            step(world, 1);
            add_momentum(world, a, after, &unused);
            add_momentum(world, b, after, &unused);
            for (unsigned i = 0; i < 3; i++) {
                worst = fmax(worst, fabs(after[i] - before[i]) / scale);
            }
        }
        met += distance_of(velocity_of(world, b, 0), (struct vec3){0.0f, 0.0f, 0.0f}) > 0.01 ? 1 : 0;
        sim_world_destroy(world);
    }
    print_message("%u of 100 pairs met; momentum kept within %.1e in every tick\n", met, worst);
    assert_true(met > 60);
    assert_true(worst < 1e-5);
}

static void nothing_passes_a_thin_plate_at_100_m_s(void **state) {
    (void)state;
    uint64_t seed = new_seed("nothing_passes_a_thin_plate_at_100_m_s");
    unsigned through = 0;
    for (unsigned round = 0; round < 100; round++) {
        struct fault fault;
        struct sim_world *world = body_world(2);
        set_gravity(world, 0.0f, 0.0f, 0.0f);
        set_solver(world, 4, 4, 0.0f);
        const struct sim_body_desc plate = box_at((struct vec3){0.0f, 0.0f, 0.0f}, 0.01f, 4.0f, 4.0f);
        const uint32_t wall = spawn(world, &plate);
        const uint32_t all[4] = {0, 1, 2, 3};
        MUST(sim_particle_pin(world, wall, all, 4, NULL, &fault));
        struct sim_body_desc shot = box_at((struct vec3){-1.0f, 0.0f, 0.0f}, 0.1f, 0.05f, 0.08f);
        shot.shape = round % 2 == 0 ? SIM_BODY_BOX : SIM_BODY_TETRAHEDRON;
        shot.size = 0.1f;
        shot.rotation = random_rotation(&seed);
        shot.velocity = (struct vec3){100.0f, random_between(&seed, -5.0f, 5.0f), 0.0f};
        const uint32_t id = spawn(world, &shot);
        step(world, 30);
        through += centre_of(world, id).x < 0.0f ? 0 : 1;
        sim_world_destroy(world);
    }
    print_message("plate of 1 cm: %u of 100 bodies passed at 100 m/s\n", through);
    assert_int_equal(through, 0);
}

static void two_bodies_that_race_towards_one_another_do_not_pass(void **state) {
    (void)state;
    for (unsigned round = 0; round < 20; round++) {
        struct sim_world *world = body_world(2);
        set_gravity(world, 0.0f, 0.0f, 0.0f);
        set_solver(world, 1, 8, 0.0f);
        struct sim_body_desc body = box_at((struct vec3){-5.0f - 0.1f * (float)round, 0.0f, 0.0f}, 0.1f, 0.2f, 0.2f);
        body.velocity = (struct vec3){100.0f, 0.0f, 0.0f};
        const uint32_t a = spawn(world, &body);
        body.position.x = 5.0f;
        body.velocity.x = -100.0f;
        const uint32_t b = spawn(world, &body);
        step(world, 30);
        assert_true(centre_of(world, a).x < centre_of(world, b).x);
        sim_world_destroy(world);
    }
}

// ---- stacks ------------------------------------------------------------------------------------------------------

static void five_stacked_boxes_stand_for_20_seconds(void **state) {
    (void)state;
    struct sim_world *world = body_world(5);
    set_floor(world, 10.0f);
    set_solver(world, 4, 16, 0.02f);
    uint32_t id[5];
    for (unsigned i = 0; i < 5; i++) {
        const struct sim_body_desc box = box_at((struct vec3){0.0f, 0.25f + 0.5f * (float)i, 0.0f}, 0.5f, 0.5f, 0.5f);
        id[i] = spawn(world, &box);
    }
    double worst = 0.0;
    unsigned asleep_by = 0;
    for (unsigned second = 0; second < 20; second++) {
        step(world, 60);
        asleep_by = asleep_by == 0 && count_asleep(world) == 5 ? second + 1 : asleep_by;
        worst = fmax(worst, distance_of(centre_of(world, id[4]), (struct vec3){0.0f, 2.25f, 0.0f}));
    }
    const struct vec3 top = centre_of(world, id[4]);
    print_message("top of the stack: within %.1f mm of its place over 20 s; at the end (%.4f, %.4f, %.4f) m\n",
                  1e3 * worst, (double)top.x, (double)top.y, (double)top.z);
    print_message("the stack: all asleep after %u s\n", asleep_by);
    assert_int_equal(count_asleep(world), 5);
    assert_true(asleep_by > 0 && asleep_by <= 10);
    assert_true(worst < 0.05);
    sim_world_destroy(world);
}

static void twenty_stacked_boxes_stand_and_sleep(void **state) {
    (void)state;
    static const uint32_t settings[][2] = {{8, 4}, {8, 8}, {16, 8}};
    static const float sizes[] = {0.3f, 0.5f, 1.0f};
    double worst = 0.0;
    unsigned slowest = 0;
    for (unsigned run = 0; run < 9; run++) {
        const float size = sizes[run % 3];
        struct sim_world *world = body_world(20);
        set_floor(world, 10.0f);
        set_solver(world, settings[run / 3][0], settings[run / 3][1], 0.02f);
        uint32_t id[20];
        for (unsigned i = 0; i < 20; i++) {
            const struct sim_body_desc box =
                box_at((struct vec3){0.0f, size * (0.5f + (float)i), 0.0f}, size, size, size);
            id[i] = spawn(world, &box);
        }
        unsigned asleep_by = 0;
        for (unsigned second = 1; second <= 20; second++) {
            step(world, 60);
            asleep_by = asleep_by == 0 && count_asleep(world) == 20 ? second : asleep_by;
            for (unsigned i = 0; i < 20; i++) {
                const struct vec3 place = {0.0f, size * (0.5f + (float)i), 0.0f};
                worst = fmax(worst, distance_of(centre_of(world, id[i]), place));
            }
        }
        slowest = asleep_by > slowest ? asleep_by : slowest;
        assert_int_equal(count_asleep(world), 20);
        sim_world_destroy(world);
    }
    print_message("twenty stacked boxes: within %.1f mm of their places over 20 s, all asleep after %u s\n",
                  1e3 * worst, slowest);
    assert_true(slowest <= 10);
    assert_true(worst < 0.02);
}

// ---- hard landings -----------------------------------------------------------------------------------------------

static void a_thousand_spinning_drops_of_thin_boxes_leave_none_mirrored(void **state) {
    (void)state;
    uint64_t seed = new_seed("a_thousand_spinning_drops_of_thin_boxes_leave_none_mirrored");
    unsigned mirrored = 0;
    double worst = 0.0;
    for (unsigned round = 0; round < 1000; round++) {
        struct sim_world *world = body_world(1);
        set_floor(world, 20.0f);
        set_solver(world, 4, 4, 0.0f);
        struct sim_body_desc box = box_at((struct vec3){0.0f, 1.5f, 0.0f}, 1.0f, 0.6f, 0.05f);
        box.velocity = (struct vec3){0.0f, -20.0f, 0.0f};
        box.rotation = random_rotation(&seed);
        box.angular_velocity = random_point(&seed, 20.0f);
        const uint32_t id = spawn(world, &box);
        const double rest = determinant_of(world, id);
        step(world, 60);
        const double share = determinant_of(world, id) / rest;
        mirrored += share > 0.0 ? 0 : 1;
        worst = fmax(worst, fabs(share - 1.0));
        sim_world_destroy(world);
    }
    print_message("%u of 1000 mirrored; volume after a second within %.1e\n", mirrored, worst);
    assert_int_equal(mirrored, 0);
    assert_true(worst < 0.25);
}

static double worst_edge(const struct sim_world *world, uint32_t id, double rest) {
    double worst = 0.0;
    for (uint32_t i = 0; i < 4; i++) {
        for (uint32_t j = i + 1; j < 4; j++) {
            const double length = distance_of(position_of(world, id, i), position_of(world, id, j));
            worst = fmax(worst, fabs(length / rest - 1.0));
        }
    }
    return worst;
}

static double worst_edge_of_landings(uint32_t iterations, uint64_t seed) {
    double worst = 0.0;
    for (unsigned round = 0; round < 300; round++) {
        struct sim_world *world = body_world(1);
        set_floor(world, 20.0f);
        set_solver(world, 4, iterations, 0.0f);
        struct sim_body_desc body = sim_body_desc_default();
        body.position = (struct vec3){0.0f, 1.0f, 0.0f};
        body.velocity = (struct vec3){0.0f, -10.0f, 0.0f};
        body.rotation = random_rotation(&seed);
        const uint32_t id = spawn(world, &body);
        for (unsigned tick = 0; tick < 60; tick++) {
            step(world, 1);
            worst = fmax(worst, worst_edge(world, id, 0.4));
        }
        sim_world_destroy(world);
    }
    return worst;
}

static void a_tetrahedron_landing_at_10_m_s_keeps_its_edges(void **state) {
    (void)state;
    const uint64_t seed = new_seed("a_tetrahedron_landing_at_10_m_s_keeps_its_edges");
    const double four = worst_edge_of_landings(4, seed);
    const double sixteen = worst_edge_of_landings(16, seed);
    print_message("300 attitudes: edges within %.3f %% with 4 x 4, within %.4f %% with 4 x 16\n", 100.0 * four,
                  100.0 * sixteen);
    assert_true(four < 0.05);
    assert_true(sixteen < 0.005);
}

// ---- heaps -------------------------------------------------------------------------------------------------------

static void five_hundred_tetrahedra_dropped_into_a_box_come_to_rest(void **state) {
    (void)state;
    uint64_t seed = new_seed("five_hundred_tetrahedra_dropped_into_a_box_come_to_rest");
    struct sim_world *world = body_world(500);
    set_floor(world, 2.0f);
    set_solver(world, 4, 16, 0.02f);
    for (unsigned i = 0; i < 500; i++) {
        struct sim_body_desc body = sim_body_desc_default();
        body.size = 0.2f;
        body.position = (struct vec3){-1.6f + 0.4f * (float)(i % 9), 0.5f + 0.4f * (float)(i / 81),
                                      -1.6f + 0.4f * (float)(i / 9 % 9)};
        body.rotation = random_rotation(&seed);
        spawn(world, &body);
    }
    const clock_t begun = clock();
    step(world, 1200);
    for (unsigned tick = 1200; tick < 1800 && count_asleep(world) < 500; tick++) {
        step(world, 1);
    }
    const double seconds = (double)(clock() - begun) / CLOCKS_PER_SEC;
    print_message("after at most 30 s the fastest particle moves at %.4f m/s, %u asleep; %.1f s of computing\n",
                  fastest_of(world), count_asleep(world), seconds);
    assert_true(fastest_of(world) < 0.05);
    assert_int_equal(count_asleep(world), 500);
    sim_world_destroy(world);
}

static void ten_thousand_falling_tetrahedra_stay_cheap(void **state) {
    (void)state;
    struct sim_world *world = body_world(10000);
    set_solver(world, 8, 1, 0.0f);
    for (unsigned i = 0; i < 10000; i++) {
        struct sim_body_desc body = sim_body_desc_default();
        body.size = 0.2f;
        body.position =
            (struct vec3){0.5f * (float)(i % 22), 30.0f + 0.5f * (float)(i / 484), 0.5f * (float)(i / 22 % 22)};
        spawn(world, &body);
    }
    const clock_t begun = clock();
    step(world, 10);
    const double seconds = (double)(clock() - begun) / CLOCKS_PER_SEC;
    print_message("10,000 tetrahedra in free fall: %.1f ms a tick of 8 substeps\n", 100.0 * seconds);
    assert_true(seconds < 5.0);
    sim_world_destroy(world);
}

// ---- other objects -----------------------------------------------------------------------------------------------

static void a_box_dropped_on_a_held_cloth_lies_on_it(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = body_world(2);
    set_solver(world, 8, 8, 0.02f);
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    uint32_t sheet = 0;
    cloth.columns = 21;
    cloth.rows = 21;
    cloth.spacing = 0.1f;
    cloth.sheet.position = (struct vec3){0.0f, 2.0f, 0.0f};
    cloth.sheet.rotation = (struct quat){0.70710678f, 0.0f, 0.0f, 0.70710678f};
    cloth.sheet.pins.preset = SIM_PIN_CORNERS;
    cloth.sheet.thickness = 0.01f;
    cloth.sheet.mass = 2.0f;
    MUST(sim_cloth_spawn(world, &cloth, &sheet, &fault));
    struct vec3 middle = {0.0f, 0.0f, 0.0f};
    for (uint32_t k = 0; k < 4; k++) {
        const uint32_t corner[4] = {0, 20, 420, 440};
        const struct vec3 p = position_of(world, sheet, corner[k]);
        middle = (struct vec3){middle.x + 0.25f * p.x, middle.y + 0.25f * p.y, middle.z + 0.25f * p.z};
    }
    struct sim_body_desc box = box_at((struct vec3){middle.x, middle.y + 0.5f, middle.z}, 0.35f, 0.3f, 0.4f);
    const uint32_t id = spawn(world, &box);
    step(world, 300);
    const struct vec3 at = centre_of(world, id);
    print_message("box on a cloth: %.2f m below its pins\n", (double)(middle.y - at.y));
    assert_true(at.y > middle.y - 1.2f);
    assert_true(fastest_of(world) < 1.0);
    sim_world_destroy(world);
}

static void a_plank_dropped_across_two_ropes_hangs_in_them(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = body_world(1);
    set_solver(world, 8, 8, 0.02f);
    for (unsigned k = 0; k < 2; k++) {
        const float z = k == 0 ? -0.4f : 0.4f;
        struct sim_rope_desc rope = sim_rope_desc_default();
        uint32_t id = 0;
        rope.from = (struct vec3){-1.0f, 2.0f, z};
        rope.to = (struct vec3){1.0f, 2.0f, z};
        rope.particles = 21;
        rope.thickness = 0.02f;
        rope.pins.preset = SIM_PIN_BOTH;
        MUST(sim_rope_spawn(world, &rope, &id, &fault));
    }
    const struct sim_body_desc plank = box_at((struct vec3){0.0f, 2.5f, 0.0f}, 0.2f, 0.05f, 1.2f);
    const uint32_t id = spawn(world, &plank);
    step(world, 300);
    const struct vec3 at = centre_of(world, id);
    print_message("plank on two ropes: at (%.3f, %.3f, %.3f) m\n", (double)at.x, (double)at.y, (double)at.z);
    assert_true(at.y > 1.5f && at.y < 2.1f);
    assert_true(fastest_of(world) < 0.5);
    sim_world_destroy(world);
}

static void a_heap_restored_from_a_snapshot_goes_on_as_if_never_saved(void **state) {
    (void)state;
    struct sim_world *world = body_world(40);
    set_floor(world, 1.0f);
    set_solver(world, 2, 4, 0.01f);
    uint64_t seed = 7;
    for (unsigned i = 0; i < 40; i++) {
        struct sim_body_desc box = box_at(
            (struct vec3){-0.6f + 0.4f * (float)(i % 4), 0.4f + 0.1f * (float)i, -0.6f + 0.4f * (float)(i / 4 % 4)},
            0.3f, 0.2f, 0.25f);
        box.rotation = random_rotation(&seed);
        spawn(world, &box);
    }
    step(world, 60);
    struct sim_snapshot *snapshot = NULL;
    assert_int_equal(sim_world_save(world, &snapshot), RESULT_OK);
    step(world, 60);
    const uint64_t straight = sim_world_hash(world);
    sim_world_restore(world, snapshot);
    step(world, 60);
    assert_true(sim_world_hash(world) == straight);
    sim_snapshot_destroy(snapshot);
    sim_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_contact_between_bodies_conserves_momentum),
        cmocka_unit_test(nothing_passes_a_thin_plate_at_100_m_s),
        cmocka_unit_test(two_bodies_that_race_towards_one_another_do_not_pass),
        cmocka_unit_test(five_stacked_boxes_stand_for_20_seconds),
        cmocka_unit_test(twenty_stacked_boxes_stand_and_sleep),
        cmocka_unit_test(a_thousand_spinning_drops_of_thin_boxes_leave_none_mirrored),
        cmocka_unit_test(a_tetrahedron_landing_at_10_m_s_keeps_its_edges),
        cmocka_unit_test(five_hundred_tetrahedra_dropped_into_a_box_come_to_rest),
        cmocka_unit_test(ten_thousand_falling_tetrahedra_stay_cheap),
        cmocka_unit_test(a_box_dropped_on_a_held_cloth_lies_on_it),
        cmocka_unit_test(a_plank_dropped_across_two_ropes_hangs_in_them),
        cmocka_unit_test(a_heap_restored_from_a_snapshot_goes_on_as_if_never_saved),
    };
    return cmocka_run_group_tests_name("stack", tests, NULL, NULL);
}
