// SPDX-License-Identifier: MIT
// Worlds as bytes: read back in another world they are the same and go on the same; what was damaged is refused; and
// what was made up, with a hash that is right, is refused or runs, but never breaks the core.
#include "sim_fixture.h"

#include <string.h>

#include "../fuzz/random_world.h"
#include "base/hash.h"
#include "sim/archive.h"

#define WORLDS 60u
#define TICKS 60u
#define FORGERIES 40u

struct archive {
    unsigned char *bytes;
    size_t length;
};

static struct archive archive_of(const struct sim_world *world) {
    struct archive archive = {.length = sim_world_archive_length(world)};
    archive.bytes = malloc(archive.length);
    assert_non_null(archive.bytes);
    sim_world_archive(world, archive.bytes);
    return archive;
}

// What random commands ask for is refused where there is no room, so whoever is to do the same has the same.
static const struct sim_capacity capacity = {
    .particles = 200, .sticks = 1500, .triangles = 500, .objects = 12, .obstacles = 8, .shape_words = 8000};

static struct sim_world *room_for(float tick_hz) {
    struct sim_world *world = NULL;
    assert_int_equal(sim_world_create(&capacity, tick_hz, &world), RESULT_OK);
    return world;
}

static struct random_world begin_world(uint64_t seed) {
    struct random_world r = {.dice = {seed * 0xD1342543DE82EF95u + 1}};
    assert_int_equal(sim_world_create(&capacity, TICK_HZ, &r.world), RESULT_OK);
    populate(&r);
    return r;
}

static void live_a_while(struct random_world *r, uint32_t ticks) {
    for (uint32_t tick = 0; tick < ticks; tick++) {
        if (dice_percent(&r->dice, 20)) {
            do_something(r);
        }
        sim_world_step(r->world);
    }
}

static void an_archived_world_goes_on_as_if_nothing_had_been(void **state) {
    (void)state;
    struct fault fault;
    const uint64_t seed = new_seed("an_archived_world_goes_on_as_if_nothing_had_been");
    for (uint64_t i = 0; i < WORLDS; i++) {
        struct random_world r = begin_world(seed + i);
        live_a_while(&r, 1 + dice_below(&r.dice, TICKS));
        const struct archive archive = archive_of(r.world);
        struct sim_world *other = room_for(TICK_HZ);
        MUST(sim_world_unarchive(other, archive.bytes, archive.length, &fault));
        assert_true(sim_world_hash(other) == sim_world_hash(r.world));
        assert_int_equal(sim_world_epoch(other), sim_world_epoch(r.world));
        assert_int_equal(sim_world_sequence(other), sim_world_sequence(r.world));
        struct random_world again = r;
        again.world = other;
        live_a_while(&r, TICKS);
        live_a_while(&again, TICKS);
        assert_true(sim_world_hash(other) == sim_world_hash(r.world));
        free(archive.bytes);
        sim_world_destroy(other);
        sim_world_destroy(r.world);
    }
}

static void a_damaged_archive_is_refused_wherever_the_damage_is(void **state) {
    (void)state;
    struct fault fault;
    const uint64_t seed = new_seed("a_damaged_archive_is_refused_wherever_the_damage_is");
    struct random_world r = begin_world(seed);
    live_a_while(&r, TICKS);
    const struct archive archive = archive_of(r.world);
    struct sim_world *other = room_for(TICK_HZ);
    for (size_t at = 0; at < archive.length; at += 1 + archive.length / 500) {
        archive.bytes[at] ^= (unsigned char)(1u << (at % 8));
        assert_int_equal(sim_world_unarchive(other, archive.bytes, archive.length, &fault), RESULT_INVALID);
        archive.bytes[at] ^= (unsigned char)(1u << (at % 8));
        assert_int_equal(sim_world_unarchive(other, archive.bytes, at, &fault), RESULT_INVALID);
    }
    MUST(sim_world_unarchive(other, archive.bytes, archive.length, &fault));
    free(archive.bytes);
    sim_world_destroy(other);
    sim_world_destroy(r.world);
}

static void an_archive_of_another_rate_or_size_is_refused(void **state) {
    (void)state;
    struct fault fault;
    struct sim_archive_info info = {0};
    struct random_world r = begin_world(1);
    const struct archive archive = archive_of(r.world);
    struct sim_world *other = room_for(30.0f);
    assert_int_equal(sim_world_unarchive(other, archive.bytes, archive.length, &fault), RESULT_INVALID);
    assert_non_null(strstr(fault.message, "60 ticks a second"));
    MUST(sim_archive_look(archive.bytes, archive.length, &info, &fault));
    assert_true(info.tick_hz == TICK_HZ);
    assert_int_equal(info.physics, SIM_PHYSICS_VERSION);
    struct sim_world *small = NULL;
    const struct sim_capacity tiny = {.particles = 1};
    assert_int_equal(sim_world_create(&tiny, TICK_HZ, &small), RESULT_OK);
    assert_int_equal(sim_world_unarchive(small, archive.bytes, archive.length, &fault), RESULT_LIMIT);
    free(archive.bytes);
    sim_world_destroy(small);
    sim_world_destroy(other);
    sim_world_destroy(r.world);
}

// Torn until there is no room for more; the other world has room for more, and must not use it.
static void a_sheet_tears_as_far_in_a_world_with_more_room(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world[2] = {NULL, NULL};
    const struct sim_capacity tight = {.particles = 70, .sticks = 400, .triangles = 200, .objects = 2};
    const struct sim_capacity ample = {.particles = 500, .sticks = 2000, .triangles = 700, .objects = 9};
    assert_int_equal(sim_world_create(&tight, TICK_HZ, &world[0]), RESULT_OK);
    assert_int_equal(sim_world_create(&ample, TICK_HZ, &world[1]), RESULT_OK);
    struct sim_cloth_desc desc = sim_cloth_desc_default();
    uint32_t id = 0;
    desc.columns = desc.rows = 8;
    desc.sheet.tear = 1.02f;
    desc.sheet.pins.preset = SIM_PIN_TOP_EDGE;
    MUST(sim_cloth_spawn(world[0], &desc, &id, &fault));
    set_gravity(world[0], 0.0f, -200.0f, 0.0f);
    const struct archive archive = archive_of(world[0]);
    MUST(sim_world_unarchive(world[1], archive.bytes, archive.length, &fault));
    for (unsigned tick = 0; tick < 60; tick++) {
        step(world[0], 1);
        step(world[1], 1);
        assert_true(sim_world_hash(world[0]) == sim_world_hash(world[1]));
    }
    assert_in_range(sim_world_particles(world[0]).count, tight.particles - 2, tight.particles); // a tear may ask for 3
    // One with less room could not do the same.
    const struct sim_capacity less = {.particles = 69, .sticks = 400, .triangles = 200, .objects = 2};
    struct sim_world *small = NULL;
    assert_int_equal(sim_world_create(&less, TICK_HZ, &small), RESULT_OK);
    assert_int_equal(sim_world_unarchive(small, archive.bytes, archive.length, &fault), RESULT_LIMIT);
    assert_non_null(strstr(fault.message, "may tear"));
    free(archive.bytes);
    sim_world_destroy(small);
    sim_world_destroy(world[0]);
    sim_world_destroy(world[1]);
}

static void the_density_of_the_air_is_archived(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = room_for(TICK_HZ);
    struct sim_world *other = room_for(TICK_HZ);
    struct sim_parameters parameters = *sim_world_parameters(world);
    parameters.air_density = 0.25f;
    MUST(sim_world_set_parameters(world, &parameters, &fault));
    const struct archive archive = archive_of(world);
    MUST(sim_world_unarchive(other, archive.bytes, archive.length, &fault));
    assert_true(sim_world_parameters(other)->air_density == 0.25f);
    assert_true(sim_world_hash(other) == sim_world_hash(world));
    free(archive.bytes);
    sim_world_destroy(other);
    sim_world_destroy(world);
}

static void a_world_without_ids_left_is_archived(void **state) {
    (void)state;
    struct fault fault;
    struct sim_world *world = room_for(TICK_HZ);
    struct sim_world *other = room_for(TICK_HZ);
    const struct sim_obstacle sphere = {.shape = SIM_OBSTACLE_SPHERE, .radius = 1.0f, .friction = 0.5f};
    uint32_t id = 0;
    MUST(sim_obstacle_add(world, &sphere, &id, &fault));
    sim_world_skip_sequence(world, UINT32_MAX);
    assert_int_equal(sim_obstacle_add(world, &sphere, &id, &fault), RESULT_LIMIT);
    assert_int_equal(sim_world_obstacle_count(world), 1);
    const struct archive archive = archive_of(world);
    MUST(sim_world_unarchive(other, archive.bytes, archive.length, &fault));
    assert_true(sim_world_hash(other) == sim_world_hash(world));
    free(archive.bytes);
    sim_world_destroy(other);
    sim_world_destroy(world);
}

static void forge(struct archive *archive, struct dice *dice) {
    for (uint32_t i = 1 + dice_below(dice, 3); i > 0; i--) {
        const size_t at = 4 * (size_t)dice_below(dice, (uint32_t)(archive->length - 8) / 4);
        const uint32_t words[] = {0, 1, 0xffffffffu, 0x7fc00000u, 0x7f800000u, dice_below(dice, 300)};
        const uint32_t word = words[dice_below(dice, sizeof words / sizeof words[0])];
        memcpy(archive->bytes + at, &word, sizeof word);
    }
    const uint64_t hash = hash64_of(archive->bytes, archive->length - 8, 0);
    memcpy(archive->bytes + archive->length - 8, &hash, sizeof hash);
}

static void a_forged_archive_is_refused_or_runs(void **state) {
    (void)state;
    struct fault fault;
    unsigned ran = 0;
    unsigned refused = 0;
    const uint64_t seed = new_seed("a_forged_archive_is_refused_or_runs");
    struct sim_world *other = room_for(TICK_HZ);
    for (uint64_t i = 0; i < WORLDS; i++) {
        struct random_world r = begin_world(seed + i);
        live_a_while(&r, dice_below(&r.dice, TICKS));
        const struct archive archive = archive_of(r.world);
        for (unsigned k = 0; k < FORGERIES; k++) {
            struct archive copy = {malloc(archive.length), archive.length};
            assert_non_null(copy.bytes);
            memcpy(copy.bytes, archive.bytes, archive.length);
            forge(&copy, &r.dice);
            if (sim_world_unarchive(other, copy.bytes, copy.length, &fault) == RESULT_OK) {
                ran++;
                for (unsigned tick = 0; tick < 4; tick++) {
                    sim_world_step(other);
                }
            } else {
                refused++;
            }
            free(copy.bytes);
        }
        free(archive.bytes);
        sim_world_destroy(r.world);
    }
    sim_world_destroy(other);
    print_message("%u forged archives ran, %u were refused\n", ran, refused);
    assert_true(ran > 100 && refused > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_archived_world_goes_on_as_if_nothing_had_been),
        cmocka_unit_test(a_damaged_archive_is_refused_wherever_the_damage_is),
        cmocka_unit_test(an_archive_of_another_rate_or_size_is_refused),
        cmocka_unit_test(a_sheet_tears_as_far_in_a_world_with_more_room),
        cmocka_unit_test(the_density_of_the_air_is_archived),
        cmocka_unit_test(a_world_without_ids_left_is_archived),
        cmocka_unit_test(a_forged_archive_is_refused_or_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
