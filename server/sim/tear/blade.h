// SPDX-License-Identifier: MIT
// The surface that a blade sweeps, and whether a line crosses it.
#ifndef WEFT_SIM_TEAR_BLADE_H
#define WEFT_SIM_TEAR_BLADE_H

#include "sim/geometry/point.h"
#include "sim/sim.h"

struct blade_sweep {
    const struct sim_blade *blade;
    struct point low, high; // m, a box around all of it
};

struct blade_sweep blade_sweep_of(const struct sim_blade *blade);
// True if the straight line from p to q crosses the surface. Of lines with an end in common that touch the surface in
// that end, those cross it that come from the same side, and no others.
bool blade_crosses(const struct blade_sweep *sweep, struct point p, struct point q);

#endif
