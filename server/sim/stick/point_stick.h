// SPDX-License-Identifier: MIT
// Added sticks between points that particles carry with weights, ball joints, and sticks whose force is measured
// (PHYSICS.md 3.9 to 3.11).
#ifndef WEFT_SIM_STICK_POINT_STICK_H
#define WEFT_SIM_STICK_POINT_STICK_H

#include "sim/geometry/point.h"
#include "sim/stick/stick_lever.h"
#include "sim/world/world.h"

// The particles of both ends; one that carries both is there once.
struct point_stick {
    uint32_t count; // 0: the stick joins two particles, and kernel.h relaxes it
    uint32_t slot[2 * SIM_STICK_CARRIERS];
    double weight[2 * SIM_STICK_CARRIERS]; // of the second end, less that of the first; sum 0
    uint32_t of_first;                     // so many carry the first end alone
    uint32_t place[2];                     // of the ends' objects
    bool by_lever;                         // in this substep: one of the ends is that of a rigid body
    struct stick_lever lever[2];           // then, of both ends
    struct symmetric mobility;             // 1/kg, then: takes a push to the change of the vector between the ends
    struct symmetric answer;               // kg, of a ball joint then: the inverse, with the compliance
    struct point lambda;                   // N·s², of this substep; of a stick with a length in x alone
    struct point sum;                      // N·s², of this tick
};

// Gathers the carriers of a free stick; `slot` holds the slots of its first particles.
void point_stick_resolve(const struct sim_world *world, uint32_t index, const uint32_t slot[2]);
void point_stick_begin(struct sim_world *world, uint32_t index); // of a substep
void point_stick_relax(struct sim_world *world, uint32_t index);
struct point_stick point_stick_of(const struct free_stick *stick, const uint32_t slot[2]); // the carriers alone
// Whether another iteration would change its length by no more than `tolerance` of it; at a ball joint, of 0.1 m.
bool point_stick_is_satisfied(const struct sim_world *world, uint32_t index, double tolerance);
// From the first end to the second, as published.
struct point point_stick_span(const struct sim_world *world, const struct point_stick *stick);

#endif
