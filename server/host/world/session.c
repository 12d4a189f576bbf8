// SPDX-License-Identifier: MIT
#include "host/world/session.h"

struct session *world_find_session(struct world *world, uint64_t connection_id) {
    for (uint32_t i = 0; i < world->session_count; i++) {
        if (world->sessions[i].connection_id == connection_id) {
            return &world->sessions[i];
        }
    }
    return NULL;
}

void world_go_on(struct world *world, struct session *session) {
    session->waiting = false;
    world->someone_goes_on = true;
}
