// SPDX-License-Identifier: MIT
// The records of a world: what happened to it and at which tick, so that the same snapshot and the same records give
// the same bits anywhere. A record holds no session key, request id, address or time of day.
//
// The bytes of a record, by its kind; `sequence` is the simulation's sequence number before the change, so that the
// rest of the records still give their objects the same ids when one is left out:
//
//   COMMAND  sequence u32, command block            RELEASE  sequence u32, grab u32
//   SCENE    sequence u32, running u32, name text   CLOCK    sequence u32, running u32
//   LOAD     sequence u32, name text, commands block
//
// A command is a typed record of proto/record/. The commands of a SCENE lie in the snapshot that follows it; a LOAD,
// which mirrors of a world get, holds them.
#ifndef WEFT_ENGINE_WORLD_TICK_RECORD_H
#define WEFT_ENGINE_WORLD_TICK_RECORD_H

#include "base/bytes.h"
#include "engine/state/world_state.h"

enum record_kind {
    RECORD_COMMAND = 1, // a command or a batch
    RECORD_SCENE,       // the world was made anew
    RECORD_RELEASE,     // a grab ended, because its client left
    RECORD_CLOCK,       // the world was set to run or stand, because it was restored
    RECORD_LOAD,        // the world was made anew of these commands
};

struct engine_record {
    uint64_t tick;     // at which it is applied, before the step
    uint64_t sequence; // its number in its timeline
    uint32_t kind;     // enum record_kind
    uint32_t client;   // number of the client that caused it; 0: none
    const void *data;  // not owned
    size_t size;
};

// A change that was made.
struct engine_change {
    enum record_kind kind;
    const struct proto_command *command; // COMMAND
    uint32_t grab;                       // RELEASE
    uint32_t sequence;                   // the simulation's before the change
};

// The bytes of its record; `out->failed` when memory ran out.
void engine_write_record(const struct engine_world *world, const struct engine_change *change, struct bytes *out);
// Of a COMMAND: the command, and the simulation's sequence number before it. Errors: RESULT_INVALID, RESULT_MEMORY.
enum result engine_read_command(const struct engine_record *record, uint32_t *sequence, struct proto_request **request,
                                struct fault *fault) WEFT_MUST_USE;
// Applies a record once more. A command that is refused now is an error of its own kind.
enum result engine_apply_record(struct engine_world *world, const struct engine_record *record,
                                struct fault *fault) WEFT_MUST_USE;

#endif
