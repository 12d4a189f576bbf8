// SPDX-License-Identifier: MIT
// Which contacts bounce in a round, and when.
#ifndef WEFT_SIM_CONTACT_BOUNCE_TOUCH_H
#define WEFT_SIM_CONTACT_BOUNCE_TOUCH_H

#include "sim/contact/bounce.h"
#include "sim/contact/impact.h"

// The two points of a contact.
struct bounce_touch {
    struct impact_side sides[2];
    double since; // share of the substep up to which both have been followed
    double gap;   // m, then
    double depth; // m, at the substep's end
    double speed; // m per substep, apart along the normal: the mean until then, as what turns comes down in an arc
};

// When the first of the two bodies is struck in this round, as a share of the substep; IMPACT_NEVER: neither is.
static inline double bounce_earliest(const struct bounce_touch *touch) {
    const struct impact_body *a = touch->sides[0].body;
    const struct impact_body *b = touch->sides[1].body;
    return b != NULL && b->time < a->time ? b->time : a->time;
}

struct bounce_touch bounce_touch(struct sim_world *world, const struct contact *contact);
// Marks the contacts, and sets the times of the bodies, that the next round strikes. False: nothing bounces any more.
bool bounce_find_round(struct sim_world *world, const struct bounce_limits *limits);
// After the last round: marks contacts of bodies that have been struck and still approach something they touch, too
// slowly to bounce. Whether there are any.
bool bounce_find_left(struct sim_world *world, const struct bounce_limits *limits);

#endif
