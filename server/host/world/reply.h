// SPDX-License-Identifier: MIT
// Replies of a world's host.
#ifndef WEFT_HOST_WORLD_REPLY_H
#define WEFT_HOST_WORLD_REPLY_H

#include "host/world/world_state.h"

void world_send_fault(struct world *world, uint64_t connection_id, const struct proto_id *id,
                      const struct fault *fault);
void world_note_refusal(struct world *world, enum result cause); // from any thread
void world_send_result(struct world *world, uint64_t connection_id, const struct proto_id *id,
                       const struct json_writer *result);

#endif
