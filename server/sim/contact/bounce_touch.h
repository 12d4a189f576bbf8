// SPDX-License-Identifier: MIT
// Finds the contacts that bounce in a round, and their times.
#ifndef WEFT_SIM_CONTACT_BOUNCE_TOUCH_H
#define WEFT_SIM_CONTACT_BOUNCE_TOUCH_H

#include "sim/contact/bounce.h"
#include "sim/contact/impact.h"

// The two points of a contact, as seen in a round.
struct bounce_touch {
    struct impact_side sides[2];
    double since; // share of the substep up to which the paths of both sides are known
    double gap;   // m, at that time
    double depth; // m, at the substep's end
    // Speed at which the points part along the normal, in m per substep: the mean over the rest of the substep, since a
    // point of a turning body moves in an arc.
    double speed;
};

// The share of the substep at which the first of the two bodies is struck in this round; IMPACT_NEVER if neither is.
static inline double bounce_earliest(const struct bounce_touch *touch) {
    const struct impact_body *a = touch->sides[0].body;
    const struct impact_body *b = touch->sides[1].body;
    return b != NULL && b->time < a->time ? b->time : a->time;
}

struct bounce_touch bounce_touch(struct sim_world *world, const struct contact *contact);
// Marks the contacts that the next round strikes and sets the times of their bodies. Returns false when nothing bounces
// any more.
bool bounce_find_round(struct sim_world *world, const struct bounce_limits *limits);
// Called after the last round: marks the contacts of bodies that were struck and still approach something that they
// touch, too slowly to bounce. Returns true if there are any.
bool bounce_find_left(struct sim_world *world, const struct bounce_limits *limits);

#endif
