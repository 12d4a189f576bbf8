// SPDX-License-Identifier: MIT
// Two bodies on their paths through a substep, for the guard (body_guard.c): vertices move straight from the substep's
// start to now.
#ifndef WEFT_SIM_BODY_BODY_WAYS_H
#define WEFT_SIM_BODY_BODY_WAYS_H

#include "sim/body/body_shape.h"
#include "sim/contact/extent.h"

// The path of a body from the substep's start to now.
struct body_ways {
    struct body_shape from, to;
};

void body_ways_set(const struct sim_world *world, const struct start_positions *start, const struct body_part *part,
                   struct body_ways *ways);
// True if the first is above one face of the second at the start and at the end: no vertex of it can pass. Sets the
// normal of that face at the end.
bool body_ways_above_a_face(const struct body_ways ways[2], struct point *normal);
// True if the two are apart along this unit vector, from the second to the first, all the way.
bool body_ways_apart(const struct body_ways ways[2], struct point normal);
// The distance in m, along `normal`, that puts the first of two that come deeper than `deep` into one another outside
// again; 0 for two that do not, or that have to move no farther than they lay in one another at the start. `keep`: the
// distance between them, the sum of their radii.
double body_ways_out(const struct body_ways ways[2], double keep, double deep, struct point *normal);

#endif
