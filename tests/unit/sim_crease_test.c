// SPDX-License-Identifier: MIT
// Creases of fabric: what is bent beyond the yield keeps the bending less the yield (server/sim/PHYSICS.md 7.6).
#include "sim_fixture.h"

#include "sim/world/world.h"

#define LENGTH 0.24f // m, of the strip, along x
#define YIELD 4.0f   // 1/m

static struct sim_fabric springy(float crease) {
    struct sim_fabric fabric = sim_fabric_named(SIM_FABRIC_DENIM);
    fabric.bend_warp = fabric.bend_weft = 1e-3f;
    fabric.crease = crease;
    return fabric;
}

static uint32_t spawn(struct sim_world *world, uint32_t columns, enum sim_lattice lattice, float crease) {
    struct fault fault;
    uint32_t id = 0;
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    cloth.columns = columns + 1;
    cloth.rows = 4;
    cloth.spacing = LENGTH / (float)columns;
    cloth.lattice = lattice;
    cloth.sheet.pins.preset = SIM_PIN_NONE;
    cloth.sheet.fabric = springy(crease);
    MUST(sim_cloth_spawn(world, &cloth, &id, &fault));
    return id;
}

// Bends the strip about y to a curvature, slowly, in a hundred ticks, and lets it spring back.
static void fold(struct sim_world *world, uint32_t cloth, float curvature, uint32_t ticks) {
    struct fault fault;
    const uint32_t count = view_of(world, cloth).particles;
    struct vec3 flat[256];
    uint32_t all[256];
    for (uint32_t i = 0; i < count; i++) {
        flat[i] = position_of(world, cloth, i);
        all[i] = i;
    }
    MUST(sim_particle_pin(world, cloth, all, count, NULL, &fault));
    for (uint32_t tick = 1; tick <= ticks; tick++) {
        const float bent = curvature * (float)tick / (float)ticks;
        for (uint32_t i = 0; i < count; i++) {
            const struct vec3 to = {sinf(bent * flat[i].x) / bent, flat[i].y, (1.0f - cosf(bent * flat[i].x)) / bent};
            MUST(sim_particle_move(world, cloth, i, to, SIM_MOVE_TELEPORT, &fault));
        }
        sim_world_step(world);
    }
    MUST(sim_particle_unpin(world, cloth, all, count, &fault));
}

static void prepare(struct sim_world *world) {
    set_solver(world, 8, 20, 0.2f);
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    set_vacuum(world);
}

// The angle between the tangents at the ends of the second row, less that of two halves of links, per length: the mean
// curvature of the strip.
static double angle_of(const struct sim_world *world, uint32_t cloth, uint32_t columns) {
    double tangent[2][2];
    for (unsigned k = 0; k < 2; k++) {
        const uint32_t at = columns + 1 + (k == 0 ? 1 : columns - 2);
        const struct vec3 a = position_of(world, cloth, at), b = position_of(world, cloth, at + 1);
        tangent[k][0] = (double)(b.x - a.x);
        tangent[k][1] = (double)(b.z - a.z);
    }
    const double cross = tangent[0][0] * tangent[1][1] - tangent[0][1] * tangent[1][0];
    const double dot = tangent[0][0] * tangent[1][0] + tangent[0][1] * tangent[1][1];
    return atan2(cross, dot) / ((double)LENGTH * (double)(columns - 3) / (double)columns);
}

static double kept(uint32_t columns, enum sim_lattice lattice, float crease, float curvature, uint32_t substeps) {
    struct sim_world *world = new_world();
    prepare(world);
    set_solver(world, substeps, 160 / substeps, 0.2f);
    const uint32_t cloth = spawn(world, columns, lattice, crease);
    fold(world, cloth, curvature, 20);
    step(world, 300);
    const double angle = angle_of(world, cloth, columns);
    sim_world_destroy(world);
    return angle;
}

static void a_fold_keeps_its_angle_less_the_yield(void **state) {
    (void)state;
    double worst = 0.0;
    for (unsigned i = 0; i < 12; i++) {
        const uint32_t columns = i % 3 == 0 ? 12 : i % 3 == 1 ? 18 : 24;
        const enum sim_lattice lattice = i / 3 % 2 == 0 ? SIM_LATTICE_GRID : SIM_LATTICE_HEX;
        const float curvature = i < 6 ? 9.0f : -12.0f;
        const double left = kept(columns, lattice, YIELD, curvature, i % 2 == 0 ? 4 : 16);
        const double expected = curvature > 0.0f ? (double)(curvature - YIELD) : (double)(curvature + YIELD);
        const double off = 100.0 * fabs(left / expected - 1.0);
        printf("%u columns, lattice %d, folded to %g 1/m: keeps %.3f, expected %.3f\n", columns, lattice,
               (double)curvature, left, expected);
        worst = off > worst ? off : worst;
    }
    printf("creases of strips, two meshes at three resolutions: angle within %.2f %% of (angle - yield)\n", worst);
    assert_true(worst < 10.0);
}

static void bending_below_the_yield_does_not_stay(void **state) {
    (void)state;
    const double below = kept(18, SIM_LATTICE_GRID, YIELD, 3.0f, 8);
    const double elastic = kept(18, SIM_LATTICE_GRID, 0.0f, 12.0f, 8);
    printf("bent below the yield, it keeps %.4f 1/m; without one, bent to 12, %.4f\n", below, elastic);
    assert_true(fabs(below) < 0.1 && fabs(elastic) < 0.1);
}

// Creases are state: they survive a snapshot and count in the hash.
static void creases_are_saved_and_hashed(void **state) {
    (void)state;
    struct sim_world *world = new_world(), *twin = new_world();
    prepare(world);
    prepare(twin);
    const uint32_t cloth = spawn(world, 12, SIM_LATTICE_GRID, YIELD);
    assert_int_equal(spawn(twin, 12, SIM_LATTICE_GRID, 2.0f * YIELD), cloth);
    assert_true(sim_world_hash(world) != sim_world_hash(twin));
    fold(world, cloth, 9.0f, 10);
    struct sim_snapshot *snapshot = NULL;
    assert_int_equal(sim_world_save(world, &snapshot), RESULT_OK);
    step(world, 50);
    const uint64_t hash = sim_world_hash(world);
    sim_world_restore(world, snapshot);
    sim_snapshot_destroy(snapshot);
    step(world, 50);
    assert_int_equal(sim_world_hash(world), hash);
    sim_world_destroy(world);
    sim_world_destroy(twin);
}

static void a_yield_has_limits(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    struct fault fault;
    uint32_t id = 0;
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    cloth.sheet.fabric = springy(1e6f);
    assert_int_equal(sim_cloth_spawn(world, &cloth, &id, &fault), RESULT_INVALID);
    assert_string_equal(fault.pointer, "/creaseCurvature");
    cloth.sheet.fabric = springy(-1.0f);
    assert_int_equal(sim_cloth_spawn(world, &cloth, &id, &fault), RESULT_INVALID);
    sim_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fold_keeps_its_angle_less_the_yield),
        cmocka_unit_test(bending_below_the_yield_does_not_stay),
        cmocka_unit_test(creases_are_saved_and_hashed),
        cmocka_unit_test(a_yield_has_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
