// SPDX-License-Identifier: MIT
// The constraints that keep the shape of a rigid body.
#ifndef WEFT_SIM_BODY_BODY_RELAX_H
#define WEFT_SIM_BODY_BODY_RELAX_H

#include "sim/world/world.h"

// One iteration over all constraints of a body: its sticks, a frame's right angles, the seventh constraint.
void body_relax(struct sim_world *world, const struct object *object);
// The seventh constraint on any four particles: det[e1, e2, e3] = `rest`, in m³, which forbids the mirror image
// (PHYSICS.md 6.2).
void body_relax_determinant(struct sim_world *world, const uint32_t slot[4], float rest,
                            enum sim_projection projection);

#endif
