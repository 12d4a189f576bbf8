// SPDX-License-Identifier: MIT
// Dividing work among the threads that a world was lent (sim_world_set_workers). What is divided touches no memory in
// common, so results do not depend on how many there are.
#ifndef WEFT_SIM_WORLD_WORK_H
#define WEFT_SIM_WORLD_WORK_H

#include "sim/world/world.h"

// Fewer particles or sticks than this, a share: not worth a thread.
#define WORK_SHARE_MIN 4096u

// In how many shares `size` particles or sticks are worth dividing: 1 to SIM_WORKERS_MAX.
unsigned work_shares(const struct sim_world *world, uint64_t size);

// Calls the task for every share, from as many threads, and returns when all are done. `shares` is at most what
// work_shares can give.
typedef void (*work_task)(void *argument, unsigned share);
void work_run(const struct sim_world *world, unsigned shares, work_task task, void *argument);

// What is many small things is dealt out to the shares in turn, WORK_SHARE_MIN particles or sticks at a time: the share
// that gets what has `before` of them before it.
static inline unsigned work_dealt_to(uint64_t before, unsigned shares) {
    return (unsigned)(before / WORK_SHARE_MIN % shares);
}

// Visits every object on all threads there are. A visit touches nothing that belongs to another object.
typedef void (*work_visit)(struct sim_world *world, uint32_t place, const void *context);
void work_objects(struct sim_world *world, work_visit visit, const void *context);

// Visits every particle likewise, in pieces of objects: a large one is cut among the threads, the same way each time,
// so that each thread finds its piece in its own cache. A visit touches nothing but the particles from `first` to
// before `end`.
typedef void (*work_visit_piece)(struct sim_world *world, uint32_t place, struct slot_span piece, const void *context);
void work_pieces(struct sim_world *world, work_visit_piece visit, const void *context);

// Where a share of a range begins; the ends are multiples of 16 apart from its first, so that no two shares meet in a
// cache line of floats that begins with one.
uint32_t work_begin(uint32_t first, uint32_t end, unsigned share, unsigned shares);

#endif
