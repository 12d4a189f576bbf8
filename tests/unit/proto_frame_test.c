// SPDX-License-Identifier: MIT
// Packing frames: decoded positions lie within half a step of the originals in every world. The seed of the random
// worlds is printed; WEFT_SEED repeats one.
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
#include "proto_frame_decoder.h"

#define PARTICLES_MAX 2000u
#define RANGES_MAX 12u

static uint64_t generator;

static uint32_t random_below(uint32_t limit) {
    generator = generator * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((generator >> 33) % limit);
}

static float random_real(float size) {
    return size * ((float)random_below(2000001) - 1000000.0f) / 1000000.0f;
}

struct world {
    float x[PARTICLES_MAX], y[PARTICLES_MAX], z[PARTICLES_MAX];
    struct proto_range ranges[RANGES_MAX];
    struct proto_frame_source source;
};

// Objects of random sizes one after another; with `chosen`, gaps between them.
static void make_world(struct world *world, bool chosen) {
    static const float sizes[] = {0.0f, 0.001f, 1.0f, 50.0f, 100000.0f};
    float size = sizes[random_below(5)], centre = random_real(100000.0f - size);
    for (uint32_t i = 0; i < PARTICLES_MAX; i++) {
        world->x[i] = centre + random_real(size);
        world->y[i] = random_real(size);
        world->z[i] = random_below(3) == 0 ? 0.0f : random_real(1.0f);
    }
    uint32_t next = 0, count = random_below(RANGES_MAX + 1);
    for (uint32_t i = 0; i < count; i++) {
        next += chosen ? random_below(9) : 0;
        world->ranges[i] = (struct proto_range){next, 1 + random_below(150)};
        next += world->ranges[i].count;
    }
    world->source = (struct proto_frame_source){.tick = 7,
                                                .epoch = 3,
                                                .x = world->x,
                                                .y = world->y,
                                                .z = world->z,
                                                .ranges = world->ranges,
                                                .range_count = count,
                                                .chosen = chosen};
}

// Decodes and compares each position with the one it came from.
static void check_positions(const struct world *world, const uint8_t *message, size_t length, float step) {
    static float decoded[3 * PARTICLES_MAX];
    assert_true(decode_positions(message, length, decoded));
    uint32_t at = 0;
    for (uint32_t i = 0; i < world->source.range_count; i++) {
        for (uint32_t slot = world->ranges[i].first; slot < world->ranges[i].first + world->ranges[i].count; slot++) {
            const float wanted[3] = {world->x[slot], world->y[slot], world->z[slot]};
            for (int axis = 0; axis < 3; axis++, at++) {
                // Half a step, and the error of rounding the result to a float32.
                double allowed = 0.5 * (double)step + fabs((double)wanted[axis]) * 0x1p-24;
                assert_true(fabs((double)decoded[at] - (double)wanted[axis]) <= allowed);
            }
        }
    }
    assert_int_equal(decode_header(message).count * 3, at);
}

static void frames_decode_within_half_a_step(void **state) {
    (void)state;
    static struct world world;
    static const float steps[] = {PROTO_STEP_MIN, PROTO_STEP_DEFAULT, 0.001f, 0.3f, PROTO_STEP_MAX};
    for (int round = 0; round < 300; round++) {
        make_world(&world, round % 2 == 1);
        float step = steps[random_below(5)];
        size_t bound = proto_frame_bound(&world.source, PROTO_CODING_GRID);
        uint8_t *message = malloc(bound); // exactly the bound, so that the sanitizer sees a byte too many
        assert_non_null(message);
        size_t length = proto_frame_pack(&world.source, PROTO_CODING_GRID, step, message);
        assert_true(length <= bound && length % 4 == 0);
        check_positions(&world, message, length, step);
        free(message);
    }
}

static void raw_frames_decode_exactly(void **state) {
    (void)state;
    static struct world world;
    for (int round = 0; round < 50; round++) {
        make_world(&world, round % 2 == 1);
        size_t bound = proto_frame_bound(&world.source, PROTO_CODING_RAW);
        uint8_t *message = malloc(bound);
        assert_non_null(message);
        size_t length = proto_frame_pack(&world.source, PROTO_CODING_RAW, 0.0f, message);
        assert_int_equal(length, bound);
        check_positions(&world, message, length, 0.0f);
        free(message);
    }
}

static void every_width_from_0_to_32_bits_survives(void **state) {
    (void)state;
    static float x[PROTO_BLOCK_PARTICLES], zero[PROTO_BLOCK_PARTICLES];
    const struct proto_range range = {0, 3};
    const struct proto_frame_source source = {.x = x, .y = zero, .z = zero, .ranges = &range, .range_count = 1};
    const float step = PROTO_STEP_MIN;
    for (uint32_t bits = 0; bits <= 32; bits++) {
        // From 24 bits on the positions are no multiples of the step any more; the whole world takes 32 bits.
        double span = bits == 32 ? 200000.0 / (double)step : exp2(bits) - 1;
        x[0] = (float)(-floor(span / 2) * (double)step);
        x[1] = (float)(ceil(span / 2) * (double)step);
        x[2] = 0.0f;
        uint8_t message[256];
        float decoded[9];
        size_t length = proto_frame_pack(&source, PROTO_CODING_GRID, step, message);
        assert_true(decode_positions(message, length, decoded));
        assert_true(bits <= 24 || bits == 32 ? message[32 + 12] == bits : message[32 + 12] >= bits);
        for (int i = 0; i < 3; i++) {
            assert_true(fabsf(decoded[3 * i] - x[i]) <= 0.5f * step + fabsf(x[i]) * 0x1p-24f);
        }
    }
}

static void the_header_says_what_the_frame_is(void **state) {
    (void)state;
    static const float axis[4] = {1, 2, 3, 4};
    static const struct proto_range ranges[] = {{1, 1}, {3, 1}};
    const struct proto_frame_source source = {.tick = 0x123456789ABCDEFu,
                                              .epoch = 0xFEDCBA98u,
                                              .x = axis,
                                              .y = axis,
                                              .z = axis,
                                              .ranges = ranges,
                                              .range_count = 2,
                                              .chosen = true,
                                              .refresh = true};
    uint8_t message[256];
    size_t length = proto_frame_pack(&source, PROTO_CODING_GRID, 0.5f, message);
    struct decoded_header header = decode_header(message);
    assert_int_equal(header.type, PROTO_BINARY_FRAME);
    assert_int_equal(header.coding, PROTO_CODING_GRID);
    assert_int_equal(header.flags, PROTO_FRAME_RANGES | PROTO_FRAME_REFRESH | PROTO_FRAME_KEYFRAME);
    assert_int_equal(header.epoch, 0xFEDCBA98u);
    assert_true(header.tick == 0x123456789ABCDEFu);
    assert_int_equal(header.first, 1);
    assert_int_equal(header.count, 2);
    assert_true(header.step == 0.5f);
    assert_int_equal(load(header.baselines, 4), 0);
    assert_int_equal(length, 32 + 4 + 16 + 2 * 16);
}

int main(void) {
    const char *given = getenv("WEFT_SEED");
    generator = given != NULL ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
    printf("WEFT_SEED=%llu\n", (unsigned long long)generator);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_decode_within_half_a_step),
        cmocka_unit_test(raw_frames_decode_exactly),
        cmocka_unit_test(every_width_from_0_to_32_bits_survives),
        cmocka_unit_test(the_header_says_what_the_frame_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
