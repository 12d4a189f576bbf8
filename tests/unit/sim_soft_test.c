// SPDX-License-Identifier: MIT
// Soft bodies of tetrahedra (PHYSICS.md 17): momenta, bending, volume, rest, what is refused, and the same bits.
#include "sim_fixture.h"

#include <string.h>

#include "sim/archive.h"
#include "sim/probe.h"

static uint32_t spawn(struct sim_world *world, struct sim_soft_desc desc) {
    uint32_t id = 0;
    struct fault fault;
    MUST(sim_soft_spawn(world, &desc, &id, &fault));
    return id;
}

static void add_ground(struct sim_world *world) {
    uint32_t id = 0;
    struct fault fault;
    const struct sim_obstacle ground = {.shape = SIM_OBSTACLE_PLANE, .normal = {0.0f, 1.0f, 0.0f}, .friction = 0.5f};
    MUST(sim_obstacle_add(world, &ground, &id, &fault));
}

static void run(struct sim_world *world, int ticks) {
    for (int tick = 0; tick < ticks; tick++) {
        sim_world_step(world);
    }
}

static double length_of(struct sim_triple t) {
    return sqrt(t.x * t.x + t.y * t.y + t.z * t.z);
}

static double change_of(struct sim_triple after, struct sim_triple before) {
    const struct sim_triple change = {after.x - before.x, after.y - before.y, after.z - before.z};
    return 100.0 * length_of(change) / length_of(before);
}

// ---- physics -----------------------------------------------------------------------------------------------------

static void a_soft_body_in_free_flight_keeps_its_momenta_and_its_energy(void **unused) {
    (void)unused;
    struct sim_world *world = new_world();
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    struct sim_soft_desc desc = sim_soft_desc_default();
    desc.extents = (struct vec3){0.6f, 0.4f, 0.3f};
    desc.cells[0] = 6;
    desc.velocity = (struct vec3){0.3f, 0.2f, -0.1f};
    desc.angular_velocity = (struct vec3){2.0f, 5.0f, -3.0f};
    desc.young = 1e7f;
    spawn(world, desc);
    run(world, 120); // the swelling by its spin has died away
    const struct sim_measure before = sim_world_measure(world);
    run(world, 600);
    const struct sim_measure after = sim_world_measure(world);
    const double momentum = change_of(after.momentum, before.momentum);
    const double spin = change_of(after.angular_momentum, before.angular_momentum);
    const double energy = 100.0 * fabs(after.kinetic / before.kinetic - 1.0);
    printf("soft body in free flight: momentum off by %.4f %%, angular momentum by %.4f %%, energy by %.4f %%\n",
           momentum, spin, energy);
    assert_true(momentum <= 0.1 && spin <= 0.1 && energy <= 0.1);
    sim_world_destroy(world);
}

static double mean_height(const struct sim_world *world, const uint32_t *particle, uint32_t count) {
    double sum = 0.0;
    for (uint32_t i = 0; i < count; i++) {
        sum += (double)sim_world_particles(world).y[particle[i]];
    }
    return sum / count;
}

// A beam of `thick` cells, held at one end, with a load at the other: its sag as a share of P·L³/(3·E·I).
static double bend(uint32_t thick) {
    struct sim_world *world = new_world();
    struct fault fault;
    const float length = 0.8f, side = 0.1f, young = 1e5f, load = 0.04f;
    const uint32_t along = 8 * thick, wide = thick / 2;
    uint32_t pins[64], ends[64], count = 0;
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    set_solver(world, 64, 1, 0.05f);
    struct sim_soft_desc desc = sim_soft_desc_default();
    desc.extents = (struct vec3){length, side, side};
    desc.cells[0] = along;
    desc.cells[1] = thick;
    desc.cells[2] = wide;
    desc.young = young;
    desc.poisson = 0.3f;
    desc.viscosity = 0.0f;
    for (uint32_t z = 0; z <= wide; z++) {
        for (uint32_t y = 0; y <= thick; y++) {
            pins[count] = (z * (thick + 1) + y) * (along + 1);
            ends[count] = pins[count] + along;
            count++;
        }
    }
    desc.pins = (struct sim_pins){SIM_PIN_LIST, pins, count};
    const uint32_t id = spawn(world, desc);
    const double start = mean_height(world, ends, count);
    MUST(sim_force_apply(world, id, ends, count, (struct vec3){0.0f, -load, 0.0f}, 300, &fault));
    run(world, 300);
    const double inertia = (double)side * pow((double)side, 3) / 12.0;
    const double expected = (double)load * pow((double)length, 3) / (3.0 * (double)young * inertia);
    const double sag = start - mean_height(world, ends, count);
    printf("beam of %u×%u×%u cells: sags %.5f m, Euler and Bernoulli %.5f m: off by %.1f %%\n", along, thick, wide, sag,
           expected, 100.0 * fabs(sag / expected - 1.0));
    sim_world_destroy(world);
    return sag / expected;
}

static void a_beam_bends_as_euler_and_bernoulli_say(void **unused) {
    (void)unused;
    assert_true(fabs(bend(4) - 1.0) <= 0.1);
    assert_true(fabs(bend(6) - 1.0) <= 0.1);
}

static void a_body_that_is_nearly_incompressible_keeps_its_volume(void **unused) {
    (void)unused;
    struct sim_world *world = new_world();
    struct fault fault;
    uint32_t id = 0;
    add_ground(world);
    set_solver(world, 16, 2, 0.02f);
    struct sim_soft_desc desc = sim_soft_desc_default();
    desc.poisson = 0.49f;
    desc.position.y = 0.21f;
    const uint32_t soft = spawn(world, desc);
    const double before = sim_object_volume(world, soft);
    struct sim_body_desc plate = sim_body_desc_default();
    plate.shape = SIM_BODY_BOX;
    plate.extents = (struct vec3){0.8f, 0.1f, 0.8f};
    plate.position.y = 0.5f;
    plate.mass = 40.0f;
    MUST(sim_body_spawn(world, &plate, &id, &fault));
    run(world, 300);
    const double height = (double)sim_world_particles(world).y[sim_world_object_at(world, 1).first] - 0.05;
    const double change = 100.0 * (sim_object_volume(world, soft) / before - 1.0);
    printf("soft body of ratio 0.49 under 40 kg, pressed from 0.42 m to about %.2f m: volume off by %.2f %%\n", height,
           fabs(change));
    assert_true(height < 0.38 && height > 0.1);
    assert_true(fabs(change) <= 2.0);
    sim_world_destroy(world);
}

static void a_soft_body_comes_to_rest_and_sleeps(void **unused) {
    (void)unused;
    struct sim_world *world = new_world();
    add_ground(world);
    struct sim_soft_desc desc = sim_soft_desc_default();
    desc.position.y = 0.6f;
    spawn(world, desc);
    desc.shape = SIM_SOFT_BALL;
    desc.position.x = 1.0f;
    spawn(world, desc);
    run(world, 900);
    for (uint32_t i = 0; i < 2; i++) {
        assert_true(sim_world_object_at(world, i).asleep);
        assert_false(sim_world_object_at(world, i).quarantined);
    }
    sim_world_destroy(world);
}

// Turned inside out by a command, it comes back with its volume.
static void inverted_tetrahedra_recover(void **unused) {
    (void)unused;
    struct sim_world *world = new_world();
    struct fault fault;
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    struct sim_soft_desc desc = sim_soft_desc_default();
    desc.cells[0] = desc.cells[1] = desc.cells[2] = 2;
    const uint32_t id = spawn(world, desc);
    const double before = sim_object_volume(world, id);
    const struct sim_particles_view view = sim_world_particles(world);
    for (uint32_t i = 0; i < view.count; i++) {
        const struct vec3 mirrored = {-view.x[i], view.y[i], view.z[i]};
        MUST(sim_particle_move(world, id, i, mirrored, SIM_MOVE_TELEPORT, &fault));
    }
    assert_true(sim_object_volume(world, id) < -0.9 * before);
    run(world, 300);
    assert_true(fabs(sim_object_volume(world, id) / before - 1.0) < 0.05);
    for (uint32_t i = 0; i < view.count; i++) { // and from a single point
        MUST(sim_particle_move(world, id, i, (struct vec3){0.0f, 0.0f, 0.0f}, SIM_MOVE_TELEPORT, &fault));
    }
    run(world, 600);
    assert_false(sim_world_object_at(world, 0).quarantined);
    assert_true(fabs(sim_object_volume(world, id) / before - 1.0) < 0.05);
    sim_world_destroy(world);
}

static void a_rigid_body_and_a_cloth_lie_on_a_soft_body(void **unused) {
    (void)unused;
    struct sim_world *world = new_world();
    struct fault fault;
    uint32_t id = 0;
    add_ground(world);
    struct sim_soft_desc desc = sim_soft_desc_default();
    desc.position.y = 0.22f;
    desc.young = 1e5f;
    spawn(world, desc);
    struct sim_body_desc box = sim_body_desc_default();
    box.shape = SIM_BODY_BOX;
    box.extents = (struct vec3){0.2f, 0.2f, 0.2f};
    box.position.y = 0.6f;
    MUST(sim_body_spawn(world, &box, &id, &fault));
    desc.position.x = 3.0f;
    spawn(world, desc);
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    cloth.columns = cloth.rows = 9;
    cloth.spacing = 0.08f;
    cloth.sheet.position = (struct vec3){3.0f, 0.6f, 0.0f};
    cloth.sheet.rotation = (struct quat){0.70710678f, 0.0f, 0.0f, 0.70710678f};
    cloth.sheet.pins.preset = SIM_PIN_NONE;
    cloth.sheet.thickness = 0.01f;
    MUST(sim_cloth_spawn(world, &cloth, &id, &fault));
    run(world, 240);
    const struct sim_object_view body = sim_world_object_at(world, 1), sheet = sim_world_object_at(world, 3);
    double height = 0.0;
    for (uint32_t i = 0; i < 4; i++) {
        height += 0.25 * (double)sim_world_particles(world).y[body.first + i];
    }
    assert_true(height > 0.4 && height < 0.6);
    const float middle = sim_world_particles(world).y[sheet.first + 40];
    assert_true(middle > 0.38f && middle < 0.5f);
    sim_world_destroy(world);
}

// ---- what is refused ---------------------------------------------------------------------------------------------

static void refuses(struct sim_world *world, struct sim_soft_desc desc, const char *pointer, const char *why) {
    uint32_t id = 0;
    struct fault fault = {0};
    assert_int_not_equal(sim_soft_spawn(world, &desc, &id, &fault), RESULT_OK);
    assert_string_equal(fault.pointer, pointer);
    if (strstr(fault.message, why) == NULL) {
        fail_msg("%s: %s", pointer, fault.message);
    }
}

static void what_is_degenerate_is_refused_with_its_member(void **unused) {
    (void)unused;
    struct sim_world *world = new_world();
    float corners[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1};
    uint32_t two[] = {0, 1, 2, 3, 1, 2, 3, 4};
    struct sim_soft_desc desc = sim_soft_desc_default();
    const uint64_t before = sim_world_hash(world);
    desc.shape = SIM_SOFT_TETRAHEDRA;
    desc.positions = corners;
    desc.particles = 5;
    desc.tetrahedra = two;
    desc.tetrahedron_count = 2;
    const struct sim_soft_desc good = desc;
    desc.tetrahedron_count = 1;
    refuses(world, desc, "/positions/4", "belongs to no tetrahedron");
    desc = good;
    two[7] = 5;
    refuses(world, desc, "/tetrahedra/1", "there are 5");
    two[7] = 3;
    refuses(world, desc, "/tetrahedra/1", "four different corners");
    two[4] = 0;
    two[5] = 1;
    two[6] = 2;
    two[7] = 4;
    refuses(world, desc, "/tetrahedra/1", "the same side");
    two[4] = 1;
    two[5] = 2;
    two[6] = 3;
    corners[11] = 0.0f;
    corners[14] = 0.0f;
    refuses(world, desc, "/tetrahedra/0", "flat");
    corners[11] = corners[14] = 1.0f;
    corners[3] = NAN;
    refuses(world, desc, "/positions/3", "must be");
    corners[3] = 1.0f;
    desc.poisson = 0.6f;
    refuses(world, desc, "/poisson", "0 to 0.5");
    desc = good;
    desc.young = 0.0f;
    refuses(world, desc, "/young", "Pa");
    desc = good;
    desc.thickness = 5.0f;
    refuses(world, desc, "/thickness", "thickness must be");
    desc = sim_soft_desc_default();
    desc.cells[1] = 0;
    refuses(world, desc, "/cells", "1 to 256");
    desc.shape = SIM_SOFT_BALL;
    desc.cells[0] = 3;
    refuses(world, desc, "/cells", "even");
    desc = sim_soft_desc_default();
    desc.cells[0] = desc.cells[1] = desc.cells[2] = 200;
    refuses(world, desc, "", "limit");
    assert_true(sim_world_hash(world) == before);
    spawn(world, good); // either order of the corners will do
    two[0] = 1;
    two[1] = 0;
    spawn(world, good);
    assert_true(sim_object_volume(world, 1) > 0.0 && sim_object_volume(world, 2) == sim_object_volume(world, 1));
    sim_world_destroy(world);
}

// ---- the same bits -----------------------------------------------------------------------------------------------

static struct sim_world *mixed_world(uint32_t *middle) {
    struct sim_world *world = new_world();
    add_ground(world);
    struct sim_soft_desc desc = sim_soft_desc_default();
    desc.position.y = 0.5f;
    spawn(world, desc);
    desc.shape = SIM_SOFT_BALL;
    desc.position.x = 0.1f;
    desc.position.y = 1.0f;
    *middle = spawn(world, desc);
    desc.shape = SIM_SOFT_BOX;
    desc.position.y = 1.6f;
    desc.self_collision = true;
    spawn(world, desc);
    return world;
}

static void run_tasks_backwards(void *context, unsigned shares, void (*task)(void *argument, unsigned share),
                                void *argument) {
    (void)context;
    for (unsigned share = shares; share > 0; share--) {
        task(argument, share - 1);
    }
}

static void archives_threads_and_removals_keep_the_bits(void **unused) {
    (void)unused;
    uint32_t middle = 0;
    struct fault fault;
    struct sim_world *world = mixed_world(&middle), *threaded = mixed_world(&middle), *copy = new_world();
    const struct sim_workers workers = {.count = 4, .run = run_tasks_backwards};
    sim_world_set_workers(threaded, &workers);
    run(world, 40);
    run(threaded, 40);
    assert_true(sim_world_hash(world) == sim_world_hash(threaded));
    const size_t length = sim_world_archive_length(world);
    void *bytes = malloc(length);
    sim_world_archive(world, bytes);
    MUST(sim_world_unarchive(copy, bytes, length, &fault));
    free(bytes);
    MUST(sim_object_remove(world, middle, &fault));
    MUST(sim_object_remove(threaded, middle, &fault));
    MUST(sim_object_remove(copy, middle, &fault));
    run(world, 60);
    run(threaded, 60);
    run(copy, 60);
    assert_true(sim_world_hash(world) == sim_world_hash(threaded));
    assert_true(sim_world_hash(world) == sim_world_hash(copy));
    assert_int_equal(sim_world_counts(world).tetrahedra, 2 * 320);
    sim_world_destroy(world);
    sim_world_destroy(threaded);
    sim_world_destroy(copy);
}

static void an_archive_with_impossible_tetrahedra_is_refused(void **unused) {
    (void)unused;
    struct sim_world *world = new_world(), *copy = new_world();
    struct fault fault;
    struct sim_soft_desc desc = sim_soft_desc_default();
    desc.cells[0] = desc.cells[1] = desc.cells[2] = 1;
    spawn(world, desc);
    const struct sim_object_view view = sim_world_object_at(world, 0);
    uint32_t *corner = (uint32_t *)(uintptr_t)view.tetrahedra; // as a stranger might write it
    const uint32_t values[] = {view.particles, corner[1]};
    for (unsigned i = 0; i < 2; i++) {
        const uint32_t kept = corner[0];
        const size_t length = sim_world_archive_length(world);
        void *bytes = malloc(length);
        corner[0] = values[i];
        sim_world_archive(world, bytes);
        corner[0] = kept;
        assert_int_equal(sim_world_unarchive(copy, bytes, length, &fault), RESULT_INVALID);
        free(bytes);
    }
    sim_world_destroy(world);
    sim_world_destroy(copy);
}

static void a_soft_body_changes_its_material(void **unused) {
    (void)unused;
    struct sim_world *world = new_world();
    struct fault fault;
    uint32_t id = 0;
    const float young = 5e5f, nothing = 0.0f, ratio = 0.45f;
    const uint32_t soft = spawn(world, sim_soft_desc_default());
    MUST(sim_object_set(world, soft, (struct sim_material){.young = &young, .poisson = &ratio}, &fault));
    assert_true(sim_world_object_at(world, 0).young == young && sim_world_object_at(world, 0).poisson == ratio);
    assert_int_equal(sim_object_set(world, soft, (struct sim_material){.young = &nothing}, &fault), RESULT_INVALID);
    assert_string_equal(fault.pointer, "/young");
    struct sim_rope_desc rope = sim_rope_desc_default();
    rope.to.x = 1.0f;
    MUST(sim_rope_spawn(world, &rope, &id, &fault));
    assert_int_equal(sim_object_set(world, id, (struct sim_material){.poisson = &ratio}, &fault), RESULT_INVALID);
    assert_string_equal(fault.pointer, "/poisson");
    assert_int_equal(sim_object_set(world, soft, (struct sim_material){.pressure = &young}, &fault), RESULT_INVALID);
    assert_string_equal(fault.pointer, "/pressure");
    sim_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_soft_body_in_free_flight_keeps_its_momenta_and_its_energy),
        cmocka_unit_test(a_beam_bends_as_euler_and_bernoulli_say),
        cmocka_unit_test(a_body_that_is_nearly_incompressible_keeps_its_volume),
        cmocka_unit_test(a_soft_body_comes_to_rest_and_sleeps),
        cmocka_unit_test(inverted_tetrahedra_recover),
        cmocka_unit_test(a_rigid_body_and_a_cloth_lie_on_a_soft_body),
        cmocka_unit_test(what_is_degenerate_is_refused_with_its_member),
        cmocka_unit_test(archives_threads_and_removals_keep_the_bits),
        cmocka_unit_test(an_archive_with_impossible_tetrahedra_is_refused),
        cmocka_unit_test(a_soft_body_changes_its_material),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
