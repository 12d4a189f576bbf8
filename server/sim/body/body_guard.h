// SPDX-License-Identifier: MIT
// The part of the guard (contact_guard.c) that keeps fast objects from passing through thin bodies, and fast bodies
// from passing through other objects.
#ifndef WEFT_SIM_BODY_BODY_GUARD_H
#define WEFT_SIM_BODY_BODY_GUARD_H

#include "sim/contact/extent.h"

// Data of all bodies in a substep, used to skip slow objects at once.
struct body_guard {
    struct start_positions from;
    float thinnest;       // m, of the thinnest body
    struct vec3 min, max; // m, box around the paths of the bodies that are fast against `thinnest`
    bool bounded;         // the parts of bodies have the boxes around their present paths
};

float body_thickness(const struct sim_world *world, const struct object *object); // m
void body_guard_begin_tick(struct sim_world *world); // the shapes of bodies last for a tick
struct body_guard body_guard_of(const struct sim_world *world, const struct start_positions *from);
// True if an object with this extent may have passed through a body, or a body through it.
bool body_guard_concerns(const struct sim_world *world, const struct body_guard *guard, const struct extent *extent);
// Moves particles and hull vertices of an object that have passed through a body since the start back to the side that
// they came from; the body gives way by its mass. Returns true if anything moved.
bool body_guard_object(struct sim_world *world, struct body_guard *guard, uint32_t place, const struct extent *extent);
// To be called when anything else has moved an object since the guard was made.
void body_guard_moved(struct sim_world *world, const struct body_guard *guard, uint32_t place);

#endif
