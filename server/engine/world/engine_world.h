// SPDX-License-Identifier: MIT
// The life of one world, and the way out of it to the host.
#ifndef WEFT_ENGINE_WORLD_ENGINE_WORLD_H
#define WEFT_ENGINE_WORLD_ENGINE_WORLD_H

#include "engine/state/world_state.h"

// What a world is made with.
struct engine_options {
    const char *name; // up to ENGINE_NAME_MAX characters
    float tick_hz;
    struct sim_capacity capacity;
    struct sim_capacity quota; // of one owner; a value of at least the capacity's is no limit
    const struct engine_host *host;
};

// An empty world at tick 0, not running. Errors: RESULT_MEMORY, RESULT_INVALID (a bad tick rate or capacity).
enum result engine_create(const struct engine_options *options, struct engine_world **world,
                          struct fault *fault) WEFT_MUST_USE;
void engine_destroy(struct engine_world *world); // NULL is allowed
// What viewers were shown is out of date: the next topology is a whole one.
void engine_show_anew(struct engine_world *world);
// The world takes the place of another: simulation, records and scene are exchanged; clients, viewers and hosts stay.
// Owners of objects stay where both have the object, and ids that the world has given are not given again.
void engine_change_places(struct engine_world *world, struct engine_world *other);

#endif
