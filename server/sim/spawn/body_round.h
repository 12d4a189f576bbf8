// SPDX-License-Identifier: MIT
// The forms of round and of compound bodies.
#ifndef WEFT_SIM_SPAWN_BODY_ROUND_H
#define WEFT_SIM_SPAWN_BODY_ROUND_H

#include "sim/spawn/body_form.h"

// Of a sphere, capsule, cylinder, compound, and of a box or a hull with a radius.
enum result body_round_make(const struct sim_body_desc *desc, struct body_form *form,
                            struct fault *fault) WEFT_MUST_USE;

#endif
