// SPDX-License-Identifier: MIT
#include "host/config/limits.h"

struct sim_capacity world_capacity(const struct config *config) {
    struct sim_capacity capacity = sim_capacity_default();
    capacity.particles = config->max_particles;
    capacity.sticks = config->max_sticks;
    capacity.objects = config->max_objects;
    capacity.obstacles = config->max_obstacles;
    return capacity;
}

struct sim_capacity world_quota(const struct config *config) {
    return (struct sim_capacity){.particles = config->own_particles,
                                 .sticks = config->own_sticks,
                                 .objects = config->own_objects,
                                 .obstacles = config->own_obstacles};
}
