// SPDX-License-Identifier: MIT
// Relaxing an object's own sticks one by one.
#ifndef WEFT_SIM_STICK_STICK_H
#define WEFT_SIM_STICK_STICK_H

#include "sim/simd/simd.h"
#include "sim/world/world.h"

void stick_begin(struct sim_world *world); // starts a substep: λ = 0, except that of stick_begin_object
void stick_begin_object(const struct sim_world *world, const struct object *object); // λ = 0 of an object's own sticks
void stick_relax_object(const struct sim_world *world, const struct object *object);
uint32_t stick_passes(const struct object *object); // passes over an object's sticks in an iteration
float stick_compliance(const struct sim_world *world, const struct object *object, uint32_t colour); // m/N
// The form of an object's sticks that are not compliant.
enum stick_form stick_form_of(const struct sim_world *world, const struct object *object);

// The pulls of sticks that a force breaks: set to 0 before a tick, summed up after each substep's relaxation.
void stick_begin_tick(struct sim_world *world);
void stick_measure(struct sim_world *world);

#endif
