// SPDX-License-Identifier: MIT
// A change that a client has made is noted for those who follow the world in lockstep.
#ifndef WEFT_ENGINE_WORLD_NOTE_CHANGE_H
#define WEFT_ENGINE_WORLD_NOTE_CHANGE_H

#include "engine/world/tick_record.h"

// `client` is the number of the client that caused it; 0: none. `record` are the bytes of engine_write_record if the
// caller has them already, else NULL.
void engine_note_change(struct engine_world *world, uint32_t client, const struct engine_change *change,
                        const struct bytes *record);

#endif
