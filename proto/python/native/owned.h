// SPDX-License-Identifier: MIT
// What the Python package adds to weft.h: a world with threads of its own, steps without a return to Python in between,
// and many worlds stepped on several threads.
#ifndef WEFT_PYTHON_OWNED_H
#define WEFT_PYTHON_OWNED_H

#include "engine/weft.h"

typedef struct weft_owned weft_owned;

// As weft_world_create, with a world that ticks on `threads` threads, 1 to 8.
weft_result weft_owned_create(const weft_options *options, uint32_t threads, weft_owned **owned, weft_error *error);
void weft_owned_destroy(weft_owned *owned); // NULL is allowed
weft_world *weft_owned_world(weft_owned *owned);

// Ticks until `ticks` are done or `seconds` have passed, but at least once. Returns how many were done. The world is
// running meanwhile.
uint32_t weft_owned_step(weft_world *world, uint32_t ticks, double seconds);

// The object with this id: 1, or 0 if there is none.
int weft_owned_find(const weft_world *world, uint32_t id, weft_object *object);

typedef struct weft_pool weft_pool;

// Threads that step worlds, `threads` in all with the one that calls. NULL when memory or the system's threads run out.
weft_pool *weft_pool_create(uint32_t threads);
void weft_pool_destroy(weft_pool *pool); // NULL is allowed
// Ticks every world until it has done `ticks`, of which done[i] were done before, or until `seconds` have passed. Adds
// what was done to done[i]. Returns how many worlds have not done all.
uint32_t weft_pool_step(weft_pool *pool, weft_world *const *worlds, uint32_t *done, uint32_t count, uint32_t ticks,
                        double seconds);

#endif
