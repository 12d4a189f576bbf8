// SPDX-License-Identifier: MIT
// The life and the turns of a world.
#ifndef WEFT_HOST_WORLDS_WORLD_LIFE_H
#define WEFT_HOST_WORLDS_WORLD_LIFE_H

#include "host/world/world_state.h"

// What a world is made with.
struct world_plan {
    const char *name;
    uint32_t index;
    float tick_hz;
    struct access *access; // NULL: whoever planned a batch still may
    struct job_thread *job_thread, *undo_threads;
    struct net_server *net;
    struct scheduler *scheduler;
    struct worlds *worlds;
};

// An empty world at tick 0, its clock as configured. Errors: RESULT_MEMORY.
enum result world_create(const struct config *config, const struct world_plan *plan, struct world **world,
                         struct fault *fault) WEFT_MUST_USE;
// The scheduler runs it from now on, by this task.
void world_start(struct world *world, scheduler_task run);
void world_destroy(struct world *world);

#endif
