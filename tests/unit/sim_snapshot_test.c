// SPDX-License-Identifier: MIT
// Saving, restoring and clearing, under random commands: going back and on equals never having stopped.
#include "sim_fixture.h"

#include <string.h>

static uint32_t any_object(const struct sim_world *world, uint64_t *seed, uint32_t *particles) {
    const uint32_t index = random_below(seed, sim_world_object_count(world));
    const struct sim_object_view view = sim_world_object_at(world, index);
    *particles = view.particles;
    return view.id;
}

static void spawn_any(struct sim_world *world, uint64_t *seed) {
    struct fault fault;
    uint32_t id = 0;
    switch (random_below(seed, 4)) {
    case 0: {
        struct sim_cloth_desc cloth = sim_cloth_desc_default();
        cloth.columns = 2 + random_below(seed, 9);
        cloth.rows = 2 + random_below(seed, 9);
        cloth.lattice = (enum sim_lattice)random_below(seed, 2);
        cloth.sheet.projection = (enum sim_projection)random_below(seed, 2);
        cloth.sheet.position = random_point(seed, 2.0f);
        MUST(sim_cloth_spawn(world, &cloth, &id, &fault));
        break;
    }
    case 1: {
        struct sim_body_desc body = sim_body_desc_default();
        body.position = random_point(seed, 2.0f);
        body.angular_velocity = random_point(seed, 20.0f);
        MUST(sim_body_spawn(world, &body, &id, &fault));
        break;
    }
    case 2: {
        struct sim_rope_desc rope = sim_rope_desc_default();
        rope.to = random_point(seed, 3.0f);
        rope.to.y += 4.0f;
        MUST(sim_rope_spawn(world, &rope, &id, &fault));
        break;
    }
    default:
        (void)spawn_particle(world, random_point(seed, 2.0f), random_point(seed, 5.0f), 1.0f);
    }
}

static void grab_any(struct sim_world *world, uint64_t *seed) {
    struct fault fault;
    uint32_t particles = 0;
    uint32_t id = 0;
    const uint32_t object = any_object(world, seed, &particles);
    const uint32_t grabs = sim_world_grab_count(world);
    const uint32_t choice = random_below(seed, 4);
    enum result result = RESULT_OK;
    if (choice == 0) {
        result = sim_grab_start_particle(world, object, random_below(seed, particles), &id, &fault);
    } else if (choice == 1) {
        result = sim_grab_start_point(world, object, random_point(seed, 2.0f), &id, &fault);
    } else if (grabs > 0 && choice == 2) {
        id = sim_world_grab_at(world, random_below(seed, grabs)).id;
        result = sim_grab_move(world, id, random_point(seed, 2.0f), &fault);
    } else if (grabs > 0) {
        id = sim_world_grab_at(world, random_below(seed, grabs)).id;
        result = sim_grab_end(world, id, &fault);
    }
    assert_true(result == RESULT_OK || result == RESULT_STATE);
}

static void join_any(struct sim_world *world, uint64_t *seed) {
    struct fault fault;
    uint32_t particles = 0;
    uint32_t id = 0;
    struct sim_stick_end a;
    struct sim_stick_end b;
    a.object = any_object(world, seed, &particles);
    a.particle = random_below(seed, particles);
    b.object = any_object(world, seed, &particles);
    b.particle = random_below(seed, particles);
    const enum sim_stick_kind kind = (enum sim_stick_kind)random_below(seed, SIM_STICK_KIND_COUNT);
    const enum result result = sim_stick_add(world, a, b, random_between(seed, 0.1f, 2.0f), kind, 0.0f, &id, &fault);
    assert_true(result == RESULT_OK || result == RESULT_INVALID);
}

static void change_parameters(struct sim_world *world, uint64_t *seed) {
    struct fault fault;
    struct sim_parameters parameters = *sim_world_parameters(world);
    parameters.substeps = 1 + random_below(seed, 8);
    parameters.damping = random_between(seed, 0.0f, 0.1f);
    parameters.square_root = (enum sim_square_root)random_below(seed, 2);
    parameters.wind_velocity = random_point(seed, 6.0f);
    parameters.wind_gust = random_between(seed, 0.0f, 1.0f);
    parameters.air_density = random_between(seed, 0.0f, 3.0f);
    parameters.sleep = random_below(seed, 4) > 0;
    MUST(sim_world_set_parameters(world, &parameters, &fault));
}

static void change_particle(struct sim_world *world, uint64_t *seed) {
    struct fault fault;
    uint32_t particles = 0;
    const uint32_t object = any_object(world, seed, &particles);
    const uint32_t index = random_below(seed, particles);
    switch (random_below(seed, 4)) {
    case 0:
        MUST(sim_particle_pin(world, object, &index, 1, NULL, &fault));
        break;
    case 1:
        MUST(sim_particle_unpin(world, object, &index, 1, &fault));
        break;
    case 2:
        MUST(sim_force_apply(world, object, &index, random_below(seed, 2), random_point(seed, 9.0f),
                             1 + random_below(seed, 20), &fault));
        break;
    default:
        MUST(sim_particle_move(world, object, index, random_point(seed, 2.0f),
                               (enum sim_move_mode)random_below(seed, 2), &fault));
    }
}

// One random command; the same seed gives the same one in an equal world.
static void command_any(struct sim_world *world, uint64_t *seed) {
    struct fault fault;
    const uint32_t objects = sim_world_object_count(world);
    const uint32_t choice = random_below(seed, 10);
    if (objects < 3 || (choice == 0 && objects < 30)) {
        spawn_any(world, seed);
    } else if (choice == 1) {
        uint32_t particles = 0;
        MUST(sim_object_remove(world, any_object(world, seed, &particles), &fault));
    } else if (choice == 2) {
        change_parameters(world, seed);
    } else if (choice < 5) {
        join_any(world, seed);
    } else if (choice < 8) {
        grab_any(world, seed);
    } else {
        change_particle(world, seed);
    }
}

static void run(struct sim_world *world, uint64_t *seed, unsigned ticks) {
    for (unsigned tick = 0; tick < ticks; tick++) {
        command_any(world, seed);
        sim_world_step(world);
    }
}

static void add_ground(struct sim_world *world) {
    struct fault fault;
    uint32_t id = 0;
    const struct sim_obstacle ground = {
        .shape = SIM_OBSTACLE_PLANE, .position = {0.0f, -2.0f, 0.0f}, .normal = {0.0f, 1.0f, 0.0f}, .friction = 0.5f};
    MUST(sim_obstacle_add(world, &ground, &id, &fault));
}

static void going_back_and_on_equals_never_having_stopped(void **state) {
    (void)state;
    uint64_t seed = new_seed("going_back_and_on_equals_never_having_stopped");
    for (unsigned round = 0; round < 12; round++) {
        struct sim_world *world = new_world();
        struct sim_world *other = new_world();
        add_ground(world);
        run(world, &seed, 1 + random_below(&seed, 60));
        struct sim_snapshot *snapshot = NULL;
        assert_int_equal(sim_world_save(world, &snapshot), RESULT_OK);
        const uint64_t saved = sim_world_hash(world);
        const uint32_t epoch = sim_world_epoch(world);
        const uint64_t fork = seed;
        const unsigned ticks = 1 + random_below(&seed, 80);
        uint64_t commands = fork;
        run(world, &commands, ticks);
        const uint64_t expected = sim_world_hash(world);
        sim_world_restore(world, snapshot);
        assert_true(sim_world_hash(world) == saved);
        assert_int_equal(sim_world_epoch(world), epoch);
        commands = fork;
        run(world, &commands, ticks);
        assert_true(sim_world_hash(world) == expected);
        // Into another world, which has held something else.
        commands = ~fork;
        run(other, &commands, 20);
        sim_world_restore(other, snapshot);
        commands = fork;
        run(other, &commands, ticks);
        assert_true(sim_world_hash(other) == expected);
        sim_snapshot_destroy(snapshot);
        sim_world_destroy(other);
        sim_world_destroy(world);
    }
}

static void a_cleared_world_repeats_its_past_in_a_new_epoch(void **state) {
    (void)state;
    const uint64_t seed = new_seed("a_cleared_world_repeats_its_past_in_a_new_epoch");
    struct sim_world *world = new_world();
    const uint64_t empty = sim_world_hash(world);
    uint64_t commands = seed;
    run(world, &commands, 100);
    const uint64_t expected = sim_world_hash(world);
    const uint32_t epoch = sim_world_epoch(world);
    sim_world_clear(world);
    assert_true(sim_world_epoch(world) > epoch);
    assert_true(sim_world_hash(world) == empty);
    commands = seed;
    run(world, &commands, 100);
    assert_true(sim_world_hash(world) == expected);
    sim_world_destroy(world);
}

static void the_hash_sees_every_kind_of_change(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    uint64_t before = sim_world_hash(world);
    const uint32_t id = spawn_particle(world, (struct vec3){0}, (struct vec3){0}, 1.0f);
    assert_true(sim_world_hash(world) != before);
    before = sim_world_hash(world);
    sim_world_step(world);
    assert_true(sim_world_hash(world) != before);
    struct sim_snapshot *snapshot = NULL;
    assert_int_equal(sim_world_save(world, &snapshot), RESULT_OK);
    uint64_t hashes[3];
    for (unsigned i = 0; i < 3; i++) {
        sim_world_restore(world, snapshot);
        const float force = i == 0 ? 1.0f : 2.0f;
        MUST(sim_force_apply(world, id, NULL, 0, (struct vec3){force, 0.0f, 0.0f}, i == 2 ? 3 : 2, &fault));
        hashes[i] = sim_world_hash(world);
    }
    assert_true(hashes[0] != hashes[1] && hashes[1] != hashes[2]);
    sim_snapshot_destroy(snapshot);
    sim_world_destroy(world);
}

// ---- the hash, change by change ----------------------------------------------------------------------------------

struct hashed {
    struct sim_world *world;
    uint32_t cloth, pair, grab, hold;
};

// The same world each time: a cloth, two loose particles, one hand on each, and the change of one command.
static uint64_t hash_after(void (*change)(struct hashed *)) {
    struct fault fault;
    struct hashed at = {.world = new_world()};
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    cloth.columns = cloth.rows = 4;
    MUST(sim_cloth_spawn(at.world, &cloth, &at.cloth, &fault));
    at.pair = spawn_particle(at.world, (struct vec3){2.0f, 0.0f, 0.0f}, (struct vec3){0.0f, 1.0f, 0.0f}, 1.0f);
    MUST(sim_grab_start_point(at.world, at.cloth, (struct vec3){0}, &at.grab, &fault));
    MUST(sim_grab_start_particle(at.world, at.cloth, 13, &at.hold, &fault));
    step(at.world, 3);
    if (change != NULL) {
        change(&at);
    }
    const uint64_t hash = sim_world_hash(at.world);
    sim_world_destroy(at.world);
    return hash;
}

static void move_grab(struct hashed *at) {
    struct fault fault;
    MUST(sim_grab_move(at->world, at->grab, (struct vec3){0.0f, 0.0f, 1.0f}, &fault));
}

static void move_hold(struct hashed *at) {
    struct fault fault;
    MUST(sim_grab_move(at->world, at->hold, (struct vec3){0.0f, 0.0f, 1.0f}, &fault));
}

static void end_hold(struct hashed *at) {
    struct fault fault;
    MUST(sim_grab_end(at->world, at->hold, &fault));
}

static void tie(struct hashed *at, float rest_length, enum sim_stick_kind kind) {
    struct fault fault;
    uint32_t id = 0;
    const struct sim_stick_end a = {at->cloth, 0};
    const struct sim_stick_end b = {at->pair, 0};
    MUST(sim_stick_add(at->world, a, b, rest_length, kind, 0.0f, &id, &fault));
}

static void tie_short(struct hashed *at) {
    tie(at, 1.0f, SIM_STICK_EQUAL);
}

static void tie_long(struct hashed *at) {
    tie(at, 2.0f, SIM_STICK_EQUAL);
}

static void tie_loosely(struct hashed *at) {
    tie(at, 2.0f, SIM_STICK_AT_MOST);
}

static void push(struct hashed *at, float force, uint32_t index, uint32_t ticks) {
    struct fault fault;
    MUST(sim_force_apply(at->world, at->cloth, &index, 1, (struct vec3){force, 0.0f, 0.0f}, ticks, &fault));
}

static void push_one(struct hashed *at) {
    push(at, 1.0f, 5, 1);
}

static void push_harder(struct hashed *at) {
    push(at, 2.0f, 5, 1);
}

static void push_longer(struct hashed *at) {
    push(at, 1.0f, 5, 2);
}

static void push_another(struct hashed *at) {
    push(at, 1.0f, 6, 1);
}

// Two particles stand still, so that which of them is pinned shows in nothing else.
static void stop_two_and_pin(struct hashed *at, uint32_t index) {
    struct fault fault;
    for (uint32_t i = 5; i <= 6; i++) {
        const struct vec3 here = position_of(at->world, at->cloth, i);
        MUST(sim_particle_move(at->world, at->cloth, i, here, SIM_MOVE_TELEPORT, &fault));
    }
    MUST(sim_particle_pin(at->world, at->cloth, &index, 1, NULL, &fault));
}

static void pin_one(struct hashed *at) {
    stop_two_and_pin(at, 5);
}

static void pin_other(struct hashed *at) {
    stop_two_and_pin(at, 6);
}

static void blow(struct hashed *at) {
    struct fault fault;
    struct sim_parameters parameters = *sim_world_parameters(at->world);
    parameters.wind_gust = 0.5f;
    MUST(sim_world_set_parameters(at->world, &parameters, &fault));
}

static void no_two_changes_have_the_same_hash(void **state) {
    (void)state;
    static void (*const changes[])(struct hashed *) = {NULL,        move_grab, move_hold,   end_hold,    tie_short,
                                                       tie_long,    blow,      tie_loosely, push_one,    push_harder,
                                                       push_longer, pin_one,   pin_other,   push_another};
    enum { CHANGES = sizeof changes / sizeof changes[0] };
    uint64_t hashes[CHANGES];
    for (unsigned i = 0; i < CHANGES; i++) {
        hashes[i] = hash_after(changes[i]);
        assert_true(hashes[i] == hash_after(changes[i]));
        for (unsigned j = 0; j < i; j++) {
            assert_true(hashes[i] != hashes[j]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(going_back_and_on_equals_never_having_stopped),
        cmocka_unit_test(a_cleared_world_repeats_its_past_in_a_new_epoch),
        cmocka_unit_test(the_hash_sees_every_kind_of_change),
        cmocka_unit_test(no_two_changes_have_the_same_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
