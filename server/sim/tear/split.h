// SPDX-License-Identifier: MIT
// Parting a sheet at a particle.
#ifndef WEFT_SIM_TEAR_SPLIT_H
#define WEFT_SIM_TEAR_SPLIT_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/tear/tearing.h"

// How many triangles meet in a particle: TEAR_FAN_MAX + 1 when there are more than that.
uint32_t split_valence(const struct tearing *tearing, uint32_t particle);
// Parts the sheet at particle v, across the line from there to u. False, and nothing done, when all triangles lie on
// one side or there is no room.
bool split_particle(struct tearing *tearing, uint32_t v, uint32_t u);
// Parts it there along the edges to the particles that have SPLIT_CUT in `colours_taken`, which what is made of such a
// particle has as well, SPLIT_NEAR likewise. False, and nothing done, when the triangles hang together all the same or
// there is no room.
bool split_along(struct tearing *tearing, uint32_t v);
#define SPLIT_AROUND 1u // v and its neighbours, while it is parted
#define SPLIT_CUT 2u
#define SPLIT_NEAR 4u // its triangles and sticks are in `near`

#endif
