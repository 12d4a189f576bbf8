// SPDX-License-Identifier: MIT
#include "host/session.h"

struct session *world_find_session(struct world *world, uint64_t peer) {
    for (uint32_t i = 0; i < world->session_count; i++) {
        if (world->sessions[i].peer == peer) {
            return &world->sessions[i];
        }
    }
    return NULL;
}

void world_go_on(struct world *world, struct session *session) {
    session->waiting = false;
    world->someone_goes_on = true;
}
