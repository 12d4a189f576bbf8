// SPDX-License-Identifier: MIT
// The impulses of a round of bounces.
#ifndef WEFT_SIM_CONTACT_BOUNCE_SOLVE_H
#define WEFT_SIM_CONTACT_BOUNCE_SOLVE_H

#include "sim/contact/bounce.h"

// Advances all bodies of a round to where they are struck, stops them there, and drives those that bounce apart.
void bounce_solve(struct sim_world *world, const struct bounce_limits *limits);

#endif
