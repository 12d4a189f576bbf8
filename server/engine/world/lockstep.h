// SPDX-License-Identifier: MIT
// Lockstep: clients that compute the ticks themselves are sent a snapshot once, and then what was applied before each
// tick. The messages of types 5 and 6 are described in proto/FRAMES.md, "Lockstep".
#ifndef WEFT_ENGINE_WORLD_LOCKSTEP_H
#define WEFT_ENGINE_WORLD_LOCKSTEP_H

#include "engine/state/world_state.h"
#include "engine/world/tick_record.h"

#define LOCKSTEP_SNAPSHOT_TYPE 5u
#define LOCKSTEP_TICKS_TYPE 6u
#define LOCKSTEP_HEADER 16u // bytes of both types
// Bits of the coding of a snapshot, its second byte.
#define LOCKSTEP_DEFLATED 1u
#define LOCKSTEP_PLANES 2u // engine/world/word_planes.h; before it was deflated
#define LOCKSTEP_STEPS_MAX 2u

// A kind of record beside those of enum record_kind: a grab that moves, by far the most frequent change. Its data are
// the number of the grab and the position, three f32.
#define LOCKSTEP_GRAB_MOVE 0u

// Whether anybody, a client or a recording, wants messages of ticks.
bool lockstep_is_followed(const struct lockstep *lockstep);
// Note a record that was applied, for the next message. `client` is its number.
void lockstep_note_record(struct engine_world *world, const struct engine_record *record);
void lockstep_note_grab_move(struct engine_world *world, uint32_t client, const struct proto_grab_move *move);
// After a tick; with `refresh`, after changes without one. Sends what members need: the records of the tick, how many
// ticks were made, every 60 ticks the hash, and a snapshot to those who need one. Ticks without a record are told of
// in pairs.
void lockstep_publish(struct engine_world *world, bool refresh);
// Begins or ends a recording of the world: the host is handed every message of ticks (host.h, `record`), after a
// snapshot.
void lockstep_record(struct engine_world *world, bool is_recorded);
// The recording is handed a snapshot with the next messages.
void lockstep_record_snapshot(struct engine_world *world);

#endif
