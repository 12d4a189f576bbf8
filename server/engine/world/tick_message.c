// SPDX-License-Identifier: MIT
#include "engine/world/tick_message.h"

#include <string.h>

#define AT_COUNT 16u // offset of the number of records

void tick_message_begin(struct bytes *out, uint32_t epoch, uint64_t tick, uint32_t physics) {
    bytes_clear(out);
    bytes_add_u32(out, TICK_MESSAGE_TYPE); // type, coding 0, no flags
    bytes_add_u32(out, epoch);
    bytes_add_u64(out, tick);
    bytes_add_u32(out, 0);
    bytes_add_u32(out, physics);
    bytes_add_u64(out, 0);
}

void tick_message_add(struct bytes *out, const struct engine_record *record) {
    static const unsigned char padding[7] = {0};
    bytes_add_u32(out, record->kind);
    bytes_add_u32(out, record->client);
    bytes_add_u64(out, record->sequence);
    bytes_add_block(out, record->data, record->size);
    bytes_add(out, padding, (8 - record->size % 8) % 8);
    if (!out->failed) {
        const uint32_t count = tick_message_count(out) + 1;
        for (uint32_t i = 0; i < 4; i++) {
            out->data[AT_COUNT + i] = (unsigned char)(count >> (8 * i));
        }
    }
}

uint32_t tick_message_count(const struct bytes *out) {
    uint32_t count = 0;
    for (uint32_t i = 0; out->length >= TICK_MESSAGE_HEADER && i < 4; i++) {
        count |= (uint32_t)out->data[AT_COUNT + i] << (8 * i);
    }
    return count;
}

enum result tick_message_open(const void *data, size_t length, struct bytes_reader *in, struct tick_message_head *head,
                              struct fault *fault) {
    *in = (struct bytes_reader){.data = data, .length = length};
    const uint32_t type = bytes_take_u32(in);
    (void)bytes_take_u32(in);
    head->tick = bytes_take_u64(in);
    head->count = bytes_take_u32(in);
    head->physics = bytes_take_u32(in);
    (void)bytes_take_u64(in);
    return in->failed || type != TICK_MESSAGE_TYPE || length % 8 != 0
               ? fault_set(fault, RESULT_DAMAGED, "", "these bytes are no records of a tick")
               : RESULT_OK;
}

bool tick_message_next(struct bytes_reader *in, uint64_t tick, struct engine_record *record) {
    *record = (struct engine_record){.tick = tick, .kind = bytes_take_u32(in), .client = bytes_take_u32(in)};
    record->sequence = bytes_take_u64(in);
    record->data = bytes_take_block(in, &record->size);
    const size_t padding = (8 - record->size % 8) % 8;
    if (in->failed || record->data == NULL || in->length - in->at < padding) {
        return false;
    }
    in->at += padding;
    return true;
}
