// SPDX-License-Identifier: MIT
// Divides work among the threads that a world may use (sim_world_set_workers). The parts share no memory, so results do
// not depend on the number of threads.
#ifndef WEFT_SIM_WORLD_WORK_H
#define WEFT_SIM_WORLD_WORK_H

#include "sim/world/world.h"

// The least number of particles or sticks in a share that is worth a thread.
#define WORK_SHARE_MIN 4096u
// The least number of sticks for a thread where all threads wait for each other after each iteration.
#define WORK_STICKS_MIN 16384u
// The least number of particles in a share that is worth waking a thread.
#define WORK_WAKE_MIN 32768u

// The number of shares into which to divide `size` particles or sticks: 1 to SIM_WORKERS_MAX.
unsigned work_shares(const struct sim_world *world, uint64_t size);

// The same for particles that are visited in some nanoseconds each. Threads that sleep while sticks are relaxed on
// one thread are woken only for many particles: a wake takes longer than a visit of a few thousand.
unsigned work_visit_shares(const struct sim_world *world, uint64_t particles);

// Calls the task for every share, from as many threads, and returns when all are done. `shares` is at most the result
// of work_shares.
typedef void (*work_task)(void *argument, unsigned share);
void work_run(const struct sim_world *world, unsigned shares, work_task task, void *argument);

// Many small items are assigned to the shares in turn, WORK_SHARE_MIN particles or sticks at a time: the share of an
// item with `before` particles or sticks before it.
static inline unsigned work_dealt_to(uint64_t before, unsigned shares) {
    return (unsigned)(before / WORK_SHARE_MIN % shares);
}

// Items of any size are dealt one after the other: some in a row, then on to the share that has least. Items behind one
// another mostly lie in the same cache lines.
struct work_deal {
    uint64_t load[SIM_WORKERS_MAX];
    uint64_t row; // size of the items of the present row
    unsigned share;
};

// The share of the next item.
static inline unsigned work_deal(struct work_deal *deal, uint64_t size, unsigned shares) {
    if (deal->row >= WORK_SHARE_MIN) {
        deal->row = 0;
        for (unsigned share = 0; share < shares; share++) {
            deal->share = deal->load[share] < deal->load[deal->share] ? share : deal->share;
        }
    }
    deal->row += size;
    deal->load[deal->share] += size;
    return deal->share;
}

// Visits every object on all threads. A visit accesses nothing that belongs to another object.
typedef void (*work_visit)(struct sim_world *world, uint32_t place, const void *context);
void work_objects(struct sim_world *world, work_visit visit, const void *context);

// Visits every particle in the same way, in pieces of objects: a large object is divided among the threads, the same
// way each time, so that each thread finds its piece in its own cache. A visit accesses only the particles from `first`
// to before `end`.
typedef void (*work_visit_piece)(struct sim_world *world, uint32_t place, struct slot_span piece, const void *context);
void work_pieces(struct sim_world *world, work_visit_piece visit, const void *context);

// The part of an object that belongs to the share in work_pieces; may be empty.
struct slot_span work_piece(const struct object *object, unsigned share, unsigned shares);

// The start of a share of a range; the ends are multiples of 16 apart from its first element, so that no two shares
// meet in a cache line of floats that begins with one.
uint32_t work_begin(uint32_t first, uint32_t end, unsigned share, unsigned shares);

#endif
