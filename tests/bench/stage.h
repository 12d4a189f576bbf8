// SPDX-License-Identifier: MIT
// The scenes of the benchmark that are built in C: a mixed one of any size, and the one great cloth.
#ifndef WEFT_BENCH_STAGE_H
#define WEFT_BENCH_STAGE_H

#include "sim/sim.h"

// About so many particles: of 20, 14 in cloths that hang in gusty wind, 3 in ropes, 2 in plants' and 1 in bodies on the
// floor. Both end the process with a message when they cannot be made.
struct sim_world *stage_mixed(uint32_t particles);
// 256 × 256 particles, top corners pinned, wind, floor, a sphere in its way; 8 substeps at 60 Hz.
struct sim_world *stage_cloth(uint32_t side);

#endif
