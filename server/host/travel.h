// SPDX-License-Identifier: MIT
// A world on its way through time: to a tick of its history (world.seek), or only to show its past (world.replay). An
// undo or a redo is worked out beside the world instead (rework.h).
//
// The clerk reads what the store has; the world then replays it on its worker, in slices. Meanwhile its clock stands
// and everything that comes for it waits. When it does not work out, the world is what it was.
#ifndef WEFT_HOST_TRAVEL_H
#define WEFT_HOST_TRAVEL_H

#include "host/playback.h"
#include "host/replay.h"
#include "host/world.h"

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
// Sets out. The answer comes when it has arrived.
void travel_begin(struct world *world, const struct travel *wanted);
// The world's turn while it is on its way; when it wants the next.
uint64_t travel_run(struct world *world);
void travel_free(struct world *world);
// For the end: what the world has become, when it is on its way or shows what was; NULL: what it is.
struct snapshot_job *travel_take_present(struct world *world);

#endif
