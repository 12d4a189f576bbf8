// SPDX-License-Identifier: MIT
#include "engine/world/follow.h"

#include <string.h>

#include "engine/client/client.h"
#include "engine/command/run.h"
#include "engine/state/tick.h"
#include "engine/world/lockstep.h"
#include "engine/world/word_planes.h"
#include "sim/geometry/scalar.h"

#define HASH_FLAG 1u
#define COUNT_MAX 255u // so many records, or more

static uint64_t take_varint(struct bytes_reader *in) {
    uint64_t value = 0;
    for (uint32_t shift = 0; shift < 63 && in->at < in->length; shift += 7) {
        const unsigned char byte = in->data[in->at++];
        value |= (uint64_t)(byte & 0x7F) << shift;
        if (byte < 0x80) {
            return value;
        }
    }
    in->failed = true;
    return 0;
}

static const unsigned char *take_bytes(struct bytes_reader *in, size_t length) {
    if (in->failed || length > in->length - in->at) {
        in->failed = true;
        return NULL;
    }
    in->at += length;
    return in->data + in->at - length;
}

static bool next_record(struct bytes_reader *in, struct engine_record *record) {
    *record = (struct engine_record){.kind = (uint32_t)take_varint(in), .client = (uint32_t)take_varint(in)};
    if (record->kind == LOCKSTEP_GRAB_MOVE) {
        record->sequence = take_varint(in); // the grab
        record->size = 3 * sizeof(float);
    } else {
        record->size = (size_t)take_varint(in);
    }
    record->data = take_bytes(in, record->size);
    return !in->failed;
}

static enum result apply_grab_move(struct engine_world *world, const struct engine_record *record,
                                   struct fault *fault) {
    float position[3];
    memcpy(position, record->data, sizeof position);
    const struct proto_grab_move move = {.grab = (uint32_t)record->sequence,
                                         .position = {position[0], position[1], position[2]}};
    const struct proto_command command = {
        .method = PROTO_METHOD_GRAB_MOVE, .params = &move, .params_text = "{}", .params_length = 2};
    struct client sender = engine_logged_client(record->client);
    if (!vec3_is_finite(move.position)) {
        return fault_set(fault, RESULT_DAMAGED, "", "a grab moves to where no place is");
    }
    lockstep_note_grab_move(world, record->client, &move);
    return engine_apply_again(world, &sender, &command, fault);
}

static enum result damaged(struct fault *fault) {
    return fault_set(fault, RESULT_DAMAGED, "", "these bytes are no message of ticks");
}

enum result follow_read_ticks(const void *bytes, size_t length, struct followed_ticks *ticks, struct fault *fault) {
    struct bytes_reader in = {.data = bytes, .length = length};
    const uint32_t word = bytes_take_u32(&in);
    *ticks = (struct followed_ticks){.generation = bytes_take_u32(&in)};
    ticks->tick = bytes_take_u64(&in);
    ticks->steps = word >> 16 & 0xFF;
    ticks->has_hash = (word >> 8 & HASH_FLAG) != 0;
    ticks->hash = ticks->has_hash ? bytes_take_u64(&in) : 0;
    if (in.failed || (word & 0xFF) != LOCKSTEP_TICKS_TYPE || (word >> 8 & 0xFF) > HASH_FLAG ||
        ticks->steps > LOCKSTEP_STEPS_MAX) {
        return damaged(fault);
    }
    ticks->records = in;
    struct engine_record record;
    uint32_t count = 0;
    for (; in.at < in.length; count++) {
        if (!next_record(&in, &record)) {
            return damaged(fault);
        }
    }
    return (count < COUNT_MAX ? count : COUNT_MAX) == word >> 24 ? RESULT_OK : damaged(fault);
}

enum result follow_apply_records(struct engine_world *world, const struct followed_ticks *ticks, struct fault *fault) {
    struct bytes_reader in = ticks->records;
    struct engine_record record;
    enum result result = RESULT_OK;
    while (result == RESULT_OK && in.at < in.length && next_record(&in, &record)) {
        record.tick = engine_next_tick(world);
        result = record.kind == LOCKSTEP_GRAB_MOVE ? apply_grab_move(world, &record, fault)
                                                   : engine_apply_record(world, &record, fault);
    }
    return result;
}

enum result follow_read_snapshot(const void *bytes, size_t length, uint32_t *generation, struct bytes *snapshot,
                                 struct fault *fault) {
    struct bytes_reader in = {.data = bytes, .length = length};
    const uint32_t word = bytes_take_u32(&in), coding = word >> 8;
    *generation = bytes_take_u32(&in);
    (void)bytes_take_u64(&in);
    if (in.failed || (word & 0xFF) != LOCKSTEP_SNAPSHOT_TYPE ||
        (coding & ~(LOCKSTEP_DEFLATED | LOCKSTEP_PLANES)) != 0) {
        return fault_set(fault, RESULT_DAMAGED, "", "these bytes are no message with a snapshot");
    }
    if ((coding & LOCKSTEP_DEFLATED) != 0) {
        return fault_set(fault, RESULT_INVALID, "",
                         "the snapshot is deflated: inflate what follows the first %u bytes, and take %u from the "
                         "second byte",
                         LOCKSTEP_HEADER, LOCKSTEP_DEFLATED);
    }
    const unsigned char *content = in.data + LOCKSTEP_HEADER;
    unsigned char *out = bytes_reserve(snapshot, length - LOCKSTEP_HEADER);
    if (out == NULL) {
        return fault_set(fault, RESULT_MEMORY, "", "out of memory for a snapshot");
    }
    if ((coding & LOCKSTEP_PLANES) != 0) {
        word_planes_unpack(content, length - LOCKSTEP_HEADER, out);
    } else {
        memcpy(out, content, length - LOCKSTEP_HEADER);
    }
    return RESULT_OK;
}
