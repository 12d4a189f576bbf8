// SPDX-License-Identifier: MIT
// The part of the guard (contact_guard.c) that keeps what is fast out of bodies that are thin, and fast bodies out of
// what lies in their way.
#ifndef WEFT_SIM_BODY_BODY_GUARD_H
#define WEFT_SIM_BODY_BODY_GUARD_H

#include "sim/contact/extent.h"

// What is known of all bodies in a substep, so that what is slow is passed over at once.
struct body_guard {
    struct start_positions from;
    float thinnest;       // m, of all bodies
    struct vec3 min, max; // m, around the ways of those that are fast against `thinnest`
};

float body_thickness(const struct object *object); // m
struct body_guard body_guard_of(const struct sim_world *world, const struct start_positions *from);
// Whether what moves like that may have come through a body, or a body through it.
bool body_guard_concerns(const struct sim_world *world, const struct body_guard *guard, const struct extent *extent);
// Particles and hull vertices of an object that have come through a body, from where they were at the start, go back to
// the side they came from; a body gives way. Whether any had to.
bool body_guard_object(struct sim_world *world, const struct body_guard *guard, uint32_t place,
                       const struct extent *extent);

#endif
