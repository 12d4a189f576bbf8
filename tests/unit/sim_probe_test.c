// SPDX-License-Identifier: MIT
// What is measured of a world is what its particles say, and looking changes nothing (sim/probe.h).
#include "sim_fixture.h"

#include "sim/probe.h"

#define MOST 512u

static uint32_t list(const struct sim_world *world, struct sim_contact *contacts, uint32_t most, uint32_t *total) {
    bool complete = false;
    const uint32_t count = sim_world_contacts(world, contacts, most, total, &complete);
    assert_true(complete);
    assert_true(count <= most && count <= *total);
    return count;
}

static uint32_t count_of(const struct sim_contact *contacts, uint32_t count, enum sim_contact_kind kind) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        found += contacts[i].kind == kind ? 1 : 0;
        const struct vec3 n = contacts[i].normal;
        assert_true(fabs(distance_of(n, (struct vec3){0.0f, 0.0f, 0.0f}) - 1.0) < 1e-4);
        // The falling box presses the cloth into the ball for a moment. Particles deep inside leave at 3 m/s at most.
        assert_true(contacts[i].depth < 0.12f && contacts[i].slip >= 0.0f);
    }
    return found;
}

static uint32_t spawn_sheet(struct sim_world *world, struct vec3 position, bool self_collision) {
    struct fault fault;
    uint32_t id = 0;
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    cloth.columns = 16;
    cloth.rows = 16;
    cloth.spacing = 0.05f;
    cloth.sheet.position = position;
    cloth.sheet.rotation = (struct quat){-0.70710677f, 0.0f, 0.0f, 0.70710677f}; // it lies flat
    cloth.sheet.pins.preset = SIM_PIN_NONE;
    cloth.sheet.thickness = 0.02f;
    cloth.sheet.self_collision = self_collision;
    MUST(sim_cloth_spawn(world, &cloth, &id, &fault));
    return id;
}

static void energy_and_momentum_are_those_of_the_particles(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    set_gravity(world, 0.0f, -10.0f, 0.0f);
    (void)spawn_particle(world, (struct vec3){1.0f, 5.0f, 0.0f}, (struct vec3){0.0f, 0.0f, 2.0f}, 3.0f);
    (void)spawn_particle(world, (struct vec3){-1.0f, 5.0f, 0.0f}, (struct vec3){0.0f, 0.0f, -2.0f}, 3.0f);
    const struct sim_measure measure = sim_world_measure(world);
    assert_true(fabs(measure.mass - 6.0) < 1e-6);
    assert_true(fabs(measure.kinetic - 12.0) < 1e-4);
    assert_true(fabs(measure.potential - 300.0) < 1e-3);
    assert_true(fabs(measure.momentum.z) < 1e-5);
    assert_true(fabs(measure.angular_momentum.y + 12.0) < 1e-4); // x × m·v: 1 m, 6 kg·m/s, twice, about −y
    assert_true(fabs(measure.centre.y - 5.0) < 1e-6);
    assert_int_equal(measure.sticks, 0);
    sim_world_destroy(world);
}

static void what_falls_keeps_its_energy(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    set_gravity(world, 0.0f, -9.81f, 0.0f);
    set_solver(world, 8, 1, 0.0f);
    (void)spawn_particle(world, (struct vec3){0.0f, 50.0f, 0.0f}, (struct vec3){1.0f, 0.0f, 0.0f}, 2.0f);
    const struct sim_measure before = sim_world_measure(world);
    step(world, 60);
    const struct sim_measure after = sim_world_measure(world);
    const double gained = after.kinetic - before.kinetic;
    assert_true(gained > 90.0);
    assert_true(fabs(gained + after.potential - before.potential) < 0.02 * gained);
    sim_world_destroy(world);
}

static void the_worst_stick_is_found(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    struct fault fault;
    set_gravity(world, 0.0f, 0.0f, 0.0f);
    struct sim_rope_desc rope = sim_rope_desc_default();
    rope.to = (struct vec3){1.0f, 0.0f, 0.0f};
    rope.particles = 11;
    uint32_t id = 0;
    MUST(sim_rope_spawn(world, &rope, &id, &fault));
    assert_true(sim_world_measure(world).mean_stretch < 1e-5);
    MUST(sim_particle_move(world, id, 10, (struct vec3){1.05f, 0.0f, 0.0f}, SIM_MOVE_TELEPORT, &fault));
    const struct sim_measure measure = sim_world_measure(world);
    assert_int_equal(measure.sticks, 10);
    assert_true(fabs(measure.worst_stretch - 0.5) < 1e-4);
    assert_true(fabs(measure.mean_stretch - 0.05) < 1e-4);
    assert_int_equal(measure.worst[0].object, id);
    assert_int_equal(measure.worst[0].particle + measure.worst[1].particle, 19);
    sim_world_destroy(world);
}

static void no_two_sticks_of_a_batch_share_a_particle(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    (void)spawn_sheet(world, (struct vec3){0.0f, 1.0f, 0.0f}, false);
    const struct sim_sticks_view sticks = sim_object_sticks(world, 0);
    assert_int_equal(sticks.count, sim_world_object_at(world, 0).sticks);
    assert_true(sticks.batches > 3);
    uint32_t stick = 0;
    for (uint32_t batch = 0; batch < sticks.batches; batch++) {
        bool taken[256] = {false};
        assert_int_equal(sim_object_batch(world, 0, batch).kind, SIM_STICK_EQUAL);
        for (; stick < sticks.batch_end[batch]; stick++) {
            assert_true(!taken[sticks.a[stick]] && !taken[sticks.b[stick]]);
            taken[sticks.a[stick]] = true;
            taken[sticks.b[stick]] = true;
            assert_true(fabsf(sim_object_stick_length(world, 0, stick) - sticks.rest[stick]) < 1e-5f);
        }
    }
    assert_int_equal(stick, sticks.count);
    sim_world_destroy(world);
}

static void what_lies_on_something_touches_it(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    struct fault fault;
    static struct sim_contact contacts[MOST];
    uint32_t total = 0;
    uint32_t ground = 0;
    struct sim_obstacle box = {.shape = SIM_OBSTACLE_BOX, .size = {4.0f, 1.0f, 4.0f}, .rotation = {0, 0, 0, 1}};
    box.friction = 0.25f;
    MUST(sim_obstacle_add(world, &box, &ground, &fault));
    const uint32_t sheet = spawn_sheet(world, (struct vec3){0.0f, 0.6f, 0.0f}, false);
    step(world, 1);
    assert_int_equal(list(world, contacts, MOST, &total), 0);
    step(world, 20);
    const uint64_t before = sim_world_hash(world);
    const uint32_t count = list(world, contacts, MOST, &total);
    assert_int_equal(sim_world_hash(world), before);
    assert_int_equal(count, total);
    assert_true(count_of(contacts, count, SIM_CONTACT_OBSTACLE) > 200);
    assert_int_equal(contacts[count - 1].object, sheet);
    assert_int_equal(contacts[count - 1].other, ground);
    assert_true(fabsf(contacts[count - 1].point.y - 0.5f) < 2e-3f && contacts[count - 1].normal.y > 0.99f);
    assert_true(fabsf(contacts[count - 1].friction - sqrtf(0.125f)) < 1e-5f);
    assert_true(list(world, contacts, 7, &total) >= 4 && total == count);
    sim_world_destroy(world);
}

// An embedded shape is carried by particles inside it, with weights of either sign.
static void a_box_touches_where_its_faces_are(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    struct fault fault;
    static struct sim_contact contacts[MOST];
    uint32_t total = 0;
    uint32_t id = 0;
    struct sim_obstacle plane = {.shape = SIM_OBSTACLE_PLANE, .normal = {0.0f, 1.0f, 0.0f}, .friction = 0.5f};
    MUST(sim_obstacle_add(world, &plane, &id, &fault));
    struct sim_body_desc body = sim_body_desc_default();
    body.shape = SIM_BODY_BOX;
    body.extents = (struct vec3){0.4f, 0.3f, 0.4f};
    for (unsigned k = 0; k < 2; k++) {
        body.position = (struct vec3){0.0f, 0.16f + 0.31f * (float)k, 0.0f};
        MUST(sim_body_spawn(world, &body, &id, &fault));
    }
    step(world, 20);
    const uint32_t count = list(world, contacts, MOST, &total);
    assert_true(count_of(contacts, count, SIM_CONTACT_OBSTACLE) >= 3);
    assert_true(count_of(contacts, count, SIM_CONTACT_BODY) >= 3);
    for (uint32_t i = 0; i < count; i++) {
        const float height = contacts[i].kind == SIM_CONTACT_BODY ? 0.3f : 0.0f;
        assert_true(fabsf(contacts[i].point.y - height) < 0.01f);
        assert_true(fabsf(contacts[i].point.x) < 0.21f && fabsf(contacts[i].point.z) < 0.21f);
    }
    sim_world_destroy(world);
}

static void every_kind_of_contact_is_told(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    struct fault fault;
    static struct sim_contact contacts[MOST];
    uint32_t seen[SIM_CONTACT_KIND_COUNT] = {0};
    uint32_t id = 0;
    struct sim_parameters parameters = *sim_world_parameters(world);
    parameters.bounds_min.y = 0.0f;
    MUST(sim_world_set_parameters(world, &parameters, &fault));
    struct sim_obstacle ball = {.shape = SIM_OBSTACLE_SPHERE, .radius = 0.2f, .position = {0.0f, 0.2f, 0.0f}};
    MUST(sim_obstacle_add(world, &ball, &id, &fault));
    struct sim_body_desc body = sim_body_desc_default();
    body.shape = SIM_BODY_BOX;
    body.extents = (struct vec3){0.3f, 0.3f, 0.3f};
    body.position = (struct vec3){0.0f, 1.2f, 0.0f};
    (void)spawn_sheet(world, (struct vec3){0.0f, 0.6f, 0.0f}, true);
    (void)spawn_sheet(world, (struct vec3){0.0f, 0.8f, 0.0f}, true);
    MUST(sim_body_spawn(world, &body, &id, &fault));
    (void)spawn_particle(world, (struct vec3){2.0f, 0.1f, 0.0f}, (struct vec3){0.0f, 0.0f, 0.0f}, 1.0f);
    for (unsigned tick = 0; tick < 200; tick++) {
        sim_world_step(world);
        uint32_t total = 0;
        const uint32_t count = list(world, contacts, MOST, &total);
        for (int kind = 0; kind < SIM_CONTACT_KIND_COUNT; kind++) {
            seen[kind] += count_of(contacts, count, (enum sim_contact_kind)kind);
        }
    }
    for (int kind = 0; kind < SIM_CONTACT_KIND_COUNT; kind++) {
        print_message("kind %d: %u\n", kind, seen[kind]);
        assert_true(seen[kind] > 0);
    }
    sim_world_destroy(world);
}

static void lists_of_another_layout_are_not_read(void **state) {
    (void)state;
    struct sim_world *world = new_world();
    struct fault fault;
    static struct sim_contact contacts[MOST];
    uint32_t id = 0;
    struct sim_obstacle ball = {.shape = SIM_OBSTACLE_SPHERE, .radius = 0.5f};
    MUST(sim_obstacle_add(world, &ball, &id, &fault));
    const uint32_t sheet = spawn_sheet(world, (struct vec3){0.0f, 0.55f, 0.0f}, true);
    step(world, 30);
    uint32_t total = 0;
    bool complete = true;
    assert_true(sim_world_contacts(world, contacts, MOST, &total, &complete) > 0 && complete);
    MUST(sim_object_remove(world, sheet, &fault));
    assert_int_equal(sim_world_contacts(world, contacts, MOST, &total, &complete), 0);
    assert_false(complete);
    sim_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_and_momentum_are_those_of_the_particles),
        cmocka_unit_test(what_falls_keeps_its_energy),
        cmocka_unit_test(the_worst_stick_is_found),
        cmocka_unit_test(no_two_sticks_of_a_batch_share_a_particle),
        cmocka_unit_test(what_lies_on_something_touches_it),
        cmocka_unit_test(a_box_touches_where_its_faces_are),
        cmocka_unit_test(every_kind_of_contact_is_told),
        cmocka_unit_test(lists_of_another_layout_are_not_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
