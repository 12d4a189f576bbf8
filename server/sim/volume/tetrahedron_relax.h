// SPDX-License-Identifier: MIT
// One iteration over the tetrahedra of soft bodies.
#ifndef WEFT_SIM_VOLUME_TETRAHEDRON_RELAX_H
#define WEFT_SIM_VOLUME_TETRAHEDRON_RELAX_H

#include "sim/world/world.h"

void tetrahedron_begin(struct sim_world *world); // clears the multipliers λ for a new substep
void tetrahedron_relax(struct sim_world *world); // one iteration over those of all active objects, on all threads

#endif
