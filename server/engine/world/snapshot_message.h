// SPDX-License-Identifier: MIT
// A snapshot of a world as bytes, for files and other engines (proto/FRAMES.md, "Snapshots"): the simulation's archive
// (sim/archive.h) and the names (engine/world/names.h), with the versions that they need.
#ifndef WEFT_ENGINE_WORLD_SNAPSHOT_MESSAGE_H
#define WEFT_ENGINE_WORLD_SNAPSHOT_MESSAGE_H

#include "base/bytes.h"
#include "base/result.h"

struct snapshot_message {
    uint32_t physics;  // version of the arithmetic
    uint64_t sequence; // number of the last record that was applied before it
    const void *state; // the simulation's archive
    size_t state_size;
    const void *names;
    size_t names_size;
};

// Begins a message, and returns the place for `state_size` bytes of the archive, which the caller fills in; NULL when
// memory ran out. `state` and the names are not used. snapshot_message_end adds the names.
unsigned char *snapshot_message_begin(struct bytes *out, const struct snapshot_message *message);
void snapshot_message_end(struct bytes *out, const void *names, size_t names_size);
// The parts of a message, as pointers into it. Errors: RESULT_DAMAGED, RESULT_INVALID (of another version of this
// layout). The physics version is the caller's to check.
enum result snapshot_message_read(const void *bytes, size_t length, struct snapshot_message *message,
                                  struct fault *fault) WEFT_MUST_USE;

#endif
