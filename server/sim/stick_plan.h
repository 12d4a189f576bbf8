// SPDX-License-Identifier: MIT
// In what arrangement an object's sticks are relaxed, and the room for it (stick_plan.c).
#ifndef WEFT_SIM_STICK_PLAN_H
#define WEFT_SIM_STICK_PLAN_H

#include "sim/wide.h"
#include "sim/world.h"

// Places in a block behind an object's particles: up to a whole batch, and the particle for lanes without a stick.
#define STICK_BLOCK_SPARE 16u

enum stick_arrangement { STICK_PLAIN, STICK_RUNS, STICK_BLOCK };
struct stick_plan {
    enum stick_arrangement arrangement;
    uint32_t first_run, runs; // in world->stick_run
};

uint32_t stick_plan_run_capacity(const struct sim_capacity *capacity);
uint32_t stick_plan_block_capacity(const struct sim_capacity *capacity); // particles
void stick_plan_resolve(struct sim_world *world);                        // of all objects, when stale

#endif
