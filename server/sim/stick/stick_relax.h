// SPDX-License-Identifier: MIT
// One iteration over the own sticks of all objects.
#ifndef WEFT_SIM_STICK_STICK_RELAX_H
#define WEFT_SIM_STICK_STICK_RELAX_H

#include "sim/world/world.h"

// One iteration over the own sticks of all active objects, on all threads.
void stick_relax(struct sim_world *world);
// The number of objects from this one on that are relaxed at once. With n of them, λ of stick s of the k-th lies at
// world->stick_lambda[first_stick of the first + n·s + k].
uint32_t stick_together(const struct sim_world *world, uint32_t place);

#endif
