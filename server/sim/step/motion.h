// SPDX-License-Identifier: MIT
// The start and the end of a substep, for all particles.
#ifndef WEFT_SIM_STEP_MOTION_H
#define WEFT_SIM_STEP_MOTION_H

#include "sim/world/world.h"

// d' and ahead + off.
void motion_integrate(struct sim_world *world, const struct substep *substep);
// An iteration over the sticks of all objects, and of objects that are alone over all that acts on them; in the last
// iteration they may go on to the next substep.
void motion_relax_sticks(struct sim_world *world, const struct substep *substep, uint32_t iteration,
                         uint32_t substeps_left);
// d and x + low from where relaxation has taken the particles.
void motion_finish(struct sim_world *world, const struct substep *substep, uint32_t substeps_left);
void motion_clear_forces(struct sim_world *world, const struct substep *substep);

#endif
