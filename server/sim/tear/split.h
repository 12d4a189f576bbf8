// SPDX-License-Identifier: MIT
// Splitting a particle of a sheet.
#ifndef WEFT_SIM_TEAR_SPLIT_H
#define WEFT_SIM_TEAR_SPLIT_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/tear/tearing.h"

// The number of triangles around a particle; TEAR_FAN_MAX + 1 if there are more than TEAR_FAN_MAX.
uint32_t split_valence(const struct tearing *tearing, uint32_t particle);
// Splits particle v across the line from v to u. Returns false and changes nothing when all triangles lie on one side
// or there is no room.
bool split_particle(struct tearing *tearing, uint32_t v, uint32_t u);
// Splits particle v along the edges to the particles that have SPLIT_CUT in `colours_taken`; copies of such particles
// get the mark as well, and SPLIT_NEAR likewise. Returns false and changes nothing when the triangles stay joined or
// there is no room.
bool split_along(struct tearing *tearing, uint32_t v);
#define SPLIT_AROUND 1u // v and its neighbours, while v is split
#define SPLIT_CUT 2u
#define SPLIT_NEAR 4u // the triangles and sticks of the particle are in `near`

#endif
