// SPDX-License-Identifier: MIT
// Large irregular meshes on several threads: bands and the seams between them give the bits of one thread, in whatever
// order the shares of a round are done. The shares run one after the other here; host_parallel_for_test has threads.
#include "random_sheet.h"
#include "sim_fixture.h"

#include "sim/stick/stick_plan.h"
#include "sim/world/work.h"
#include "sim/world/world.h"

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

struct setting {
    const struct random_sheet *sheet;
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
    mesh.particles = setting->sheet->vertices;
    mesh.triangles = setting->sheet->triangle;
    mesh.triangle_count = setting->sheet->triangles;
    mesh.sheet.stretch_compliance = setting->compliance;
    MUST(sim_mesh_spawn(world, &mesh, &id, &fault));
    const uint32_t pins[2] = {0, SHEET_SIDE - 1};
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

static struct random_sheet sheet; // too large for the stack

static void check_that_bands_change_no_bit(struct setting setting) {
    setting.threads = setting.bands = 1;
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

static void a_mesh_in_order_is_divided_with_the_bits_of_one_thread(void **state) {
    (void)state;
    random_sheet_make(&sheet, SHEET_SIDE, false);
    check_that_bands_change_no_bit((struct setting){.sheet = &sheet});
    check_that_bands_change_no_bit((struct setting){.sheet = &sheet, .compliance = 1e-5f});
}

static void a_mesh_in_no_order_is_divided_with_the_bits_of_one_thread(void **state) {
    (void)state;
    random_sheet_make(&sheet, SHEET_SIDE, true);
    check_that_bands_change_no_bit((struct setting){.sheet = &sheet});
}

// λ of compliant sticks is kept in the order of the mesh, so they are divided colour by colour.
static void compliant_sticks_of_a_mesh_in_no_order_have_the_bits_of_one_thread(void **state) {
    (void)state;
    random_sheet_make(&sheet, SHEET_SIDE, true);
    struct setting setting = {.sheet = &sheet, .compliance = 1e-5f, .threads = 1, .bands = 1};
    const uint64_t alone = hash_of(&setting);
    setting.threads = setting.bands = 2;
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
        cmocka_unit_test(a_mesh_in_no_order_is_divided_with_the_bits_of_one_thread),
        cmocka_unit_test(compliant_sticks_of_a_mesh_in_no_order_have_the_bits_of_one_thread),
        cmocka_unit_test(threads_are_woken_for_what_is_worth_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
