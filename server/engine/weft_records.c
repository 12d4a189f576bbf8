// SPDX-License-Identifier: MIT
#include "engine/weft_records.h"

#include <string.h>

#include "engine/state/tick.h"
#include "engine/world/note_change.h"
#include "engine/world/tick_message.h"

// ---- handing out -------------------------------------------------------------------------------------------------

void weft_records_note(struct weft_world *world, uint64_t tick, uint32_t client, const struct engine_change *change) {
    struct bytes data = {0};
    engine_write_record(world->engine, change, &data);
    if (world->records.length == 0) {
        tick_message_begin(&world->records, sim_world_epoch(world->engine->sim), tick, SIM_PHYSICS_VERSION);
    }
    const struct engine_record record = {.sequence = ++world->sequence,
                                         .kind = (uint32_t)change->kind,
                                         .client = client,
                                         .data = data.data,
                                         .size = data.length};
    tick_message_add(&world->records, &record);
    engine_note_change(world->engine, client, change, &data);
    world->records.failed = world->records.failed || data.failed;
    bytes_free(&data);
}

void weft_records_flush(struct weft_world *world) {
    if (world->records.length == 0 && !world->records.failed) {
        return;
    }
    const size_t length = world->records.failed ? 0 : world->records.length;
    struct message *message = message_create(MESSAGE_BINARY, length);
    if (message != NULL) {
        memcpy(message_data(message), world->records.data, length);
        message_set_length(message, length);
        (void)outbox_add(&world->outbox, OUTPUT_RECORD, 0, message);
    }
    weft_records_drop(world);
}

void weft_records_drop(struct weft_world *world) {
    bytes_free(&world->records);
    world->records = (struct bytes){0};
}

// ---- applying ----------------------------------------------------------------------------------------------------

// Nothing is applied of a message that is cut off, or of another tick or physics version.
static enum result check_records(const struct engine_world *engine, const struct tick_message_head *head,
                                 struct bytes_reader in, struct fault *fault) {
    const unsigned long long tick = head->tick, next = engine_next_tick(engine);
    if (head->physics != SIM_PHYSICS_VERSION) {
        return fault_set(fault, RESULT_INVALID, "",
                         "the records are of physics version %u, this engine computes version %u", head->physics,
                         SIM_PHYSICS_VERSION);
    }
    if (tick != next) {
        return fault_set(fault, RESULT_STATE, "", "the records are of tick %llu, the world's next tick is %llu", tick,
                         next);
    }
    struct engine_record record;
    for (uint32_t i = 0; i < head->count; i++) {
        if (!tick_message_next(&in, tick, &record)) {
            return fault_set(fault, RESULT_DAMAGED, "", "the records of tick %llu are cut off", tick);
        }
    }
    return bytes_are_read(&in) ? RESULT_OK
                               : fault_set(fault, RESULT_DAMAGED, "", "bytes follow the records of tick %llu", tick);
}

enum result weft_records_apply(struct weft_world *world, const void *bytes, size_t length, struct fault *fault) {
    struct bytes_reader in;
    struct tick_message_head head;
    struct engine_world *engine = world->engine;
    enum result result = tick_message_open(bytes, length, &in, &head, fault);
    if (result == RESULT_OK) {
        result = check_records(engine, &head, in, fault);
    }
    struct engine_record record;
    for (uint32_t i = 0; result == RESULT_OK && i < head.count && tick_message_next(&in, head.tick, &record); i++) {
        engine->replaying = engine->tells_events = true;
        result = engine_apply_record(engine, &record, fault);
        engine->replaying = engine->tells_events = false;
        world->sequence = record.sequence;
        engine->revision++;
        engine->frame_stale = true;
    }
    return result;
}
