// SPDX-License-Identifier: MIT
// Added sticks whose length moves: towards a target at a rate, or to and fro.
#ifndef WEFT_SIM_STICK_MUSCLE_H
#define WEFT_SIM_STICK_MUSCLE_H

#include "sim/world/world.h"

static inline bool muscle_moves(const struct free_stick *stick) {
    return stick->rate > 0.0f || stick->swing.amplitude > 0.0f;
}

// The length of a stick at a time of the world, in s.
float muscle_length(const struct free_stick *stick, double seconds);
// Moves the lengths on by a substep, the k-th of its tick, and writes all lengths to `free_length`.
void muscle_advance(struct sim_world *world, uint32_t k);

#endif
