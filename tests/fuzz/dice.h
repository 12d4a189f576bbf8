// SPDX-License-Identifier: MIT
// Dice for random worlds: numbers that are mostly sensible, often at the ends of their range, and at times anything
// that a float can be. Everything follows from the seed.
#ifndef WEFT_TESTS_DICE_H
#define WEFT_TESTS_DICE_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/vector.h"

struct dice {
    uint64_t state;
};

// splitmix64
static inline uint64_t dice_next(struct dice *dice) {
    dice->state += 0x9E3779B97F4A7C15u;
    uint64_t z = dice->state;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static inline uint32_t dice_below(struct dice *dice, uint32_t limit) {
    return (uint32_t)(dice_next(dice) >> 32) % limit;
}

static inline bool dice_percent(struct dice *dice, uint32_t percent) {
    return dice_below(dice, 100) < percent;
}

static inline float dice_between(struct dice *dice, float low, float high) {
    return low + (high - low) * (float)((double)(dice_next(dice) >> 11) / 9007199254740992.0);
}

// What no parser would be surprised by.
static inline float dice_nasty(struct dice *dice) {
    static const float nasty[] = {0.0f,  -0.0f,   1e-45f,   1e-30f,  1e-12f,   1e-6f,     1e-3f, -1e-3f, 1.0f,
                                  -1.0f, 1e3f,    -1e3f,    1e5f,    -1e5f,    1e6f,      1e12f, 1e20f,  -1e20f,
                                  1e38f, FLT_MAX, -FLT_MAX, FLT_MIN, INFINITY, -INFINITY, NAN,   3e-5f,  2.0f};
    return nasty[dice_below(dice, sizeof nasty / sizeof nasty[0])];
}

// Mostly within the range, often at its ends, once in 200 times anything.
static inline float dice_real(struct dice *dice, float low, float high) {
    const uint32_t die = dice_below(dice, 1000);
    if (die < 5) {
        return dice_nasty(dice);
    }
    if (die < 60) {
        return low;
    }
    if (die < 120) {
        return high;
    }
    return dice_between(dice, low, high);
}

// Over all magnitudes between the two, both positive; at times one of the ends, or anything.
static inline float dice_scale(struct dice *dice, float low, float high) {
    const uint32_t die = dice_below(dice, 200);
    if (die == 0) {
        return dice_nasty(dice);
    }
    if (die < 10) {
        return die % 2 == 0 ? low : high;
    }
    unsigned octaves = 0;
    for (float value = low; value < high; value *= 2.0f) {
        octaves++;
    }
    float value = low * dice_between(dice, 1.0f, 2.0f);
    for (unsigned k = dice_below(dice, octaves + 1); k > 1; k--) {
        value *= 2.0f;
    }
    return value < high ? value : high;
}

static inline struct vec3 dice_vector(struct dice *dice, float reach) {
    struct vec3 v;
    v.x = dice_real(dice, -reach, reach);
    v.y = dice_real(dice, -reach, reach);
    v.z = dice_real(dice, -reach, reach);
    return v;
}

static inline struct quat dice_rotation(struct dice *dice) {
    struct quat q = {0.0f, 0.0f, 0.0f, 1.0f};
    if (dice_percent(dice, 60)) {
        q.x = dice_real(dice, -1.0f, 1.0f);
        q.y = dice_real(dice, -1.0f, 1.0f);
        q.z = dice_real(dice, -1.0f, 1.0f);
        q.w = dice_real(dice, -1.0f, 1.0f);
    }
    return q;
}

// Points of which some fall together, all but fall together, or lie in a plane.
static inline void dice_points(struct dice *dice, float *points, uint32_t count, float reach) {
    const uint32_t flat = dice_below(dice, 8); // an axis on which all are the same, when below 3
    for (uint32_t i = 0; i < count; i++) {
        const struct vec3 p = dice_vector(dice, reach);
        const float coordinates[3] = {p.x, p.y, p.z};
        memcpy(points + 3 * (size_t)i, coordinates, sizeof coordinates);
        if (i > 0 && dice_percent(dice, 4)) {
            memcpy(points + 3 * (size_t)i, points + 3 * (size_t)dice_below(dice, i), sizeof coordinates);
            points[3 * i] *= dice_percent(dice, 50) ? 1.0f : 1.000001f;
        }
        if (flat < 3) {
            points[3 * i + flat] = points[flat];
        }
    }
}

#endif
