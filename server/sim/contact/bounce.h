// SPDX-License-Identifier: MIT
// The rounds in which contacts bounce before relaxation (contact_bounce.c): which contacts a round strikes
// (bounce_touch.c), and the impulses it gives them (bounce_solve.c). All motion is per substep.
#ifndef WEFT_SIM_CONTACT_BOUNCE_H
#define WEFT_SIM_CONTACT_BOUNCE_H

#include "sim/contact/contact.h"
#include "sim/contact/impact.h"

struct bounce_limits {
    double speed_min;     // m per substep: slower approaches do not bounce
    struct point gravity; // m per substep²
};

// The two points of a contact.
struct bounce_touch {
    struct impact_side sides[2];
    double since; // share of the substep up to which both have been followed
    double gap;   // m, then
    double depth; // m, at the substep's end
    double speed; // m per substep, apart along the normal: the mean until then, as what turns comes down in an arc
};

static inline double bounce_magnitude(double value) {
    return value < 0.0 ? -value : value;
}
// When the first of the two bodies is struck in this round, as a share of the substep; IMPACT_NEVER: neither is.
static inline double bounce_earliest(const struct bounce_touch *touch) {
    const struct impact_body *a = touch->sides[0].body;
    const struct impact_body *b = touch->sides[1].body;
    return b != NULL && b->time < a->time ? b->time : a->time;
}
// By how much gravity drives the two points towards one another.
double bounce_gravity(const struct sim_world *world, const struct contact *contact, const struct bounce_limits *limits);

// ---- bounce_touch.c -------------------------------------------------------------------------------------------------
struct bounce_touch bounce_touch(struct sim_world *world, const struct contact *contact);
// Marks the contacts, and sets the times of the bodies, that the next round strikes. False: nothing bounces any more.
bool bounce_find_round(struct sim_world *world, const struct bounce_limits *limits);
// After the last round: marks contacts of bodies that have been struck and still approach something they touch, too
// slowly to bounce. Whether there are any.
bool bounce_find_left(struct sim_world *world, const struct bounce_limits *limits);

// ---- bounce_solve.c -------------------------------------------------------------------------------------------------
// Follows all bodies of a round to where they are struck, stops them there and drives those that bounce apart.
void bounce_solve(struct sim_world *world, const struct bounce_limits *limits);

#endif
