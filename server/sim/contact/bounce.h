// SPDX-License-Identifier: MIT
// The rounds in which contacts bounce before relaxation (restitution.c): the contacts that a round strikes
// (bounce_touch.c) and the impulses at them (bounce_solve.c). All motion is per substep.
#ifndef WEFT_SIM_CONTACT_BOUNCE_H
#define WEFT_SIM_CONTACT_BOUNCE_H

#include "sim/contact/contact.h"

struct bounce_limits {
    double speed_min;     // m per substep; slower approaches do not bounce
    struct point gravity; // m per substep²
};

static inline double bounce_magnitude(double value) {
    return value < 0.0 ? -value : value;
}

// The speed by which gravity drives the two points together in a substep, in m per substep.
static inline double bounce_gravity(const struct sim_world *world, const struct contact *contact,
                                    const struct bounce_limits *limits) {
    double falling = 0.0;
    for (uint32_t k = 0; k < contact->carriers; k++) {
        falling += world->w[contact->slot[k]] > 0.0f ? (double)contact->weight[k] : 0.0;
    }
    return -falling * point_dot(point_of(contact->normal), limits->gravity);
}

#endif
