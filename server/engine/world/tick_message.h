// SPDX-License-Identifier: MIT
// The records of one tick as a binary message of type 4 (proto/FRAMES.md): for whoever mirrors or keeps a world.
#ifndef WEFT_ENGINE_WORLD_TICK_MESSAGE_H
#define WEFT_ENGINE_WORLD_TICK_MESSAGE_H

#include "engine/world/tick_record.h"

#define TICK_MESSAGE_TYPE 4u
#define TICK_MESSAGE_HEADER 32u // bytes

// Begins a message for this tick; adds a record; both leave `out->failed` when memory ran out. `physics` is the version
// of the arithmetic that computed the tick.
void tick_message_begin(struct bytes *out, uint32_t epoch, uint64_t tick, uint32_t physics);
void tick_message_add(struct bytes *out, const struct engine_record *record);
uint32_t tick_message_count(const struct bytes *out); // records in it

struct tick_message_head {
    uint64_t tick;
    uint32_t count, physics;
};
// Reads the head of a message; the records follow with tick_message_next. Errors: RESULT_DAMAGED (it is none). The
// physics version is the caller's to check.
enum result tick_message_open(const void *data, size_t length, struct bytes_reader *in, struct tick_message_head *head,
                              struct fault *fault) WEFT_MUST_USE;
// The next record, whose data lie in the message; false when the message is cut off.
bool tick_message_next(struct bytes_reader *in, uint64_t tick, struct engine_record *record);

#endif
