// SPDX-License-Identifier: MIT
// The records of a world behind weft.h: what was applied before a tick is gathered and handed out, and the records of
// another world are applied.
#ifndef WEFT_ENGINE_WEFT_RECORDS_H
#define WEFT_ENGINE_WEFT_RECORDS_H

#include "engine/weft_world.h"
#include "engine/world/tick_record.h"

// Adds a change that was made to the records of `tick`, the one that was next before the change: a change may have been
// a reset. `client` is the number of the client that made it; 0: none.
void weft_records_note(struct weft_world *world, uint64_t tick, uint32_t client, const struct engine_change *change);
// Puts what was noted into the outbox, as one message. One that could not be written for want of memory is empty, so
// that its taker knows that it lacks records.
void weft_records_flush(struct weft_world *world);
void weft_records_drop(struct weft_world *world); // what was noted is of a world that is no more

// Does what weft.h says of weft_world_record_apply.
enum result weft_records_apply(struct weft_world *world, const void *bytes, size_t length,
                               struct fault *fault) WEFT_MUST_USE;

#endif
