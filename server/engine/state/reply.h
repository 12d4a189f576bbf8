// SPDX-License-Identifier: MIT
// Replies: messages to one client. A request without an id gets none.
#ifndef WEFT_ENGINE_STATE_REPLY_H
#define WEFT_ENGINE_STATE_REPLY_H

#include "engine/state/world_state.h"

// A reply as a message, with the place of its request in an array of requests, if it stands in one. NULL when memory
// ran out, also for the text. Thread-safe.
struct message *reply_message(const struct proto_id *id, const struct json_writer *text);
void engine_send_reply(struct engine_world *world, uint64_t client,
                       const struct proto_id *id); // that in `world->reply`
void engine_send_text(struct engine_world *world, uint64_t client, const struct json_writer *text);
void engine_send_result(struct engine_world *world, uint64_t client, const struct proto_id *id,
                        const struct json_writer *result);
void engine_send_fault(struct engine_world *world, uint64_t client, const struct proto_id *id,
                       const struct fault *fault);

#endif
