// SPDX-License-Identifier: MIT
// What the tests of bounces share: the settings of the solver they run at, and what they note of a drop.
#ifndef WEFT_TESTS_SIM_BOUNCE_H
#define WEFT_TESTS_SIM_BOUNCE_H

#include "sim_ground.h"

struct setting {
    uint32_t substeps, iterations;
};

static const struct setting all_settings[] = {{1, 1},  {1, 4},  {2, 1},  {4, 2},  {8, 1},  {8, 4},
                                              {16, 1}, {16, 4}, {32, 1}, {32, 8}, {64, 4}, {64, 16}};

#define COUNT(array) ((unsigned)(sizeof(array) / sizeof *(array)))

// How fast the line from one particle of an object to another turns, or gets longer, in rad/s.
static inline double turning_of(const struct sim_world *world, uint32_t id) {
    const struct sim_object_view view = view_of(world, id);
    double most = 0.0;
    for (uint32_t i = 1; i < view.particles; i++) {
        const struct vec3 zero = {0.0f, 0.0f, 0.0f};
        const struct vec3 a = velocity_of(world, id, 0);
        const struct vec3 b = velocity_of(world, id, i);
        const struct vec3 apart = {b.x - a.x, b.y - a.y, b.z - a.z};
        const double length = distance_of(position_of(world, id, 0), position_of(world, id, i));
        most = fmax(most, distance_of(apart, zero) / length);
    }
    return most;
}

struct figures {
    unsigned drops, off; // how many, and how many of them by more than 5 %
    double low, high;    // height after the bounce, as a share of e² times the height of the drop
    double turning;      // rad/s
};

static inline struct figures no_figures(void) {
    return (struct figures){0, 0, 1.0, 1.0, 0.0};
}

static inline void note_drop(struct figures *figures, double share, double turning) {
    figures->drops++;
    figures->off += fabs(share - 1.0) > 0.05 ? 1 : 0;
    figures->low = fmin(figures->low, share);
    figures->high = fmax(figures->high, share);
    figures->turning = fmax(figures->turning, turning);
}

static inline struct sim_body_desc body_with(float e) {
    struct sim_body_desc desc = sim_body_desc_default();
    desc.position = (struct vec3){0.3f, 0.0f, 0.2f};
    desc.extents = (struct vec3){0.6f, 0.1f, 0.5f};
    desc.restitution = e;
    return desc;
}

static inline void check(const char *what, const struct figures *figures) {
    print_message("%s, %u drops: %u off by more than 5 %%; height %.3f to %.3f of e² h, turning by %.4f rad/s\n", what,
                  figures->drops, figures->off, figures->low, figures->high, figures->turning);
    assert_int_equal(figures->off, 0);
    assert_true(figures->low > 0.97 && figures->high < 1.03);
    assert_true(figures->turning < 0.02);
}

#endif
