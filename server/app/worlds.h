// SPDX-License-Identifier: MIT
// All worlds of the server: making them, bringing them back from the store, finding them.
#ifndef WEFT_APP_WORLDS_H
#define WEFT_APP_WORLDS_H

#include "app/crew.h"
#include "app/ledger.h"
#include "app/world.h"

#define WORLDS_MAX CONFIG_WORLDS_MAX

struct worlds;

// What every world is made with; all of it outlives the worlds.
struct worlds_context {
    const struct config *config;
    struct clerk *clerk;
    struct net_server *net;
    struct pool *pool;
    struct crew *crew;
    struct ledger *ledger; // NULL: nothing is kept
};

enum result worlds_create(const struct worlds_context *context, struct worlds **worlds) WEFT_MUST_USE;
// After the pool and the clerk have ended: keeps what there is. NULL is allowed, here and below.
void worlds_close(struct worlds *worlds);
// After the network and the store have ended as well.
void worlds_destroy(struct worlds *worlds);

// At start-up: brings every world that is kept back to its last logged tick, then makes those of the configuration that
// there are not yet. Errors: RESULT_DAMAGED (a history, with the world's name), those of a scene, RESULT_MEMORY.
enum result worlds_open(struct worlds *worlds, struct fault *fault) WEFT_MUST_USE;

// Net thread. The world `main`, or the first, when `name` is NULL; NULL when there is none.
struct world *worlds_find(const struct worlds *worlds, const char *name);
struct world *worlds_at(const struct worlds *worlds, uint32_t index);
struct world *const *worlds_all(const struct worlds *worlds, uint32_t *count);

#endif
