// SPDX-License-Identifier: MIT
// Waking: what is done to a sleeper, touches it or takes away what it lay on wakes it, and nothing else does.
#include "sim_sleep.h"

// ---- by a command ---------------------------------------------------------------------------------------------------

// A sleeping rope on a box, another far away, and what may be done to the first.
struct bedroom {
    struct sim_world *world;
    uint32_t box, rope, far, stick, far_box;
};

static struct bedroom new_bedroom(void) {
    struct fault fault;
    struct bedroom room = {.world = new_world()};
    room.box = add_floor(room.world);
    struct sim_obstacle far_box = {.shape = SIM_OBSTACLE_BOX,
                                   .position = {50.0f, 0.0f, 0.0f},
                                   .size = {8.0f, 1.0f, 8.0f},
                                   .rotation = {0, 0, 0, 1},
                                   .friction = 0.5f};
    MUST(sim_obstacle_add(room.world, &far_box, &room.far_box, &fault));
    room.rope = lay_rope(room.world, 0.0f, 0.0f);
    room.far = lay_rope(room.world, 50.0f, 0.0f);
    MUST(sim_stick_add(room.world, (struct sim_stick_end){room.rope, 0}, (struct sim_stick_end){room.rope, 7}, 5.0f,
                       SIM_STICK_AT_MOST, 0.0f, &room.stick, &fault));
    step(room.world, 200);
    assert_true(is_asleep(room.world, room.rope));
    assert_true(is_asleep(room.world, room.far));
    return room;
}

static void pin(struct bedroom *room, struct fault *fault) {
    const uint32_t index = 2;
    must(sim_particle_pin(room->world, room->rope, &index, 1, NULL, fault), fault);
}

static void unpin(struct bedroom *room, struct fault *fault) {
    const uint32_t index = 2;
    must(sim_particle_unpin(room->world, room->rope, &index, 1, fault), fault);
}

static void set_mass(struct bedroom *room, struct fault *fault) {
    const uint32_t index = 2;
    must(sim_particle_set_inverse_mass(room->world, room->rope, &index, 1, 2.0f, fault), fault);
}

static void move(struct bedroom *room, struct fault *fault) {
    must(sim_particle_move(room->world, room->rope, 0, (struct vec3){0.0f, 0.6f, 0.0f}, SIM_MOVE_TELEPORT, fault),
         fault);
}

static void push(struct bedroom *room, struct fault *fault) {
    struct vec3 to = position_of(room->world, room->rope, 0);
    to.y += 0.02f;
    must(sim_particle_move(room->world, room->rope, 0, to, SIM_MOVE_PUSH, fault), fault);
}

static void apply_force(struct bedroom *room, struct fault *fault) {
    must(sim_force_apply(room->world, room->rope, NULL, 0, (struct vec3){0.0f, 1.0f, 0.0f}, 1, fault), fault);
}

static void grab_particle(struct bedroom *room, struct fault *fault) {
    uint32_t grab = 0;
    must(sim_grab_start_particle(room->world, room->rope, 1, &grab, fault), fault);
}

static void grab_point(struct bedroom *room, struct fault *fault) {
    uint32_t grab = 0;
    must(sim_grab_start_point(room->world, room->rope, (struct vec3){0.5f, 1.0f, 0.0f}, &grab, fault), fault);
}

static void add_stick(struct bedroom *room, struct fault *fault) {
    uint32_t stick = 0;
    must(sim_stick_add(room->world, (struct sim_stick_end){room->rope, 1}, (struct sim_stick_end){room->rope, 3}, -1.0f,
                       SIM_STICK_EQUAL, 0.0f, &stick, fault),
         fault);
}

static void remove_stick(struct bedroom *room, struct fault *fault) {
    must(sim_stick_remove(room->world, room->stick, fault), fault);
}

static void add_obstacle_near(struct bedroom *room, struct fault *fault) {
    uint32_t id = 0;
    const struct sim_obstacle ball = {.shape = SIM_OBSTACLE_SPHERE, .position = {0.5f, 0.7f, 0.0f}, .radius = 0.3f};
    must(sim_obstacle_add(room->world, &ball, &id, fault), fault);
}

static void remove_support(struct bedroom *room, struct fault *fault) {
    must(sim_obstacle_remove(room->world, room->box, fault), fault);
}

static void remove_object_near(struct bedroom *room, struct fault *fault) {
    const uint32_t id = lay_rope(room->world, 0.2f, 0.01f);
    must(sim_object_remove(room->world, id, fault), fault);
}

struct trigger {
    const char *name;
    void (*pull)(struct bedroom *, struct fault *);
};

static void whatever_is_done_to_a_sleeper_or_near_it_wakes_it_and_not_another(void **state) {
    (void)state;
    static const struct trigger triggers[] = {
        {"pin", pin},
        {"unpin", unpin},
        {"inverse mass", set_mass},
        {"move", move},
        {"push", push},
        {"force", apply_force},
        {"grab of a particle", grab_particle},
        {"grab of a point", grab_point},
        {"stick added", add_stick},
        {"stick removed", remove_stick},
        {"obstacle added near", add_obstacle_near},
        {"support removed", remove_support},
        {"object removed near", remove_object_near},
    };
    for (size_t i = 0; i < sizeof triggers / sizeof triggers[0]; i++) {
        struct fault fault;
        struct bedroom room = new_bedroom();
        triggers[i].pull(&room, &fault);
        sim_world_step(room.world);
        if (is_asleep(room.world, room.rope) || told(room.world, SIM_EVENT_WOKE, room.rope) != 1) {
            fail_msg("%s did not wake it, or did not tell", triggers[i].name);
        }
        if (!is_asleep(room.world, room.far)) {
            fail_msg("%s woke what is far away", triggers[i].name);
        }
        sim_world_destroy(room.world);
    }
}

static void a_change_of_any_parameter_wakes_all(void **state) {
    (void)state;
    const struct sim_parameters now = sim_parameters_default();
    struct sim_parameters changed[] = {now, now, now, now, now, now};
    changed[0].gravity.x = 0.1f;
    changed[1].damping = 0.5f;
    changed[2].substeps = 4;
    changed[3].bounds_max.y = 90.0f;
    changed[4].friction = 0.1f;
    changed[5].wind_velocity.x = 3.0f;
    for (size_t i = 0; i < sizeof changed / sizeof changed[0]; i++) {
        struct fault fault;
        struct bedroom room = new_bedroom();
        MUST(sim_world_set_parameters(room.world, &changed[i], &fault));
        assert_int_equal(count_asleep(room.world), 0);
        sim_world_destroy(room.world);
    }
}

static void what_lay_on_a_removed_support_falls(void **state) {
    (void)state;
    struct fault fault;
    struct bedroom room = new_bedroom();
    remove_support(&room, &fault);
    step(room.world, 60);
    assert_true(position_of(room.world, room.rope, 4).y < -4.0f);
    assert_true(position_of(room.world, room.far, 4).y > 0.4f);
    sim_world_destroy(room.world);
}

static void objects_joined_by_a_stick_sleep_and_wake_together(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    add_floor(world);
    const uint32_t first = lay_rope(world, 0.0f, 0.0f);
    const uint32_t between = lay_rope(world, 0.0f, 5.0f);
    const uint32_t second = lay_rope(world, 1.5f, 0.0f);
    const uint32_t swings = lay_rope(world, 3.0f, 0.0f);
    uint32_t stick = 0;
    MUST(sim_stick_add(world, (struct sim_stick_end){first, 7}, (struct sim_stick_end){second, 0}, -1.0f,
                       SIM_STICK_EQUAL, 0.0f, &stick, &fault));
    MUST(sim_stick_add(world, (struct sim_stick_end){swings, 0}, (struct sim_stick_end){second, 7}, -1.0f,
                       SIM_STICK_AT_MOST, 0.0f, &stick, &fault));
    uint32_t grab = 0;
    MUST(sim_grab_start_particle(world, swings, 7, &grab, &fault));
    step(world, 200);
    assert_true(is_asleep(world, between));
    assert_false(is_asleep(world, first));
    assert_false(is_asleep(world, second));
    MUST(sim_grab_end(world, grab, &fault));
    step(world, 120);
    assert_true(is_asleep(world, first) && is_asleep(world, second) && is_asleep(world, swings));
    const uint32_t index = 7;
    MUST(sim_particle_pin(world, swings, &index, 1, NULL, &fault));
    assert_false(is_asleep(world, first) || is_asleep(world, second) || is_asleep(world, swings));
    assert_true(is_asleep(world, between));
    MUST(sim_object_remove(world, first, &fault));
    step(world, 100);
    assert_true(is_asleep(world, second) && is_asleep(world, swings));
    sim_world_destroy(world);
}

static void the_removal_of_one_end_of_a_stick_wakes_the_other(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_world();
    set_solver(world, 8, 1, 0.1f);
    const uint32_t pinned = spawn_particle(world, (struct vec3){0, 2, 0}, (struct vec3){0, 0, 0}, 1.0f);
    const uint32_t hangs = spawn_particle(world, (struct vec3){0, 1, 0}, (struct vec3){0, 0, 0}, 1.0f);
    const uint32_t index = 0;
    uint32_t stick = 0;
    MUST(sim_particle_pin(world, pinned, &index, 1, NULL, &fault));
    MUST(sim_stick_add(world, (struct sim_stick_end){pinned, 0}, (struct sim_stick_end){hangs, 0}, -1.0f,
                       SIM_STICK_EQUAL, 0.0f, &stick, &fault));
    step(world, 120);
    assert_true(is_asleep(world, hangs));
    MUST(sim_object_remove(world, pinned, &fault));
    step(world, 30);
    assert_true(position_of(world, hangs, 0).y < 0.5f);
    sim_world_destroy(world);
}

// ---- by touch, and by what goes away --------------------------------------------------------------------------------

// Drops onto what may be asleep below: a thing of the kind, a little above the height given.
static uint32_t put_body(struct sim_world *world, float height) {
    struct fault fault;
    uint32_t id = 0;
    struct sim_body_desc body = sim_body_desc_default();
    body.shape = SIM_BODY_BOX;
    body.extents = (struct vec3){0.4f, 0.4f, 0.4f};
    body.position = (struct vec3){0.0f, height + 0.21f, 0.0f};
    MUST(sim_body_spawn(world, &body, &id, &fault));
    return id;
}

static uint32_t put_cloth(struct sim_world *world, float height) {
    struct fault fault;
    uint32_t id = 0;
    const struct sim_cloth_desc cloth = level_cloth(9, height + 0.03f);
    MUST(sim_cloth_spawn(world, &cloth, &id, &fault));
    return id;
}

static uint32_t put_rope(struct sim_world *world, float height) {
    struct fault fault;
    uint32_t id = 0;
    struct sim_rope_desc rope = sim_rope_desc_default();
    rope.from = (struct vec3){-0.15f, height + 0.03f, 0.0f};
    rope.to = (struct vec3){0.15f, height + 0.03f, 0.0f};
    rope.particles = 6;
    rope.thickness = 0.02f;
    rope.pins.preset = SIM_PIN_NONE;
    MUST(sim_rope_spawn(world, &rope, &id, &fault));
    return id;
}

static uint32_t put_particle(struct sim_world *world, float height) {
    return spawn_particle(world, (struct vec3){0.0f, height + 0.06f, 0.0f}, (struct vec3){0, 0, 0}, 0.5f);
}

struct pair {
    const char *name;
    uint32_t (*below)(struct sim_world *, float);
    float top; // m, of what lies below, above the floor
    uint32_t (*above)(struct sim_world *, float);
};

static const struct pair pairs[] = {
    {"a body on a body", put_body, 0.4f, put_body},  {"cloth on a body", put_body, 0.4f, put_cloth},
    {"a rope on a body", put_body, 0.4f, put_rope},  {"a particle on a body", put_body, 0.4f, put_particle},
    {"a body on cloth", put_cloth, 0.03f, put_body}, {"cloth on cloth", put_cloth, 0.03f, put_cloth},
};

static struct sim_world *new_floor(void) {
    struct sim_world *world = new_world();
    set_solver(world, 4, 8, 0.05f);
    add_floor(world);
    return world;
}

static void step_until_asleep(struct sim_world *world, uint32_t object, const char *name) {
    for (unsigned tick = 0; tick < 1200 && !is_asleep(world, object); tick++) {
        sim_world_step(world);
    }
    if (!is_asleep(world, object)) {
        fail_msg("%s: it does not fall asleep", name);
    }
}

static void whatever_falls_on_a_sleeper_wakes_it(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        struct sim_world *world = new_floor();
        const uint32_t below = pairs[i].below(world, 0.5f);
        step_until_asleep(world, below, pairs[i].name);
        (void)pairs[i].above(world, 0.55f + pairs[i].top);
        unsigned woke = 0;
        for (unsigned tick = 0; tick < 60; tick++) {
            sim_world_step(world);
            woke += told(world, SIM_EVENT_WOKE, below);
        }
        if (woke == 0) {
            fail_msg("%s did not wake it", pairs[i].name);
        }
        sim_world_destroy(world);
    }
}

// Two boxes on one another, and one that is thrown at them.
static void what_is_hit_in_its_sleep_wakes_with_what_lies_on_it_and_takes_the_blow(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = new_floor();
    const uint32_t below = put_body(world, 0.5f);
    const uint32_t above = put_body(world, 0.9f);
    step_until_asleep(world, below, "a body with one on it");
    assert_true(is_asleep(world, above));
    const float before = position_of(world, below, 0).x;
    uint32_t thrown = 0;
    struct sim_body_desc body = sim_body_desc_default();
    body.shape = SIM_BODY_BOX;
    body.extents = (struct vec3){0.4f, 0.4f, 0.4f};
    body.position = (struct vec3){-3.0f, 0.9f, 0.0f};
    body.velocity = (struct vec3){16.0f, 0.0f, 0.0f};
    MUST(sim_body_spawn(world, &body, &thrown, &fault));
    step(world, 8);
    assert_true(is_asleep(world, below) && is_asleep(world, above));
    unsigned woke = 0;
    for (unsigned tick = 0; tick < 30; tick++) {
        sim_world_step(world);
        woke += told(world, SIM_EVENT_WOKE, below) + told(world, SIM_EVENT_WOKE, above);
        assert_true(is_asleep(world, below) == is_asleep(world, above));
    }
    assert_int_equal(woke, 2);
    assert_true(position_of(world, below, 0).x > before + 0.1f);
    sim_world_destroy(world);
}

// Waits until both sleep, one on the other.
static struct sim_world *new_pair(const struct pair *pair, uint32_t *below, uint32_t *above) {
    struct sim_world *world = new_floor();
    *below = pair->below(world, 0.5f);
    *above = pair->above(world, 0.5f + pair->top);
    step_until_asleep(world, *above, pair->name);
    step_until_asleep(world, *below, pair->name);
    return world;
}

static float highest_of(const struct sim_world *world, uint32_t object) {
    float highest = -1e9f;
    for (uint32_t i = 0; i < view_of(world, object).particles; i++) {
        highest = fmaxf(highest, position_of(world, object, i).y);
    }
    return highest;
}

static void whatever_lay_on_what_is_removed_wakes_and_falls(void **state) {
    (void)state;
    struct fault fault;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        uint32_t below = 0;
        uint32_t above = 0;
        struct sim_world *world = new_pair(&pairs[i], &below, &above);
        const float before = highest_of(world, above);
        MUST(sim_object_remove(world, below, &fault));
        if (is_asleep(world, above)) {
            fail_msg("%s slept on in the air", pairs[i].name);
        }
        step(world, 60);
        if (highest_of(world, above) > before - 0.5f * pairs[i].top) {
            fail_msg("%s stayed in the air", pairs[i].name);
        }
        sim_world_destroy(world);
    }
}

// A hand takes the lower one away sideways; the upper one must not stay where it was.
static void whatever_lay_on_what_a_hand_takes_away_wakes(void **state) {
    (void)state;
    struct fault fault;
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        uint32_t below = 0;
        uint32_t above = 0;
        uint32_t hand = 0;
        struct sim_world *world = new_pair(&pairs[i], &below, &above);
        struct vec3 place = position_of(world, below, 0);
        MUST(sim_grab_start_particle(world, below, 0, &hand, &fault));
        unsigned woke = 0;
        for (unsigned tick = 0; tick < 30; tick++) {
            place.x -= 0.05f;
            MUST(sim_grab_move(world, hand, place, &fault));
            sim_world_step(world);
            woke += told(world, SIM_EVENT_WOKE, above);
        }
        if (woke == 0) {
            fail_msg("%s slept on when that was taken away", pairs[i].name);
        }
        sim_world_destroy(world);
    }
}

static void a_change_of_wind_or_gravity_wakes_what_it_may_move(void **state) {
    (void)state;
    struct fault fault;
    for (unsigned i = 0; i < 2; i++) {
        struct sim_world *world = new_floor();
        const uint32_t cloth = put_cloth(world, 0.5f);
        step_until_asleep(world, cloth, "cloth on the floor");
        struct sim_parameters parameters = *sim_world_parameters(world);
        if (i == 0) {
            parameters.wind_velocity = (struct vec3){0.0f, 12.0f, 0.0f};
        } else {
            parameters.gravity = (struct vec3){0.0f, 1.0f, 0.0f};
        }
        MUST(sim_world_set_parameters(world, &parameters, &fault));
        const float before = position_of(world, cloth, 40).y;
        step(world, 30);
        assert_false(is_asleep(world, cloth));
        assert_true(position_of(world, cloth, 40).y > before + 0.05f);
        sim_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whatever_is_done_to_a_sleeper_or_near_it_wakes_it_and_not_another),
        cmocka_unit_test(a_change_of_any_parameter_wakes_all),
        cmocka_unit_test(what_lay_on_a_removed_support_falls),
        cmocka_unit_test(objects_joined_by_a_stick_sleep_and_wake_together),
        cmocka_unit_test(the_removal_of_one_end_of_a_stick_wakes_the_other),
        cmocka_unit_test(what_is_hit_in_its_sleep_wakes_with_what_lies_on_it_and_takes_the_blow),
        cmocka_unit_test(whatever_falls_on_a_sleeper_wakes_it),
        cmocka_unit_test(whatever_lay_on_what_is_removed_wakes_and_falls),
        cmocka_unit_test(whatever_lay_on_what_a_hand_takes_away_wakes),
        cmocka_unit_test(a_change_of_wind_or_gravity_wakes_what_it_may_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
