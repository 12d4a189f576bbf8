// SPDX-License-Identifier: MIT
// The arrangement in which an object's sticks are relaxed, and the memory for it (stick_plan.c).
#ifndef WEFT_SIM_STICK_STICK_PLAN_H
#define WEFT_SIM_STICK_STICK_PLAN_H

#include "sim/world/world.h"

// Places in a block after an object's particles: padding to a whole batch, and for each band a particle for lanes
// without a stick.
#define STICK_BLOCK_BATCH 16u
#define STICK_BLOCK_SPARE (STICK_BLOCK_BATCH + SIM_WORKERS_MAX)
#define STICK_PLANNED_COLOURS_MAX 64u // objects with more colours are relaxed stick by stick

enum stick_arrangement { STICK_PLAIN, STICK_RUNS, STICK_BLOCK, STICK_CHAIN };
// Runs lie in sections that end at `section_end`, counted from `first_run`. Of a lattice divided among n threads the
// first n sections are bands of rows that can be relaxed at the same time; after them n − 1 sections are the seams
// between bands.
struct stick_plan {
    uint32_t first_run, runs; // in world->stick_run; none where few ends are contiguous
    uint32_t bands;           // n
    bool fits_block;
    bool ordered;         // rigid sticks are relaxed in the order of stick_order.h
    uint32_t block_bands; // into which a block is divided: stick_seam.h; 1 where it is not
    uint32_t first_seam;  // in world->stick_seam
    bool gaps_kept;       // in this substep, of the particles that the block holds: struct stick_gaps
    uint32_t alike;       // number of objects from this one on with the same sticks, if they fit blocks
    uint32_t section_end[2 * SIM_WORKERS_MAX];
};

uint32_t stick_plan_run_capacity(const struct sim_capacity *capacity);
size_t stick_plan_block_capacity(const struct sim_capacity *capacity); // particles
void stick_plan_resolve(struct sim_world *world);                      // plans all objects, when stale
// The arrangement in use.
enum stick_arrangement stick_arrangement_of(const struct sim_world *world, const struct object *object);

#endif
