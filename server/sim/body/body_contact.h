// SPDX-License-Identifier: MIT
// The contacts of two convex parts in the direction in which they meet.
#ifndef WEFT_SIM_BODY_BODY_CONTACT_H
#define WEFT_SIM_BODY_BODY_CONTACT_H

#include "sim/body/body_shape.h"
#include "sim/contact/contact.h"

// Two parts, at the time at which they are compared.
struct part_pair {
    const struct body_part *a, *b;
    struct body_shape shape_a, shape_b;
    double keep;      // m, sum of their radii
    double thickness; // m, thickness of the thinner part
    double near;      // m
    bool only_overlaps;
    double round;  // m, sum of the radii that turn with their bodies
    double rim[2]; // m, radii of the two where they are rings that have been turned to one another; else 0
};

// A contact of the pair without carriers.
struct contact body_contact_of(const struct sim_world *world, const struct part_pair *pair, struct point normal);
// Adds the weights of a part's particles in a point that is a mean of vertices, times `sign`.
void body_contact_weigh(const struct body_part *part, const struct body_shape *shape, const struct mixture *mixture,
                        float sign, struct contact *contact);
// Adds the patch in which the two face one another along the normal, or otherwise their nearest pair of points.
void body_contact_patch(struct sim_world *world, const struct part_pair *pair, struct point normal,
                        const struct mixture *a, const struct mixture *b, double gap);

#endif
