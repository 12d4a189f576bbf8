// SPDX-License-Identifier: MIT
// The data of playback.h.
#ifndef WEFT_HOST_HISTORY_PLAYBACK_STATE_H
#define WEFT_HOST_HISTORY_PLAYBACK_STATE_H

#include "host/history/replay.h"
#include "host/world/world_state.h"

#define PLAYBACK_TRAIL 8u // copies on the way

struct history_query;
struct snapshot_job;

// A copy to come back to. Copies of one era have the same objects, names, hands: what a topology tells.
struct playback_mark {
    struct snapshot_job *kept; // NULL: none
    struct replay position;
    uint64_t era;
};

struct playback_request {
    uint64_t tick;     // where to begin
    uint64_t from, to; // the interval; `to` STORE_END: the last there is
    uint32_t timeline;
    float speed; // 0: only the tick
    bool loop;
};

struct playback {
    bool showing; // the world is what it was at some tick
    bool playing;
    bool seek_wanted;                // the world has to be brought to the beginning of the interval by a seek
    struct playback_request request; // of the last world.replay
    uint32_t stride;                 // every so many ticks are shown
    uint64_t next_ns;
    struct snapshot_job *present; // what the world has become, while it shows what was

    struct history_query *past;                        // what was read of the timeline, NULL: nothing
    struct replay replay;                              // where in it the world is
    uint64_t era, eras;                                // of what the world is; how many there were
    uint64_t shown_era;                                // of what viewers know
    struct playback_mark start, trail[PLAYBACK_TRAIL]; // `start`: of the interval, when it is looped
    uint32_t trail_count;
    uint64_t trail_ns; // that replaying took since the last copy
    uint64_t tick_ns;  // that one tick takes
};

static inline bool playback_is_showing(const struct world *world) {
    return world->playback != NULL && world->playback->showing;
}

#endif
