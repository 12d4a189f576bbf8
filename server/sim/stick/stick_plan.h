// SPDX-License-Identifier: MIT
// In what arrangement an object's sticks are relaxed, and the room for it (stick_plan.c).
#ifndef WEFT_SIM_STICK_STICK_PLAN_H
#define WEFT_SIM_STICK_STICK_PLAN_H

#include "sim/world/world.h"

// Places in a block behind an object's particles: up to a whole batch, and the particle for lanes without a stick.
#define STICK_BLOCK_SPARE 16u

enum stick_arrangement { STICK_PLAIN, STICK_RUNS, STICK_BLOCK, STICK_CHAIN };
// Runs lie in sections, which end where `section_end` says, counted from `first_run`. Of a lattice divided among n
// threads the first n are bands of rows that can be relaxed at the same time; after them n − 1 more where they meet.
struct stick_plan {
    uint32_t first_run, runs; // in world->stick_run; none where few ends lie side by side
    uint32_t bands;           // n
    bool fits_block;
    uint32_t alike; // so many objects from this one on have the same sticks, if they fit blocks
    uint32_t section_end[2 * SIM_WORKERS_MAX];
};

uint32_t stick_plan_run_capacity(const struct sim_capacity *capacity);
size_t stick_plan_block_capacity(const struct sim_capacity *capacity); // particles
void stick_plan_resolve(struct sim_world *world);                      // of all objects, when stale
enum stick_arrangement stick_arrangement_of(const struct sim_world *world, const struct object *object); // at present

#endif
