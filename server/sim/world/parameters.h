// SPDX-License-Identifier: MIT
// The parameters of a world: defaults, checks and the bounds.
#ifndef WEFT_SIM_WORLD_PARAMETERS_H
#define WEFT_SIM_WORLD_PARAMETERS_H

#include "sim/world/world.h"

// The nearest point within the bounds; a coordinate that is not a number becomes the lower bound.
struct vec3 world_within_bounds(const struct sim_world *world, struct vec3 p);
enum result parameters_check(const struct sim_parameters *parameters, struct fault *fault) WEFT_MUST_USE;

#endif
