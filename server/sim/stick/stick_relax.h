// SPDX-License-Identifier: MIT
// One iteration over the own sticks of all objects.
#ifndef WEFT_SIM_STICK_STICK_RELAX_H
#define WEFT_SIM_STICK_STICK_RELAX_H

#include "sim/world/world.h"

// A visit to each object that is alone once its sticks are relaxed, by the thread that has relaxed them.
struct stick_after {
    void (*visit)(struct sim_world *world, uint32_t place, unsigned share, void *context);
    void *context;
};

// One iteration over the own sticks of all active objects, on all threads. `first`: in the first iteration, which sets
// λ = 0.
void stick_relax(struct sim_world *world, bool first, const struct stick_after *after);
// True if all threads relax the object together.
bool stick_is_divided(const struct sim_world *world, uint32_t place);
// The number of objects from this one on that are relaxed at once. With n of them, λ of stick s of the k-th lies at
// world->stick_lambda[first_stick of the first + n·s + k].
uint32_t stick_together(const struct sim_world *world, uint32_t place);

#endif
