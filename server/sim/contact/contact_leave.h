// SPDX-License-Identifier: MIT
// What a command has put deep into an obstacle is moved out of it as a whole.
#ifndef WEFT_SIM_CONTACT_CONTACT_LEAVE_H
#define WEFT_SIM_CONTACT_CONTACT_LEAVE_H

#include "sim/world/world.h"

// Before the first substep of a tick: what bends and lies deep in a box is moved out of it as a whole.
void contact_leave(struct sim_world *world);

// After the last sweep, where gravity moves everything by millimetres in a substep: bodies and figures that it has
// pressed into a sphere, box, capsule or plane are lifted out as a whole, since easing would be slower than gravity.
void contact_lift(struct sim_world *world);

#endif
