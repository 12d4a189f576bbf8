// SPDX-License-Identifier: MIT
// Coding 2 and the decoder that the page runs: every frame of random streams is decoded bit for bit, whatever it builds
// on; no damaged message makes the decoder read outside of it. WEFT_SEED repeats a run.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "proto/frame/frame.h"
#include "proto_codec_support.h"
#include "sim/sim.h"

#define PARTICLES_MOST 3000u
#define OBJECTS_MOST 12u

static uint64_t generator;

static uint32_t random_below(uint32_t limit) {
    generator = generator * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((generator >> 33) % limit);
}

static float random_real(float size) {
    return size * ((float)random_below(2000001) - 1000000.0f) / 1000000.0f;
}

// ---- random streams -------------------------------------------------------------------------------------------------

struct stream {
    float x[3][PARTICLES_MOST], v[3][PARTICLES_MOST];
    struct proto_codec_object objects[OBJECTS_MOST];
    uint32_t count, particles;
    uint32_t triangles[3 * 200];
    bool meshed;
    float step, extent, restless;
    struct proto_codec *codec;
    struct receiver receiver;
    uint8_t *message;
};

static void make_object(struct stream *s, struct proto_codec_object *object) {
    object->first = s->particles + random_below(4); // gaps, as in a choice of objects
    object->shape = (enum proto_codec_shape)random_below(5);
    if (object->shape == PROTO_CODEC_TRIANGLES && s->meshed) { // there is room for the triangles of one
        object->shape = PROTO_CODEC_CHAIN;
    }
    if (object->shape == PROTO_CODEC_LATTICE) {
        object->columns = 1 + random_below(20);
        object->rows = random_below(15);
        object->count = object->columns * object->rows + (random_below(2) == 0 ? random_below(9) : 0);
        object->spacing = s->extent * (float)random_below(100) / 100.0f;
        object->hexagonal = random_below(2) == 0;
    } else if (object->shape == PROTO_CODEC_BODY) {
        object->count = 4;
    } else {
        object->count = random_below(4) == 0 ? random_below(2) : random_below(150);
    }
    if (object->shape == PROTO_CODEC_TRIANGLES && object->count > 0) {
        s->meshed = true;
        object->triangles = s->triangles;
        object->triangle_count = 200;
        for (uint32_t k = 0; k < 600; k++) {
            s->triangles[k] = random_below(object->count);
        }
    }
    s->particles = object->first + object->count;
}

static void make_stream(struct stream *s) {
    static const float steps[] = {1.0f / 1024, 1.0f / 4096, 1.0f / 16384, 0.0073f, 1.0f};
    static const float extents[] = {0.0f, 0.01f, 1.0f, 60.0f, 99000.0f};
    static const float restless[] = {0.0f, 0.0001f, 0.01f, 3.0f};
    memset(s, 0, sizeof *s);
    s->step = steps[random_below(5)];
    s->extent = extents[random_below(5)];
    s->restless = restless[random_below(4)];
    s->count = random_below(OBJECTS_MOST + 1);
    for (uint32_t i = 0; i < s->count; i++) {
        make_object(s, &s->objects[i]);
    }
    for (uint32_t k = 0; k < 3; k++) {
        for (uint32_t i = 0; i < PARTICLES_MOST; i++) {
            s->x[k][i] = random_real(s->extent);
            s->v[k][i] = random_real(s->restless);
        }
    }
    assert_int_equal(proto_codec_create(s->objects, s->count, s->step, &s->codec), RESULT_OK);
    s->receiver = receiver_create(s->codec);
    s->message = malloc(proto_codec_bound(s->codec));
}

static void free_stream(struct stream *s) {
    proto_codec_destroy(s->codec);
    receiver_free(&s->receiver);
    free(s->message);
}

static void move(struct stream *s) {
    const bool jump = random_below(15) == 0;
    for (uint32_t k = 0; k < 3; k++) {
        for (uint32_t i = 0; i < s->particles; i++) {
            const float x = s->x[k][i] + s->v[k][i] + random_real(0.3f * s->restless);
            s->x[k][i] =
                jump ? random_real(100000.0f) : (x > 100000.0f ? 100000.0f : (x < -100000.0f ? -100000.0f : x));
        }
    }
}

static bool is_in(const uint32_t *which, uint32_t count, uint32_t object) {
    for (uint32_t k = 0; which != NULL && k < count; k++) {
        if (which[k] == object) {
            return true;
        }
    }
    return which == NULL;
}

// Compares the frame decoded last with the quantised positions.
static void check_same(const struct stream *s, const int32_t *decoded, const uint32_t *which, uint32_t count) {
    for (uint32_t i = 0; i < s->codec->object_count; i++) {
        const struct codec_object *object = &s->codec->objects[i];
        for (uint32_t k = 0; k < 3 && is_in(which, count, i); k++) {
            const size_t at = (size_t)k * s->codec->particles + object->first;
            assert_memory_equal(decoded + at, s->codec->ring[0] + at, object->count * sizeof(int32_t));
        }
    }
}

static size_t pack(struct stream *s, uint32_t baselines, const uint32_t *which, uint32_t count) {
    const struct proto_codec_frame frame = {
        .epoch = 3, .objects = which, .object_count = count, .partial = which != NULL};
    const size_t length = proto_codec_pack(s->codec, &frame, baselines, s->message);
    assert_in_range(length, 32, proto_codec_bound(s->codec));
    assert_int_equal(length % 4, 0);
    return length;
}

static void every_frame_comes_back_bit_for_bit_with_0_to_3_baselines(void **state) {
    (void)state;
    static struct stream s;
    for (uint32_t round = 0; round < 300; round++) {
        make_stream(&s);
        uint64_t tick = random_below(1000);
        for (uint32_t frame = 0; frame < 12; frame++) {
            move(&s);
            tick += random_below(20) == 0 ? 0 : 2; // sometimes the same tick again
            proto_codec_advance(s.codec, tick, s.x[0], s.x[1], s.x[2]);
            const uint32_t most = proto_codec_baselines(s.codec);
            for (uint32_t baselines = 0; baselines <= most; baselines++) {
                const size_t length = pack(&s, baselines, NULL, 0);
                assert_int_equal(receiver_take(&s.receiver, s.message, length), CODEC_SOUND);
                check_same(&s, s.receiver.ring[0], NULL, 0);
            }
        }
        free_stream(&s);
    }
}

static void objects_left_out_stay_where_their_rest_message_put_them(void **state) {
    (void)state;
    static struct stream s;
    for (uint32_t round = 0; round < 100; round++) {
        make_stream(&s);
        uint32_t awake[OBJECTS_MOST], asleep[OBJECTS_MOST], awake_count = 0, asleep_count = 0;
        for (uint32_t i = 0; i < s.count; i++) {
            if (random_below(2) == 0) {
                awake[awake_count++] = i;
            } else {
                asleep[asleep_count++] = i;
            }
        }
        proto_codec_advance(s.codec, 1, s.x[0], s.x[1], s.x[2]);
        const struct proto_codec_frame rest = {.objects = asleep, .object_count = asleep_count, .rest = true};
        size_t length = proto_codec_pack(s.codec, &rest, 0, s.message);
        assert_int_equal(receiver_take(&s.receiver, s.message, length), CODEC_SOUND);
        for (uint64_t tick = 1; tick < 8; tick++) {
            proto_codec_advance(s.codec, tick, s.x[0], s.x[1], s.x[2]);
            const bool all = tick > 4; // all woke up
            length = pack(&s, proto_codec_baselines(s.codec), all ? NULL : awake, all ? 0 : awake_count);
            assert_int_equal(receiver_take(&s.receiver, s.message, length), CODEC_SOUND);
            check_same(&s, s.receiver.ring[0], NULL, 0);
            for (uint32_t i = 0; i < s.count; i++) {
                for (uint32_t p = 0; p < s.objects[i].count && (all || is_in(awake, awake_count, i)); p++) {
                    s.x[1][s.objects[i].first + p] += random_real(0.1f);
                }
            }
        }
        free_stream(&s);
    }
}

static void a_message_that_stands_alone_leaves_the_stream_as_it_was(void **state) {
    (void)state;
    static struct stream s, twin;
    for (uint32_t round = 0; round < 50; round++) {
        make_stream(&s);
        bool unmoved[OBJECTS_MOST] = {false};
        for (uint64_t tick = 1; tick < 9; tick++) {
            // An object at rest is copied from the last frame; a message in between that builds on nothing shows it
            // elsewhere.
            const uint32_t still = random_below(s.count + 1);
            static float before[3][PARTICLES_MOST];
            memcpy(before, s.x, sizeof before);
            move(&s);
            const struct proto_codec_frame alone = {.epoch = 3};
            size_t length = proto_codec_pack_alone(s.codec, &alone, 1000, s.x[0], s.x[1], s.x[2], s.message);
            twin.receiver = receiver_create(s.codec);
            assert_int_equal(receiver_take(&twin.receiver, s.message, length), CODEC_SOUND);
            for (uint32_t i = 0; i < s.count && tick > 1; i++) {
                unmoved[i] = i == still;
                for (uint32_t k = 0; k < 3 && i == still; k++) {
                    memcpy(&s.x[k][s.objects[i].first], &before[k][s.objects[i].first],
                           s.objects[i].count * sizeof(float));
                }
            }
            proto_codec_advance_moved(s.codec, tick, s.x[0], s.x[1], s.x[2], unmoved);
            for (uint32_t i = 0; i < s.count; i++) {
                for (uint32_t p = 0; p < s.objects[i].count; p++) {
                    const int32_t q =
                        (int32_t)floor((double)s.x[1][s.objects[i].first + p] / (double)s.codec->step + 0.5);
                    assert_int_equal(s.codec->ring[0][s.codec->particles + s.codec->objects[i].first + p], q);
                }
            }
            length = pack(&s, proto_codec_baselines(s.codec), NULL, 0);
            assert_int_equal(receiver_take(&s.receiver, s.message, length), CODEC_SOUND);
            check_same(&s, s.receiver.ring[0], NULL, 0);
            receiver_free(&twin.receiver);
        }
        free_stream(&s);
    }
}

static void what_does_not_move_costs_a_hundredth_of_a_byte(void **state) {
    (void)state;
    static struct stream s;
    memset(&s, 0, sizeof s);
    s.count = 1;
    s.objects[0] = (struct proto_codec_object){.count = 2500, .shape = PROTO_CODEC_LATTICE, .columns = 50, .rows = 50};
    for (uint32_t i = 0; i < 2500; i++) {
        s.x[0][i] = random_real(1.0f);
    }
    assert_int_equal(proto_codec_create(s.objects, 1, 1.0f / 1024, &s.codec), RESULT_OK);
    s.message = malloc(proto_codec_bound(s.codec));
    s.receiver = receiver_create(s.codec);
    for (uint64_t tick = 0; tick < 4; tick++) {
        proto_codec_advance(s.codec, tick, s.x[0], s.x[1], s.x[2]);
        const size_t length = pack(&s, proto_codec_baselines(s.codec), NULL, 0);
        assert_true(tick == 0 || length <= 52);
    }
    free_stream(&s);
}

// Bytes of the fifth frame of a cloth of which one coordinate in `one_in` twitches by `size` steps.
static size_t pack_twitching(uint32_t one_in, uint32_t size, bool *quiet) {
    static struct stream s;
    memset(&s, 0, sizeof s);
    s.count = 1;
    s.objects[0] = (struct proto_codec_object){.count = 2500, .shape = PROTO_CODEC_LATTICE, .columns = 50, .rows = 50};
    assert_int_equal(proto_codec_create(s.objects, 1, 1.0f, &s.codec), RESULT_OK);
    s.message = malloc(proto_codec_bound(s.codec));
    s.receiver = receiver_create(s.codec);
    size_t length = 0;
    for (uint64_t tick = 0; tick < 5; tick++) {
        for (uint32_t axis = 0; axis < 3; axis++) {
            for (uint32_t i = 0; i < 2500; i++) {
                s.x[axis][i] = random_below(one_in) == 0 ? (float)random_below(size + 1) : 0.0f;
            }
        }
        proto_codec_advance(s.codec, tick, s.x[0], s.x[1], s.x[2]);
        length = pack(&s, proto_codec_baselines(s.codec), NULL, 0);
        assert_int_equal(receiver_take(&s.receiver, s.message, length), CODEC_SOUND);
        check_same(&s, s.receiver.ring[0], NULL, 0);
    }
    *quiet = s.codec->row[0] >= CODEC_ROWS;
    free_stream(&s);
    return length;
}

static void a_quiet_object_takes_the_quiet_table_and_a_restless_one_does_not(void **state) {
    (void)state;
    bool quiet = false;
    const size_t twitching = pack_twitching(400, 1, &quiet);
    assert_true(quiet);
    print_message("codec: cloth of 50 x 50 of which a coordinate in 400 twitches: %.3f bytes\n",
                  (double)twitching / 2500.0);
    assert_true(twitching < 2500 / 4);
    (void)pack_twitching(1, 4, &quiet);
    assert_false(quiet);
}

static void a_frame_builds_only_on_evenly_spaced_ones(void **state) {
    (void)state;
    static struct stream s;
    memset(&s, 0, sizeof s);
    assert_int_equal(proto_codec_create(s.objects, 0, 1.0f, &s.codec), RESULT_OK);
    s.receiver = receiver_create(s.codec);
    static const struct {
        uint64_t tick;
        uint32_t most;
    } frames[] = {{0, 0}, {4, 1}, {8, 2}, {12, 3}, {12, 3}, {14, 1}, {16, 2}, {200, 1}, {384, 1}, {700, 0}, {701, 1}};
    for (size_t i = 0; i < sizeof frames / sizeof frames[0]; i++) {
        proto_codec_advance(s.codec, frames[i].tick, s.x[0], s.x[1], s.x[2]);
        assert_int_equal(proto_codec_baselines(s.codec), frames[i].most);
    }
    free_stream(&s);
}

static void a_triangle_or_a_lattice_that_does_not_fit_is_refused(void **state) {
    (void)state;
    const uint32_t triangle[3] = {0, 1, 3};
    struct proto_codec *codec = NULL;
    struct proto_codec_object object = {
        .count = 3, .shape = PROTO_CODEC_TRIANGLES, .triangles = triangle, .triangle_count = 1};
    assert_int_equal(proto_codec_create(&object, 1, 1.0f, &codec), RESULT_INVALID);
    object = (struct proto_codec_object){.count = 3, .shape = PROTO_CODEC_LATTICE, .columns = 2, .rows = 2};
    assert_int_equal(proto_codec_create(&object, 1, 1.0f, &codec), RESULT_INVALID);
    assert_null(codec);
}

// ---- damage ---------------------------------------------------------------------------------------------------------

static void a_damaged_payload_is_refused_or_decoded_and_nothing_else(void **state) {
    (void)state;
    static struct stream s;
    const char *rounds = getenv("WEFT_FUZZ_ROUNDS");
    uint32_t refused = 0, decoded = 0;
    for (uint32_t round = 0; round < (rounds != NULL ? (uint32_t)strtoul(rounds, NULL, 0) : 400); round++) {
        make_stream(&s);
        for (uint64_t tick = 0; tick < 5; tick++) {
            move(&s);
            proto_codec_advance(s.codec, tick, s.x[0], s.x[1], s.x[2]);
            size_t length = pack(&s, proto_codec_baselines(s.codec), NULL, 0);
            assert_int_equal(receiver_take(&s.receiver, s.message, length), CODEC_SOUND);
            for (uint32_t hit = 0; hit < 10 && length > 32; hit++) {
                uint8_t *damaged = malloc(length);
                memcpy(damaged, s.message, length);
                for (uint32_t k = 0; k <= random_below(4); k++) {
                    damaged[32 + random_below((uint32_t)length - 32)] = (uint8_t)random_below(256);
                }
                const size_t left = random_below(3) == 0 ? 32 + random_below((uint32_t)length - 32) / 4 * 4 : length;
                const enum codec_fault fault = receiver_take(&s.receiver, damaged, left);
                refused += fault != CODEC_SOUND;
                decoded += fault == CODEC_SOUND;
                free(damaged);
            }
            assert_int_equal(receiver_take(&s.receiver, s.message, length), CODEC_SOUND); // the stream goes on
        }
        free_stream(&s);
    }
    print_message("codec: %u damaged payloads refused, %u decoded\n", refused, decoded);
    assert_true(refused > 5 * decoded); // damage of raw low bits cannot be noticed, other damage is
}

// ---- figures --------------------------------------------------------------------------------------------------------

static double cpu_seconds(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static struct sim_world *hang_cloth(uint32_t side, float spacing, bool flag) {
    struct sim_world *world = NULL;
    const struct sim_capacity capacity = {20000, 200000, 60000, 4, 4, 4};
    assert_int_equal(sim_world_create(&capacity, 60.0f, &world), RESULT_OK);
    struct sim_parameters parameters = sim_parameters_default();
    parameters.iterations = 2;
    parameters.damping = 0.01f;
    parameters.wind_velocity = (struct vec3){3.5f, 0.0f, 1.2f};
    parameters.wind_gust = 0.7f;
    assert_int_equal(sim_world_set_parameters(world, &parameters, NULL), RESULT_OK);
    static uint32_t hoist[128];
    for (uint32_t i = 0; i < side; i++) {
        hoist[i] = i * side;
    }
    struct sim_cloth_desc cloth = sim_cloth_desc_default();
    cloth.columns = cloth.rows = side;
    cloth.spacing = spacing;
    cloth.sheet.position = (struct vec3){0.0f, 4.0f, 0.0f};
    cloth.sheet.areal_density = 0.12f;
    cloth.sheet.pins.preset = flag ? SIM_PIN_LIST : SIM_PIN_TOP_CORNERS;
    cloth.sheet.pins.indices = hoist;
    cloth.sheet.pins.count = side;
    uint32_t id = 0;
    assert_int_equal(sim_cloth_spawn(world, &cloth, &id, NULL), RESULT_OK);
    return world;
}

// Bytes per particle and frame of a cloth that always moves, over `ticks`.
static double measure(uint32_t side, float spacing, bool flag, float step, uint32_t every, uint32_t most,
                      uint32_t ticks) {
    struct sim_world *world = hang_cloth(side, spacing, flag);
    const struct proto_codec_object object = {
        .count = side * side, .shape = PROTO_CODEC_LATTICE, .columns = side, .rows = side, .spacing = spacing};
    struct proto_codec *codec = NULL;
    assert_int_equal(proto_codec_create(&object, 1, step, &codec), RESULT_OK);
    uint8_t *message = malloc(proto_codec_bound(codec));
    double bytes = 0.0, seconds = 0.0;
    uint32_t frames = 0;
    for (uint32_t tick = 1; tick <= ticks; tick++) {
        sim_world_step(world);
        if (tick % every != 0) {
            continue;
        }
        const struct sim_particles_view view = sim_world_particles(world);
        const double start = cpu_seconds();
        proto_codec_advance(codec, tick, view.x, view.y, view.z);
        uint32_t baselines = proto_codec_baselines(codec);
        baselines = baselines < most ? baselines : most;
        const struct proto_codec_frame frame = {.epoch = 1};
        const size_t length = proto_codec_pack(codec, &frame, baselines, message);
        if (baselines == most) {
            seconds += cpu_seconds() - start;
            bytes += (double)length;
            frames++;
        }
    }
    const double particles = (double)frames * side * side;
    print_message("codec: cloth of %u x %u, step 1/%.0f, every %u, %u baselines: %.3f bytes, %.0f ns to encode\n", side,
                  side, 1.0 / (double)step, every, most, bytes / particles, 1e9 * seconds / particles);
    free(message);
    proto_codec_destroy(codec);
    sim_world_destroy(world);
    return bytes / particles;
}

static void a_cloth_in_gusts_takes_under_a_byte_a_particle(void **state) {
    (void)state;
    assert_true(measure(64, 0.05f, false, 1.0f / 1024, 1, 3, 300) <= 0.75);
    assert_true(measure(64, 0.05f, false, 1.0f / 4096, 1, 3, 300) <= 1.05);
    assert_true(measure(64, 0.05f, false, 1.0f / 1024, 4, 3, 300) <= 1.4);
    assert_true(measure(64, 0.05f, false, 1.0f / 1024, 1, 0, 60) <= 2.5);
    assert_true(measure(128, 0.025f, true, 1.0f / 1024, 1, 3, 60) <= 0.75);
    assert_true(measure(128, 0.025f, true, 1.0f / 4096, 1, 3, 60) <= 1.05);
}

int main(void) {
    const char *seed = getenv("WEFT_SEED");
    generator = seed != NULL ? strtoull(seed, NULL, 0) : (uint64_t)time(NULL);
    print_message("WEFT_SEED=%llu\n", (unsigned long long)generator);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_frame_comes_back_bit_for_bit_with_0_to_3_baselines),
        cmocka_unit_test(objects_left_out_stay_where_their_rest_message_put_them),
        cmocka_unit_test(a_message_that_stands_alone_leaves_the_stream_as_it_was),
        cmocka_unit_test(what_does_not_move_costs_a_hundredth_of_a_byte),
        cmocka_unit_test(a_quiet_object_takes_the_quiet_table_and_a_restless_one_does_not),
        cmocka_unit_test(a_frame_builds_only_on_evenly_spaced_ones),
        cmocka_unit_test(a_triangle_or_a_lattice_that_does_not_fit_is_refused),
        cmocka_unit_test(a_damaged_payload_is_refused_or_decoded_and_nothing_else),
        cmocka_unit_test(a_cloth_in_gusts_takes_under_a_byte_a_particle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
