// SPDX-License-Identifier: MIT
// Memory that goes back to the system: what was used, and is not needed any more, costs nothing, and no result differs.
#include "sim_fixture.h"

#include <unistd.h>

#define SIDE 36u

// Lies flat at a height, and meets itself, the cloth below and the floor.
static uint32_t drop_cloth(struct sim_world *world, float height, uint32_t side) {
    struct fault fault;
    uint32_t id = 0;
    struct sim_cloth_desc cloth = level_cloth(side, height);
    cloth.spacing = 0.05f;
    MUST(sim_cloth_spawn(world, &cloth, &id, &fault));
    return id;
}

static void drop_boxes(struct sim_world *world) {
    struct fault fault;
    uint32_t id = 0;
    for (unsigned i = 0; i < 9; i++) {
        struct sim_body_desc body = sim_body_desc_default();
        body.position = (struct vec3){0.5f * (float)(i % 3), 1.2f, 0.5f * (float)(i / 3)};
        body.angular_velocity = (struct vec3){(float)i, 1.0f, 2.0f};
        MUST(sim_body_spawn(world, &body, &id, &fault));
    }
}

static void set_floor(struct sim_world *world) {
    struct fault fault;
    struct sim_parameters parameters = *sim_world_parameters(world);
    parameters.bounds_min.y = 0.0f;
    MUST(sim_world_set_parameters(world, &parameters, &fault));
}

// One of the ticks of a pile that is built, taken apart and built again.
static void live(struct sim_world *world, unsigned tick) {
    struct fault fault;
    if (tick == 0) {
        set_floor(world);
        (void)drop_cloth(world, 0.05f, SIDE);
        (void)drop_cloth(world, 0.12f, SIDE);
        drop_boxes(world);
    } else if (tick == 15) {
        MUST(sim_object_remove(world, sim_world_object_at(world, 0).id, &fault));
    } else if (tick == 20) {
        while (sim_world_object_count(world) > 1) {
            MUST(sim_object_remove(world, sim_world_object_at(world, 0).id, &fault));
        }
    } else if (tick == 25) {
        (void)drop_cloth(world, 0.3f, SIDE);
        drop_boxes(world);
    }
    sim_world_step(world);
}

static void a_world_that_gives_back_goes_on_as_it_would_have(void **state) {
    (void)state;
    struct sim_world *kept = new_world();
    struct sim_world *given = new_world();
    for (unsigned tick = 0; tick < 40; tick++) {
        live(kept, tick);
        live(given, tick);
        sim_world_give_back(given);
        assert_true(sim_world_hash(given) == sim_world_hash(kept));
    }
    sim_world_destroy(kept);
    sim_world_destroy(given);
}

static double resident_megabytes(void) {
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    unsigned long all = 0;
    unsigned long resident = 0;
    assert_int_equal(fscanf(file, "%lu %lu", &all, &resident), 2);
    fclose(file);
    return (double)resident * (double)sysconf(_SC_PAGESIZE) / 1048576.0;
}

static void what_is_removed_gives_its_memory_back(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    set_floor(world);
    (void)drop_cloth(world, 0.05f, 2);
    step(world, 2);
    const double before = resident_megabytes();
    const uint32_t cloth = drop_cloth(world, 0.01f, 140);
    step(world, 2);
    const double full = resident_megabytes();
    sim_world_give_back(world);
    const double needed = resident_megabytes();
    MUST(sim_object_remove(world, cloth, &fault));
    step(world, 2);
    sim_world_give_back(world);
    const double after = resident_megabytes();
    print_message("resident: %.1f MB, with 19,600 particles %.1f, of them needed %.1f, without them %.1f\n", before,
                  full, needed, after);
    assert_true(needed > before + 0.5 * (full - before));
    assert_true(after < before + 0.3 * (full - before));
    sim_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_world_that_gives_back_goes_on_as_it_would_have),
        cmocka_unit_test(what_is_removed_gives_its_memory_back),
    };
    return cmocka_run_group_tests_name("sim_give_back", tests, NULL, NULL);
}
