// SPDX-License-Identifier: MIT
// The figures of fabrics.
#ifndef WEFT_SIM_WORLD_FABRIC_H
#define WEFT_SIM_WORLD_FABRIC_H

#include "sim/world/world.h"

// Not a fabric; what is given besides follows from that.
#define FABRIC_NONE                                                                                                    \
    { 0.0f, -1.0f, -1.0f, -1.0f, -1.0f, 0.0f, 0.0f }

bool fabric_is_given(const struct sim_fabric *fabric);
// Checks the figures and fills in those that follow from others.
enum result fabric_check(const struct sim_fabric *given, struct sim_fabric *fabric, struct fault *fault) WEFT_MUST_USE;

#endif
