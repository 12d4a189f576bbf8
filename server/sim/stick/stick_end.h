// SPDX-License-Identifier: MIT
// The ends of a stick that a command adds: a particle, or a point that particles carry.
#ifndef WEFT_SIM_STICK_STICK_END_H
#define WEFT_SIM_STICK_STICK_END_H

#include "sim/world/world.h"

struct stick_end {
    struct sim_stick_end end; // of a point, its first carrier
    struct sim_stick_point point;
    uint32_t slot;
};

// `first`: the end a, else b. Errors: RESULT_NOT_FOUND (object, particle), RESULT_INVALID, RESULT_LIMIT.
enum result stick_end_find(const struct sim_world *world, struct sim_stick_end end, const struct sim_stick_place *place,
                           bool first, struct stick_end *found, struct fault *fault) WEFT_MUST_USE;

#endif
