// SPDX-License-Identifier: MIT
// Events: messages to all clients that asked for them (events.subscribe).
#ifndef WEFT_ENGINE_STATE_EVENT_H
#define WEFT_ENGINE_STATE_EVENT_H

#include "engine/state/world_state.h"

// Whether any client would get this event; if not, nothing need be written.
bool engine_wants_event(const struct engine_world *world, enum proto_event_name name);
// Queues an event with these params, a JSON object. It is sent when the command at work succeeds. When memory runs out,
// the clients that asked for the event are disconnected, because they would miss it.
void engine_queue_event(struct engine_world *world, enum proto_event_name name, const struct json_writer *params);
// Queues the event that the thing with this id, a member of this name, came or went.
void engine_tell_id(struct engine_world *world, enum proto_event_name name, const char *key, uint32_t id);
void engine_flush_events(struct engine_world *world); // sends those that are queued
void engine_drop_events(struct engine_world *world);  // forgets them

#endif
