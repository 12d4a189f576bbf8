// SPDX-License-Identifier: MIT
// The particle arrays of a world in the form that the kernels read.
#ifndef WEFT_SIM_WORLD_AXES_H
#define WEFT_SIM_WORLD_AXES_H

#include "sim/simd/simd.h"
#include "sim/world/world.h"

static inline struct simd_axes world_axes(const struct sim_world *world) {
    return (struct simd_axes){
        .x = {world->x, world->y, world->z},
        .d = {world->dx, world->dy, world->dz},
        .low = {world->low_x, world->low_y, world->low_z},
        .ahead = {world->ahead_x, world->ahead_y, world->ahead_z},
        .off = {world->off_x, world->off_y, world->off_z},
        .start = {world->x, world->y, world->z},
        .f = {world->fx, world->fy, world->fz},
        .begun = {world->begun_x, world->begun_y, world->begun_z},
        .w = world->w,
    };
}

// The particles from slot `first` on.
static inline struct kernel_particles kernel_particles_at(const struct sim_world *world, uint32_t first) {
    return (struct kernel_particles){
        .ox = world->off_x + first,
        .oy = world->off_y + first,
        .oz = world->off_z + first,
        .w = world->w + first,
        .ahead_x = world->ahead_x + first,
        .ahead_y = world->ahead_y + first,
        .ahead_z = world->ahead_z + first,
        .x = world->x + first,
        .y = world->y + first,
        .z = world->z + first,
        .low_x = world->low_x + first,
        .low_y = world->low_y + first,
        .low_z = world->low_z + first,
    };
}

static inline struct kernel_particles kernel_particles_of(const struct sim_world *world, const struct object *object) {
    return kernel_particles_at(world, object->first);
}

#endif
