// SPDX-License-Identifier: MIT
// The data of seek.h.
#ifndef WEFT_HOST_HISTORY_SEEK_STATE_H
#define WEFT_HOST_HISTORY_SEEK_STATE_H

#include "host/history/playback.h"
#include "host/history/replay.h"
#include "host/world/world_state.h"

enum seek_stage {
    SEEK_NONE,
    SEEK_SETTLING, // until all that was logged can be read
    SEEK_READING,
    SEEK_REPLAYING
};
enum seek_task { SEEK_TO_TICK, SEEK_SHOW };

struct history_query; // what the job thread has read
struct snapshot_job;  // what the world was

struct seek {
    enum seek_stage stage;
    enum seek_task task;
    uint64_t connection_id;
    struct proto_id id;
    uint64_t tick;                   // SEEK: where to
    uint32_t timeline;               // SEEK: of which
    struct playback_request request; // SHOW, and SEEK to a tick
    bool near;                       // nothing has to be read
    _Atomic(struct history_query *) arrived;
    struct history_query *past;
    struct replay replay;
    struct snapshot_job *before;
    uint32_t epoch; // before
    bool running;   // before
};

static inline bool seek_is_on(const struct world *world) {
    return world->seek != NULL && world->seek->stage != SEEK_NONE;
}

#endif
