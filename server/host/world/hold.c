// SPDX-License-Identifier: MIT
#include "host/world/hold.h"

void world_hold(struct world *world) {
    atomic_fetch_add(&world->holds, 1);
}

void world_let_go(struct world *world) {
    atomic_fetch_sub(&world->holds, 1);
}
