// SPDX-License-Identifier: MIT
// The points of a sweep that may touch an obstacle, from which its contacts with the obstacle are chosen.
#ifndef WEFT_SIM_CONTACT_SWEEP_CANDIDATES_H
#define WEFT_SIM_CONTACT_SWEEP_CANDIDATES_H

#include "sim/contact/sweep.h"

#define CANDIDATES_MAX 48u // points of one sweep on one obstacle, of which the deepest and farthest apart are kept

struct candidate {
    struct mixture point;
    struct point fixed, normal;
    double gap;            // m, distance to keep
    double left;           // m, distance at the substep's end
    double weight[4];      // of a ring, whose vertices are turned differently towards other pieces
    struct part_lift lift; // of a ring
};

struct candidates {
    uint32_t count;
    struct candidate list[CANDIDATES_MAX];
};

// Notes a point of the sweep and the point of the obstacle that it faces.
void candidates_propose(struct candidates *candidates, const struct sweep *sweep, const struct mixture *point,
                        struct point fixed, struct point normal, double gap);
// Adds contacts for the deepest of them and those that are farthest apart. `obstacle` is NULL for the bounds.
void candidates_add(struct candidates *candidates, const struct sweep *sweep, struct sim_world *world,
                    const struct obstacle *obstacle, float friction, float restitution);

#endif
