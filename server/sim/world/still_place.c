// SPDX-License-Identifier: MIT
// Remembering where a particle is (still_place.h).
#include "sim/world/still_place.h"

static int16_t place_of(float position) {
    return (int16_t)(uint16_t)(uint32_t)(int32_t)steps_of(position);
}

void still_remember_place(struct sim_world *world, uint32_t slot) {
    world->still_x[slot] = place_of(world->x[slot]);
    world->still_y[slot] = place_of(world->y[slot]);
    world->still_z[slot] = place_of(world->z[slot]);
}
