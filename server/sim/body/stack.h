// SPDX-License-Identifier: MIT
// Bodies that rest on one another stand firm.
#ifndef WEFT_SIM_BODY_STACK_H
#define WEFT_SIM_BODY_STACK_H

#include "sim/world/world.h"

void stack_relax(struct sim_world *world); // called before and after the iterations, so that stacks stand firm

#endif
