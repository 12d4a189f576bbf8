// SPDX-License-Identifier: MIT
// Stiffness, bending and mass of objects that exist already: they act as if the object had been made with them.
#include "sim_fixture.h"

#include "sim/world/wake.h"

#define GRAVITY 9.81

static const struct vec3 top = {0.0f, 0.1f, 0.0f};

static struct sim_world *new_still_world(void) {
    struct sim_world *world = new_world();
    set_solver(world, 8, 4, 0.2f);
    set_vacuum(world);
    return world;
}

static void step_awake(struct sim_world *world, unsigned ticks) {
    for (unsigned i = 0; i < ticks; i++) {
        wake_all(world);
        sim_world_step(world);
    }
}

// A rope of 0.2 m and two particles, of `mass` kg in all, that hangs by its first.
static uint32_t hang(struct sim_world *world, float mass, float compliance) {
    struct fault fault;
    uint32_t id = 0;
    struct sim_rope_desc rope = sim_rope_desc_default();
    rope.from = top;
    rope.to = (struct vec3){0.0f, -0.1f, 0.0f};
    rope.particles = 2;
    rope.mass = mass;
    rope.stretch_compliance = compliance;
    MUST(sim_rope_spawn(world, &rope, &id, &fault));
    return id;
}

static double stretch_of(const struct sim_world *world, uint32_t rope) {
    return (double)top.y - (double)position_of(world, rope, 1).y - 0.2;
}

static void set(struct sim_world *world, uint32_t object, struct sim_material material) {
    struct fault fault;
    MUST(sim_object_set(world, object, material, &fault));
}

static double mass_of(const struct sim_world *world, uint32_t object) {
    struct fault fault;
    struct sim_object_view view;
    MUST(sim_object_find(world, object, &view, &fault));
    return sim_object_mass(world, &view);
}

// ---- stiffness ---------------------------------------------------------------------------------------------------

static void half_the_compliance_halves_the_stretch(void **state) {
    (void)state;
    struct sim_world *world = new_still_world();
    const float compliance = 2e-3f, half = 1e-3f, rigid = 0.0f;
    const uint32_t rope = hang(world, 2.0f, compliance);
    step_awake(world, 600);
    const double soft = stretch_of(world, rope);
    set(world, rope, (struct sim_material){.stretch_compliance = &half});
    step_awake(world, 600);
    const double stiff = stretch_of(world, rope);
    set(world, rope, (struct sim_material){.stretch_compliance = &rigid});
    step_awake(world, 600);
    assert_true(fabs(soft / (GRAVITY * 2e-3) - 1.0) < 0.01); // 1 kg hangs
    assert_true(fabs(soft / stiff - 2.0) < 0.01);
    assert_true(fabs(stretch_of(world, rope)) < 1e-5);
    sim_world_destroy(world);
}

// A cloth that lies on a ball, with a rope on it by an added stick.
static void fill(struct sim_world *world, float stretch, float bend, uint32_t *cloth, uint32_t *rope) {
    struct fault fault;
    uint32_t id = 0;
    struct sim_obstacle ball = {.shape = SIM_OBSTACLE_SPHERE, .radius = 0.5f, .friction = 0.5f};
    MUST(sim_obstacle_add(world, &ball, &id, &fault));
    struct sim_cloth_desc desc = sim_cloth_desc_default();
    desc.columns = desc.rows = 24;
    desc.sheet.position = (struct vec3){0.0f, 1.3f, 0.0f};
    desc.sheet.bend = true;
    desc.sheet.stretch_compliance = stretch;
    desc.sheet.bend_compliance = bend;
    MUST(sim_cloth_spawn(world, &desc, cloth, &fault));
    *rope = hang(world, 0.5f, stretch);
    MUST(sim_stick_add(world, (struct sim_stick_end){*cloth, 5}, (struct sim_stick_end){*rope, 1}, 1.0f,
                       SIM_STICK_AT_MOST, 0.0f, &id, &fault));
}

static void an_object_moves_as_if_made_with_its_stiffness(void **state) {
    (void)state;
    const float stretch = 1e-4f, bend = 1e-2f;
    for (unsigned rigid_first = 0; rigid_first < 2; rigid_first++) { // rigid sheets are relaxed in another arrangement
        struct sim_world *made = new_world(), *changed = new_world();
        uint32_t cloth = 0, rope = 0;
        const float to_stretch = rigid_first ? stretch : 0.0f, to_bend = rigid_first ? bend : 0.0f;
        fill(made, to_stretch, to_bend, &cloth, &rope);
        fill(changed, rigid_first ? 0.0f : stretch, rigid_first ? 0.0f : bend, &cloth, &rope);
        set(changed, cloth, (struct sim_material){.stretch_compliance = &to_stretch, .bend_compliance = &to_bend});
        set(changed, rope, (struct sim_material){.stretch_compliance = &to_stretch});
        step_awake(made, 120);
        step_awake(changed, 120);
        const struct sim_particles_view a = sim_world_particles(made), b = sim_world_particles(changed);
        assert_int_equal(a.count, b.count);
        assert_memory_equal(a.x, b.x, a.count * sizeof *a.x);
        assert_memory_equal(a.y, b.y, a.count * sizeof *a.y);
        assert_memory_equal(a.dz, b.dz, a.count * sizeof *a.dz);
        sim_world_destroy(made);
        sim_world_destroy(changed);
    }
}

// ---- mass --------------------------------------------------------------------------------------------------------

static void a_mass_changes_the_weight(void **state) {
    (void)state;
    struct sim_world *world = new_still_world();
    const uint32_t rope = hang(world, 2.0f, 1e-3f);
    step_awake(world, 600);
    const double before = stretch_of(world, rope);
    const float heavier = 6.0f;
    set(world, rope, (struct sim_material){.mass = &heavier});
    step_awake(world, 600);
    assert_true(fabs(mass_of(world, rope) - 6.0) < 1e-5);
    assert_true(fabs(stretch_of(world, rope) / before - 3.0) < 0.01);
    sim_world_destroy(world);
}

static void a_mass_is_distributed_as_before(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    uint32_t id = 0;
    const float masses[4] = {1.0f, 2.0f, 3.0f, 4.0f},
                positions[12] = {0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 2.0f, 0.0f, 0.0f, 3.0f};
    struct sim_particles_desc desc = sim_particles_desc_default();
    desc.positions = positions;
    desc.masses = masses;
    desc.particles = 4;
    MUST(sim_particles_spawn(world, &desc, &id, &fault));
    const uint32_t pinned = 1, immovable = 3;
    MUST(sim_particle_pin(world, id, &pinned, 1, NULL, &fault));
    MUST(sim_particle_set_inverse_mass(world, id, &immovable, 1, 0.0f, &fault));
    assert_true(fabs(mass_of(world, id) - 6.0) < 1e-5);
    const float mass = 12.0f;
    set(world, id, (struct sim_material){.mass = &mass});
    const struct sim_particles_view all = sim_world_particles(world);
    assert_true(fabsf(sim_particle_own_inverse_mass(world, 0) - 1.0f / 2.0f) < 1e-6f);
    assert_true(fabsf(sim_particle_own_inverse_mass(world, 1) - 1.0f / 4.0f) < 1e-6f);
    assert_true(all.inverse_mass[1] == 0.0f && all.inverse_mass[2] == sim_particle_own_inverse_mass(world, 2));
    assert_true(sim_particle_own_inverse_mass(world, 3) == 0.0f);
    MUST(sim_particle_unpin(world, id, &pinned, 1, &fault));
    assert_true(sim_world_particles(world).inverse_mass[1] == sim_particle_own_inverse_mass(world, 1));
    sim_world_destroy(world);
}

// ---- refusals ----------------------------------------------------------------------------------------------------

static void refuse(struct sim_world *world, uint32_t object, struct sim_material material, const char *pointer) {
    struct fault fault;
    const uint64_t before = sim_world_hash(world);
    const uint32_t sequence = sim_world_sequence(world);
    assert_int_equal(sim_object_set(world, object, material, &fault), RESULT_INVALID);
    assert_string_equal(fault.pointer, pointer);
    assert_int_equal(sim_world_hash(world), before);
    assert_int_equal(sim_world_sequence(world), sequence);
}

static void what_an_object_does_not_have_cannot_be_set(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    uint32_t body = 0, plain = 0, plant = 0, ball = 0;
    const float some = 0.5f, below = -1.0f, tiny = 1e-7f, huge = 1e7f, wrong_friction = 11.0f;
    const struct sim_body_desc body_desc = sim_body_desc_default();
    MUST(sim_body_spawn(world, &body_desc, &body, &fault));
    struct sim_cloth_desc cloth_desc = sim_cloth_desc_default();
    MUST(sim_cloth_spawn(world, &cloth_desc, &plain, &fault));
    const struct sim_plant_desc plant_desc = sim_plant_desc_default();
    MUST(sim_plant_spawn(world, &plant_desc, &plant, &fault));
    const uint32_t rope = hang(world, 1.0f, 0.0f);
    refuse(world, body, (struct sim_material){.stretch_compliance = &some}, "/stretchCompliance");
    refuse(world, plant, (struct sim_material){.stretch_compliance = &some}, "/stretchCompliance");
    refuse(world, body, (struct sim_material){.bend_compliance = &some}, "/bendCompliance");
    refuse(world, rope, (struct sim_material){.bend_compliance = &some}, "/bendCompliance");
    refuse(world, plain, (struct sim_material){.bend_compliance = &some}, "/bendCompliance");
    refuse(world, rope, (struct sim_material){.stretch_compliance = &below}, "/stretchCompliance");
    refuse(world, rope, (struct sim_material){.mass = &tiny}, "/mass");
    refuse(world, rope, (struct sim_material){.mass = &huge}, "/mass");
    refuse(world, rope, (struct sim_material){.mass = &some, .friction = &wrong_friction}, "/friction");
    const struct sim_object_view view = sim_world_object_at(world, 1);
    assert_true(view.stretch_compliance != NULL && *view.stretch_compliance == 0.0f && view.bend_compliance == NULL);
    set(world, plant, (struct sim_material){.bend_compliance = &some, .mass = &some});
    const uint32_t both[2] = {0, 1};
    MUST(sim_particle_set_inverse_mass(world, rope, both, 2, 0.0f, &fault));
    refuse(world, rope, (struct sim_material){.mass = &some}, "/mass");
    struct sim_obstacle sphere = {.shape = SIM_OBSTACLE_SPHERE, .radius = 0.5f};
    MUST(sim_obstacle_add(world, &sphere, &ball, &fault));
    assert_int_equal(sim_obstacle_set(world, ball, (struct sim_material){.mass = &some}, &fault), RESULT_INVALID);
    sim_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(half_the_compliance_halves_the_stretch),
        cmocka_unit_test(an_object_moves_as_if_made_with_its_stiffness),
        cmocka_unit_test(a_mass_changes_the_weight),
        cmocka_unit_test(a_mass_is_distributed_as_before),
        cmocka_unit_test(what_an_object_does_not_have_cannot_be_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
