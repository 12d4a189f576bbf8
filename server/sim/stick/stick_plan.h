// SPDX-License-Identifier: MIT
// In what arrangement an object's sticks are relaxed, and the room for it (stick_plan.c).
#ifndef WEFT_SIM_STICK_STICK_PLAN_H
#define WEFT_SIM_STICK_STICK_PLAN_H

#include "sim/simd/simd.h"
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

// ---- stick_sweep.c --------------------------------------------------------------------------------------------------
// One sweep over the own sticks of all active objects, on all threads there are.
void stick_sweep(struct sim_world *world);
// How many objects from this one on a sweep relaxes at once. With n of them, λ of stick s of the k-th lies at
// world->stick_lambda[first_stick of the first + n·s + k].
uint32_t stick_together(const struct sim_world *world, uint32_t place);
enum stick_form stick_form_of(const struct sim_world *world, const struct object *object); // but for compliant sticks

// ---- stick_block.c --------------------------------------------------------------------------------------------------
// All passes over an object planned as STICK_BLOCK, on this thread, or on all threads there are.
void stick_block_relax(const struct sim_world *world, const struct object *object);
void stick_block_relax_divided(const struct sim_world *world, const struct object *object);
// Whether it and the objects after it, one for each lane of a vector, can be relaxed at once; and doing so.
bool stick_block_is_shared(const struct sim_world *world, const struct object *object);
void stick_block_relax_shared(const struct sim_world *world, const struct object *object);

#endif
