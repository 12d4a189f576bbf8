// SPDX-License-Identifier: MIT
// Large irregular meshes on several threads: bands and the seams between them give the bits of one thread, in whatever
// order the shares of a round are done. The shares run one after the other here; host_parallel_for_test has threads.
#include "sim_fixture.h"

#include "sim/stick/stick_plan.h"
#include "sim/world/work.h"
#include "sim/world/world.h"

#define SIDE 130u
#define VERTICES (SIDE * SIDE)
#define TRIANGLES (2 * (SIDE - 1) * (SIDE - 1))
#define SPACING 0.02f // m
#define TICKS 4

static void run_upwards(void *context, unsigned shares, void (*task)(void *argument, unsigned share), void *argument) {
    (void)context;
    for (unsigned share = 0; share < shares; share++) {
        task(argument, share);
    }
}

static void run_downwards(void *context, unsigned shares, void (*task)(void *argument, unsigned share),
                          void *argument) {
    (void)context;
    for (unsigned share = shares; share > 0; share--) {
        task(argument, share - 1);
    }
}

static uint32_t draw(uint32_t *random) {
    *random = *random * 1664525u + 1013904223u;
    return *random >> 8;
}

struct sheet {
    float position[3 * VERTICES];
    uint32_t triangle[3 * TRIANGLES];
};

// Vertices moved at random and diagonals at random; `shuffled`: vertices in random order.
static void make_sheet(struct sheet *sheet, bool shuffled) {
    static uint32_t place[VERTICES];
    uint32_t random = 1;
    for (uint32_t i = 0; i < VERTICES; i++) {
        place[i] = i;
    }
    for (uint32_t i = VERTICES - 1; shuffled && i > 0; i--) {
        const uint32_t other = draw(&random) % (i + 1);
        const uint32_t kept = place[i];
        place[i] = place[other];
        place[other] = kept;
    }
    for (uint32_t i = 0; i < VERTICES; i++) {
        float *at = &sheet->position[3 * (size_t)place[i]];
        at[0] = SPACING * ((float)(i % SIDE) + (float)(draw(&random) % 1000) * 4e-4f);
        at[1] = SPACING * ((float)(draw(&random) % 1000) * 4e-4f);
        at[2] = SPACING * ((float)(i / SIDE) + (float)(draw(&random) % 1000) * 4e-4f);
    }
    uint32_t *to = sheet->triangle;
    for (uint32_t row = 0; row + 1 < SIDE; row++) {
        for (uint32_t column = 0; column + 1 < SIDE; column++) {
            const uint32_t a = place[row * SIDE + column], b = place[row * SIDE + column + 1];
            const uint32_t c = place[(row + 1) * SIDE + column], d = place[(row + 1) * SIDE + column + 1];
            const bool down = draw(&random) % 2 == 0;
            const uint32_t corners[6] = {a, b, down ? d : c, down ? a : b, d, c};
            memcpy(to, corners, sizeof corners);
            to += 6;
        }
    }
}

struct setting {
    const struct sheet *sheet;
    float compliance; // m/N
    unsigned threads;
    bool downwards;
    uint32_t bands; // wanted
};

static uint64_t hash_of(const struct setting *setting) {
    struct fault fault;
    uint32_t id = 0;
    struct sim_world *world = new_world();
    const struct sim_workers workers = {.count = setting->threads,
                                        .run = setting->downwards ? run_downwards : run_upwards};
    sim_world_set_workers(world, &workers);
    set_solver(world, 2, 3, 0.0f);
    struct sim_mesh_desc mesh = sim_mesh_desc_default();
    mesh.positions = setting->sheet->position;
    mesh.particles = VERTICES;
    mesh.triangles = setting->sheet->triangle;
    mesh.triangle_count = TRIANGLES;
    mesh.sheet.stretch_compliance = setting->compliance;
    MUST(sim_mesh_spawn(world, &mesh, &id, &fault));
    const uint32_t pins[2] = {0, SIDE - 1};
    MUST(sim_particle_pin(world, id, pins, 2, NULL, &fault));
    for (int tick = 0; tick < TICKS; tick++) {
        sim_world_step(world);
    }
    assert_int_equal(stick_arrangement_of(world, world->object), STICK_BLOCK);
    assert_int_equal(world->stick_plan[0].block_bands, setting->bands);
    const uint64_t hash = sim_world_hash(world);
    sim_world_destroy(world);
    return hash;
}

static struct sheet sheet; // too large for the stack

static void a_mesh_in_order_is_divided_with_the_bits_of_one_thread(void **state) {
    (void)state;
    make_sheet(&sheet, false);
    for (int yields = 0; yields < 2; yields++) {
        struct setting setting = {.sheet = &sheet, .compliance = yields ? 1e-5f : 0.0f, .threads = 1, .bands = 1};
        const uint64_t alone = hash_of(&setting);
        for (setting.threads = 2; setting.threads <= 4; setting.threads++) {
            // 50,181 sticks are worth three threads.
            setting.bands = setting.threads < 3 ? setting.threads : 3;
            setting.downwards = false;
            assert_int_equal(hash_of(&setting), alone);
            setting.downwards = true;
            assert_int_equal(hash_of(&setting), alone);
        }
    }
}

static void a_mesh_in_no_order_is_not_divided(void **state) {
    (void)state;
    make_sheet(&sheet, true);
    struct setting setting = {.sheet = &sheet, .threads = 1, .bands = 1};
    const uint64_t alone = hash_of(&setting);
    setting.threads = 2;
    assert_int_equal(hash_of(&setting), alone);
}

// Visits of particles wake no thread that sleeps meanwhile, unless there are many.
static void threads_are_woken_for_what_is_worth_it(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    const struct sim_workers workers = {.count = 2, .run = run_upwards};
    sim_world_set_workers(world, &workers);
    assert_int_equal(work_visit_shares(world, 2 * WORK_SHARE_MIN), 1);
    assert_int_equal(work_visit_shares(world, 2 * WORK_WAKE_MIN), 2);
    world->sticks_divided = true;
    assert_int_equal(work_visit_shares(world, 2 * WORK_SHARE_MIN), 2);
    sim_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mesh_in_order_is_divided_with_the_bits_of_one_thread),
        cmocka_unit_test(a_mesh_in_no_order_is_not_divided),
        cmocka_unit_test(threads_are_woken_for_what_is_worth_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
