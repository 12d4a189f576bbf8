// SPDX-License-Identifier: MIT
// The data of travel.h.
#ifndef WEFT_HOST_TRAVEL_STATE_H
#define WEFT_HOST_TRAVEL_STATE_H

#include "host/playback.h"
#include "host/replay.h"
#include "host/world_state.h"

enum travel_stage {
    TRAVEL_NONE,
    TRAVEL_SETTLING, // until all that was logged can be read
    TRAVEL_READING,
    TRAVEL_REPLAYING
};
enum travel_task { TRAVEL_SEEK, TRAVEL_SHOW };

struct past;         // what the clerk has read
struct snapshot_job; // what the world was

struct travel {
    enum travel_stage stage;
    enum travel_task task;
    uint64_t peer;
    struct proto_id id;
    uint64_t tick;             // SEEK: where to
    uint32_t timeline;         // SEEK: of which
    struct playback_wish wish; // SHOW, and SEEK to a tick
    bool near;                 // nothing has to be read
    _Atomic(struct past *) arrived;
    struct past *past;
    struct replay replay;
    struct snapshot_job *before;
    uint32_t epoch; // before
    bool running;   // before
};

static inline bool travel_is_on(const struct world *world) {
    return world->travel != NULL && world->travel->stage != TRAVEL_NONE;
}

#endif
