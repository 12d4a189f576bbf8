// SPDX-License-Identifier: MIT
// Moves objects that a command has put deep into an obstacle out of it as a whole.
#ifndef WEFT_SIM_CONTACT_CONTACT_LEAVE_H
#define WEFT_SIM_CONTACT_CONTACT_LEAVE_H

#include "sim/world/world.h"

// Called before the first substep of a tick: moves objects that bend and lie deep in an obstacle out of it as a whole.
void contact_leave(struct sim_world *world);

// Called after the last iteration, where gravity moves everything by millimetres in a substep: lifts bodies and figures
// that gravity has pressed into a sphere, box, capsule or plane out as a whole, since easing would be slower than
// gravity.
void contact_lift(struct sim_world *world);

#endif
