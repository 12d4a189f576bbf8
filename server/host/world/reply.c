// SPDX-License-Identifier: MIT
#include "host/world/reply.h"

#include "engine/state/reply.h"

void world_note_refusal(struct world *world, enum result cause) {
    atomic_fetch_add(&world->metrics.refusals[cause], 1);
}

void world_send_fault(struct world *world, uint64_t connection_id, const struct proto_id *id,
                      const struct fault *fault) {
    world_note_refusal(world, fault->cause);
    engine_send_fault(world->engine, connection_id, id, fault);
}

void world_send_result(struct world *world, uint64_t connection_id, const struct proto_id *id,
                       const struct json_writer *result) {
    engine_send_result(world->engine, connection_id, id, result);
}
