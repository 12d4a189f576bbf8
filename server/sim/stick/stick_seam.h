// SPDX-License-Identifier: MIT
// Divides the sticks of a large object that is relaxed in a block into bands of particles, which threads relax at the
// same time, and seams between them. It needs sticks that stand in each colour about in the order of their particles,
// as those of a mesh do whose vertices are in order, or whose block is ordered (stick_order.h).
#ifndef WEFT_SIM_STICK_STICK_SEAM_H
#define WEFT_SIM_STICK_STICK_SEAM_H

#include "sim/stick/stick_order.h"
#include "sim/world/world.h"

// The sticks of one colour between two bands, by their numbers in the object: those before `first` touch only particles
// of the lower bands, those from `end` on only particles of the upper bands. In the row after the last colour: the
// particles from `first` to before `end`, whole batches of the block, hold all that the seam's sticks touch.
struct stick_seam {
    uint32_t first, end;
};

size_t stick_seam_capacity(const struct sim_capacity *capacity);

// The particle with which a band begins; that of band `bands` is the number of particles.
uint32_t stick_band_begin(const struct object *object, unsigned band, unsigned bands);

// Divides the object among so many bands: writes `bands` − 1 seams for each colour, and the row after the last colour.
// False if too many sticks would lie in the seams.
bool stick_seam_divide(const struct sim_world *world, const struct object *object, const struct stick_ends *ends,
                       unsigned bands, struct stick_seam *seam);

#endif
