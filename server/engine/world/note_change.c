// SPDX-License-Identifier: MIT
#include "engine/world/note_change.h"

#include "engine/world/lockstep.h"

void engine_note_change(struct engine_world *world, uint32_t client, const struct engine_change *change,
                        const struct bytes *record) {
    struct bytes own = {0};
    if (!lockstep_is_followed(&world->lockstep)) {
        return;
    }
    if (change->kind == RECORD_COMMAND && change->command->method == PROTO_METHOD_GRAB_MOVE) {
        lockstep_note_grab_move(world, client, change->command->params);
        return;
    }
    if (record == NULL) {
        engine_write_record(world, change, &own);
        record = &own;
    }
    lockstep_note_record(
        world, &(struct engine_record){
                   .kind = (uint32_t)change->kind, .client = client, .data = record->data, .size = record->length});
    world->lockstep.renew = world->lockstep.renew || record->failed;
    bytes_free(&own);
}
