// SPDX-License-Identifier: MIT
// Springs of a given stiffness, bending sticks, tethers, and shapes known in closed form (server/sim/PHYSICS.md 3.4, 7
// and 11).
#include "sim_fixture.h"

#include "sim/stick/tether.h"
#include "sim/world/particle.h"
#include "sim/world/wake.h"
#include "sim/world/world.h"

#define GRAVITY 9.81

static const struct vec3 origin = {0.0f, 0.0f, 0.0f};

// What swings slowly at its turning point counts as at rest; these measurements want the very end of the swing.
static void step_awake(struct sim_world *world, unsigned ticks) {
    for (unsigned i = 0; i < ticks; i++) {
        wake_all(world);
        sim_world_step(world);
    }
}

// ---- one compliant stick -----------------------------------------------------------------------------------------

// The length of a stick of 0.2 m and `compliance` by which 2 kg hang, at rest. It hangs about the origin: what gravity
// adds in a 64th of a tick is 7e-7 m, and float32 has steps of 1.2e-7 m already at 1 m.
static double hanging_length(uint32_t substeps, uint32_t iterations, float compliance, enum sim_stick_kind kind) {
    struct fault fault;
    struct sim_world *world = new_world();
    set_solver(world, substeps, iterations, 0.2f);
    const uint32_t nail = spawn_particle(world, (struct vec3){0.0f, 0.1f, 0.0f}, origin, 1.0f);
    const uint32_t load = spawn_particle(world, (struct vec3){0.0f, -0.1f, 0.0f}, origin, 2.0f);
    const uint32_t first = 0;
    uint32_t stick = 0;
    MUST(sim_particle_pin(world, nail, &first, 1, NULL, &fault));
    MUST(sim_stick_add(world, (struct sim_stick_end){nail, 0}, (struct sim_stick_end){load, 0}, 0.2f, kind, compliance,
                       &stick, &fault));
    assert_true(sim_world_stick_at(world, 0).compliance == compliance);
    step_awake(world, 600);
    const double length = distance_of(position_of(world, nail, 0), position_of(world, load, 0));
    sim_world_destroy(world);
    return length;
}

static void a_compliant_stick_gives_way_by_its_compliance_at_any_setting(void **state) {
    (void)state;
    static const uint32_t settings[][2] = {{1, 1}, {1, 32}, {4, 8}, {16, 1}, {16, 4}, {64, 3}};
    static const float compliances[] = {1e-4f, 1e-3f, 3e-3f};
    double worst = 0.0;
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        for (size_t k = 0; k < sizeof compliances / sizeof compliances[0]; k++) {
            const double expected = 2.0 * GRAVITY * (double)compliances[k];
            const double length = hanging_length(settings[i][0], settings[i][1], compliances[k], SIM_STICK_EQUAL);
            const double pulled = hanging_length(settings[i][0], settings[i][1], compliances[k], SIM_STICK_AT_MOST);
            worst = fmax(worst, fabs((length - 0.2) / expected - 1.0));
            assert_true(fabs((length - 0.2) / expected - 1.0) < 0.01);
            assert_true(fabs((pulled - 0.2) / expected - 1.0) < 0.01);
        }
    }
    print_message("stretch of a compliant stick: within %.3f %%\n", 100.0 * worst);
}

static void a_compliant_stick_that_only_pulls_does_not_push(void **state) {
    (void)state;
    struct fault fault;
    for (int kind = SIM_STICK_AT_MOST; kind <= SIM_STICK_AT_LEAST; kind++) {
        struct sim_world *world = new_world();
        set_gravity(world, 0.0f, 0.0f, 0.0f);
        const uint32_t a = spawn_particle(world, origin, origin, 1.0f);
        const uint32_t b = spawn_particle(world, (struct vec3){1.0f, 0.0f, 0.0f}, origin, 1.0f);
        uint32_t stick = 0;
        const float rest = kind == SIM_STICK_AT_MOST ? 1.5f : 0.5f;
        MUST(sim_stick_add(world, (struct sim_stick_end){a, 0}, (struct sim_stick_end){b, 0}, rest,
                           (enum sim_stick_kind)kind, 1e-3f, &stick, &fault));
        step(world, 30);
        assert_true(position_of(world, a, 0).x == 0.0f && position_of(world, b, 0).x == 1.0f);
        sim_world_destroy(world);
    }
}

// ---- ropes -------------------------------------------------------------------------------------------------------

#define LINKS 19

// How much longer than at rest a rope of 20 particles, 2 m and 1 kg is with `load` kg hung on its end.
static double rope_stretch(uint32_t substeps, uint32_t iterations, float compliance, float load) {
    struct fault fault;
    struct sim_world *world = new_world();
    set_solver(world, substeps, iterations, 0.05f);
    float masses[LINKS + 1];
    for (uint32_t i = 0; i < LINKS; i++) {
        masses[i] = 1.0f / (LINKS + 1);
    }
    masses[LINKS] = 1.0f / (LINKS + 1) + load;
    struct sim_rope_desc rope = sim_rope_desc_default();
    rope.to = (struct vec3){0.0f, -2.0f, 0.0f};
    rope.masses = masses;
    rope.stretch_compliance = compliance;
    uint32_t id = 0;
    MUST(sim_rope_spawn(world, &rope, &id, &fault));
    step_awake(world, 1200);
    const double length = -(double)position_of(world, id, LINKS).y;
    sim_world_destroy(world);
    return length - 2.0;
}

static double expected_stretch(double compliance, double load) {
    double stretch = 0.0;
    for (unsigned link = 0; link < LINKS; link++) {
        stretch += compliance * GRAVITY * (load + (LINKS - link) / (double)(LINKS + 1));
    }
    return stretch;
}

static void a_compliant_rope_stretches_by_the_load_at_any_setting(void **state) {
    (void)state;
    static const uint32_t settings[][2] = {{1, 32}, {4, 8}, {16, 4}, {2, 16}, {1, 64}};
    const double expected = expected_stretch(1e-3, 1.0);
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; i++) {
        const double stretch = rope_stretch(settings[i][0], settings[i][1], 1e-3f, 1.0f);
        print_message("%u × %u: the rope is %.5f m longer, expected %.5f\n", settings[i][0], settings[i][1], stretch,
                      expected);
        assert_true(fabs(stretch / expected - 1.0) < 0.01);
    }
}

// The load is from a twentieth to ten times as heavy as the rope, from once to two hundred times as heavy as a link.
static void a_compliant_rope_stretches_by_light_and_heavy_loads(void **state) {
    (void)state;
    static const float loads[] = {0.05f, 0.5f, 10.0f};
    for (size_t i = 0; i < sizeof loads / sizeof loads[0]; i++) {
        const double expected = expected_stretch(1e-3, (double)loads[i]);
        const double few = rope_stretch(4, 8, 1e-3f, loads[i]);
        const double many = rope_stretch(1, 64, 1e-3f, loads[i]);
        print_message("%.2f kg on a rope of 1 kg: %.4f and %.4f m longer, expected %.4f\n", (double)loads[i], few, many,
                      expected);
        assert_true(fabs(few / expected - 1.0) < 0.01 && fabs(many / expected - 1.0) < 0.01);
    }
}

// y of a catenary through (0, 0) and (span, 0) of the given length: a·cosh((x − span/2)/a) − a·cosh(span/2a).
static double catenary_parameter(double length, double span) {
    double low = 1e-2;
    double high = 1e3;
    for (unsigned i = 0; i < 200; i++) {
        const double a = 0.5 * (low + high);
        if (2.0 * a * sinh(span / (2.0 * a)) > length) {
            low = a;
        } else {
            high = a;
        }
    }
    return 0.5 * (low + high);
}

// How far from the catenary a rope of 3 m hung up over 2 m is at most, in shares of its length.
static double off_catenary(uint32_t particles) {
    struct fault fault;
    struct sim_world *world = new_world();
    set_solver(world, 16, 4, 0.01f);
    const double length = 3.0;
    const double span = 2.0;
    struct sim_rope_desc rope = sim_rope_desc_default();
    rope.particles = particles;
    rope.to = (struct vec3){(float)length, 0.0f, 0.0f};
    rope.mass = 1.0f;
    rope.pins.preset = SIM_PIN_BOTH;
    uint32_t id = 0;
    MUST(sim_rope_spawn(world, &rope, &id, &fault));
    const uint32_t end = particles - 1;
    const struct vec3 to = {(float)span, 0.0f, 0.0f};
    MUST(sim_particle_pin(world, id, &end, 1, &to, &fault));
    step_awake(world, 1800);
    const double a = catenary_parameter(length, span);
    double worst = 0.0;
    for (uint32_t i = 0; i < particles; i++) {
        const struct vec3 p = position_of(world, id, i);
        const double y = a * cosh(((double)p.x - span / 2.0) / a) - a * cosh(span / (2.0 * a));
        worst = fmax(worst, fabs((double)p.y - y));
    }
    sim_world_destroy(world);
    return worst / length;
}

static void a_hanging_rope_takes_the_shape_of_a_catenary(void **state) {
    (void)state;
    const double off = off_catenary(40);
    print_message("catenary: at most %.3f %% of the length away\n", 100.0 * off);
    assert_true(off < 0.005);
    assert_true(off_catenary(20) < 0.005);
    assert_true(off_catenary(80) < 0.005);
}

// ---- cloth -------------------------------------------------------------------------------------------------------

static uint32_t spawn_cloth(struct sim_world *world, const struct sim_cloth_desc *cloth) {
    struct fault fault;
    uint32_t id = 0;
    MUST(sim_cloth_spawn(world, cloth, &id, &fault));
    return id;
}

// Mean of |length / rest − 1| over the sticks that are as long as the lattice is wide.
static double mean_stretch(const struct sim_world *world) {
    const struct object *object = &world->object[0];
    double sum = 0.0;
    uint32_t edges = 0;
    for (uint32_t i = 0; i < object->sticks; i++) {
        if (world->stick_rest[i] == object->spacing) {
            const struct vec3 a = particle_position(world, world->stick_a[i]);
            const struct vec3 b = particle_position(world, world->stick_b[i]);
            sum += fabs(distance_of(a, b) / (double)object->spacing - 1.0);
            edges++;
        }
    }
    return sum / edges;
}

static double stretch_of_40_by_40(enum sim_square_root root) {
    struct fault fault;
    struct sim_world *world = new_world();
    set_solver(world, 8, 1, 0.01f);
    struct sim_parameters parameters = *sim_world_parameters(world);
    parameters.square_root = root;
    MUST(sim_world_set_parameters(world, &parameters, &fault));
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    cloth.columns = 40;
    cloth.rows = 40;
    (void)spawn_cloth(world, &cloth);
    step_awake(world, 300);
    const double stretch = mean_stretch(world);
    sim_world_destroy(world);
    return stretch;
}

static void without_square_roots_a_cloth_stretches_as_much(void **state) {
    (void)state;
    const double exact = stretch_of_40_by_40(SIM_SQUARE_ROOT_EXACT);
    const double approximate = stretch_of_40_by_40(SIM_SQUARE_ROOT_APPROXIMATE);
    print_message("mean stretch: exact %.3f %%, approximate %.3f %%\n", 100.0 * exact, 100.0 * approximate);
    assert_true(fabs(exact - approximate) < 0.005);
}

// How far below its pinned edge the free edge of a cloth held out flat comes to rest.
static double droop(enum sim_lattice lattice, bool bend, float compliance) {
    struct sim_world *world = new_world();
    set_solver(world, 16, 4, 0.05f);
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    cloth.columns = 8;
    cloth.rows = 10;
    cloth.lattice = lattice;
    cloth.sheet.rotation = (struct quat){-0.70710678f, 0.0f, 0.0f, 0.70710678f};
    cloth.sheet.pins.preset = SIM_PIN_LIST;
    uint32_t pins[16];
    for (uint32_t i = 0; i < 16; i++) {
        pins[i] = i;
    }
    cloth.sheet.pins.indices = pins;
    cloth.sheet.pins.count = 16; // two rows: clamped
    cloth.sheet.bend = bend;
    cloth.sheet.bend_compliance = compliance;
    const uint32_t id = spawn_cloth(world, &cloth);
    step_awake(world, 600);
    const double below = -(double)position_of(world, id, 76).y;
    sim_world_destroy(world);
    return below;
}

static void bending_sticks_hold_a_cloth_out_and_compliance_softens_them(void **state) {
    (void)state;
    for (int lattice = 0; lattice < SIM_LATTICE_COUNT; lattice++) {
        const double limp = droop((enum sim_lattice)lattice, false, 0.0f);
        const double soft = droop((enum sim_lattice)lattice, true, 1e-2f);
        const double stiff = droop((enum sim_lattice)lattice, true, 0.0f);
        print_message("droop of 0.45 m: limp %.3f, soft %.3f, stiff %.3f m\n", limp, soft, stiff);
        assert_true(stiff < 0.8 * limp && stiff + 0.01 < soft && soft + 0.01 < limp);
    }
}

// Length over rest of the way straight down from a pin, after 5 s: 8 × 1.
static double hang(uint32_t columns, uint32_t rows, bool tethers) {
    struct sim_world *world = new_world();
    set_solver(world, 8, 1, 0.01f);
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    cloth.columns = columns;
    cloth.rows = rows;
    cloth.sheet.pins.preset = SIM_PIN_TOP_EDGE;
    cloth.sheet.tethers = tethers;
    const uint32_t id = spawn_cloth(world, &cloth);
    step_awake(world, 300);
    double length = 0.0;
    const uint32_t middle = columns / 2;
    for (uint32_t row = 1; row < rows; row++) {
        length += distance_of(position_of(world, id, columns * row + middle),
                              position_of(world, id, columns * (row - 1) + middle));
    }
    sim_world_destroy(world);
    return length / ((rows - 1) * 0.05);
}

static void tethers_keep_a_hanging_cloth_from_stretching(void **state) {
    (void)state;
    static const uint32_t sizes[][2] = {{20, 60}, {64, 64}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const double without = hang(sizes[i][0], sizes[i][1], false);
        const double with = hang(sizes[i][0], sizes[i][1], true);
        print_message("hanging cloth of %u rows: %.2f %% longer, with tethers %.2f %%\n", sizes[i][1],
                      100.0 * (without - 1.0), 100.0 * (with - 1.0));
        assert_true(with - 1.0 < 0.25 * (without - 1.0));
    }
}

static void tethers_follow_the_pins(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    cloth.columns = 12;
    cloth.rows = 12;
    cloth.sheet.tethers = true;
    const uint32_t id = spawn_cloth(world, &cloth);
    step(world, 1);
    assert_int_equal(world->tether_anchor[12 * 11], 0);
    assert_true(fabs((double)world->tether_way[12 * 11] / 0x1p36 - 11 * 0.05) < 1e-6);
    assert_int_equal(world->tether_anchor[12 * 11 + 11], 11);
    const uint32_t left = 0;
    const uint32_t low = 12 * 11;
    MUST(sim_particle_unpin(world, id, &left, 1, &fault));
    MUST(sim_particle_pin(world, id, &low, 1, NULL, &fault));
    step(world, 1);
    assert_int_equal(world->tether_anchor[12 * 11 + 1], 12 * 11);
    assert_int_equal(world->tether_anchor[1], 11);
    const uint32_t rest[2] = {11, low};
    MUST(sim_particle_unpin(world, id, rest, 2, &fault));
    step(world, 1);
    assert_int_equal(world->tether_anchor[3], TETHER_NONE);
    sim_world_destroy(world);
}

// A roof of two triangles, its ridge along x, held at one eave.
static void the_bending_sticks_of_a_mesh_join_corners_across_an_edge(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    const float positions[12] = {0, 0, 0, 1, 0, 0, 0.5f, -0.5f, 1, 0.5f, -0.5f, -1};
    const uint32_t triangles[6] = {0, 2, 1, 0, 1, 3};
    struct sim_mesh_desc mesh = sim_mesh_desc_default();
    mesh.positions = positions;
    mesh.particles = 4;
    mesh.triangles = triangles;
    mesh.triangle_count = 2;
    mesh.sheet.bend = true;
    uint32_t id = 0;
    MUST(sim_mesh_spawn(world, &mesh, &id, &fault));
    const struct object *object = &world->object[0];
    assert_int_equal(object->sticks, 6);
    assert_int_equal(world->stick_a[0] + world->stick_b[0], 5);
    assert_true(fabsf(world->stick_rest[0] - 2.0f) < 1e-6f);
    assert_int_equal(world->colour_class[0], COLOUR_BEND);
    assert_int_equal(world->colour_class[1], SIM_STICK_EQUAL);
    sim_world_destroy(world);
}

// ---- refusals ----------------------------------------------------------------------------------------------------

static void expect_refusal(enum result result, const struct fault *fault, const char *pointer) {
    assert_int_equal(result, RESULT_INVALID);
    assert_string_equal(fault->pointer, pointer);
}

static void materials_and_figures_that_make_no_sense_are_refused(void **state) {
    (void)state;
    struct fault fault;
    uint32_t id = 0;
    struct sim_world *world = new_world();
    const uint64_t before = sim_world_hash(world);
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    cloth.sheet.tear = 1.0f;
    expect_refusal(sim_cloth_spawn(world, &cloth, &id, &fault), &fault, "/tear");
    cloth.sheet.tear = (float)NAN;
    expect_refusal(sim_cloth_spawn(world, &cloth, &id, &fault), &fault, "/tear");
    cloth = sim_cloth_desc_default();
    cloth.sheet.stretch_compliance = -1.0f;
    expect_refusal(sim_cloth_spawn(world, &cloth, &id, &fault), &fault, "/stretchCompliance");
    cloth = sim_cloth_desc_default();
    cloth.sheet.bend_compliance = (float)INFINITY;
    expect_refusal(sim_cloth_spawn(world, &cloth, &id, &fault), &fault, "/bendCompliance");
    cloth = sim_cloth_desc_default();
    cloth.sheet.thickness = 2.0f;
    expect_refusal(sim_cloth_spawn(world, &cloth, &id, &fault), &fault, "/thickness");
    cloth = sim_cloth_desc_default();
    cloth.sheet.restitution = 1.5f;
    expect_refusal(sim_cloth_spawn(world, &cloth, &id, &fault), &fault, "/restitution");
    struct sim_rope_desc rope = sim_rope_desc_default();
    rope.to.x = 1.0f;
    rope.thickness = -0.1f;
    expect_refusal(sim_rope_spawn(world, &rope, &id, &fault), &fault, "/thickness");
    struct sim_plant_desc plant = sim_plant_desc_default();
    plant.levels = 2;
    expect_refusal(sim_plant_spawn(world, &plant, &id, &fault), &fault, "/levels");
    plant = sim_plant_desc_default();
    plant.leaves = 65;
    expect_refusal(sim_plant_spawn(world, &plant, &id, &fault), &fault, "/leaves");
    plant = sim_plant_desc_default();
    plant.stiffness = 1.1f;
    expect_refusal(sim_plant_spawn(world, &plant, &id, &fault), &fault, "/stiffness");
    struct sim_ragdoll_desc ragdoll = sim_ragdoll_desc_default();
    ragdoll.height = 0.0f;
    expect_refusal(sim_ragdoll_spawn(world, &ragdoll, &id, &fault), &fault, "/height");
    ragdoll = sim_ragdoll_desc_default();
    ragdoll.mass = (float)NAN;
    expect_refusal(sim_ragdoll_spawn(world, &ragdoll, &id, &fault), &fault, "/mass");
    assert_true(sim_world_hash(world) == before);
    sim_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_compliant_stick_gives_way_by_its_compliance_at_any_setting),
        cmocka_unit_test(a_compliant_stick_that_only_pulls_does_not_push),
        cmocka_unit_test(a_compliant_rope_stretches_by_the_load_at_any_setting),
        cmocka_unit_test(a_compliant_rope_stretches_by_light_and_heavy_loads),
        cmocka_unit_test(a_hanging_rope_takes_the_shape_of_a_catenary),
        cmocka_unit_test(without_square_roots_a_cloth_stretches_as_much),
        cmocka_unit_test(bending_sticks_hold_a_cloth_out_and_compliance_softens_them),
        cmocka_unit_test(tethers_keep_a_hanging_cloth_from_stretching),
        cmocka_unit_test(tethers_follow_the_pins),
        cmocka_unit_test(the_bending_sticks_of_a_mesh_join_corners_across_an_edge),
        cmocka_unit_test(materials_and_figures_that_make_no_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
