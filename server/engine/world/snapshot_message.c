// SPDX-License-Identifier: MIT
#include "engine/world/snapshot_message.h"

#define MAGIC 0x54464557u // "WEFT"
#define VERSION 1u

unsigned char *snapshot_message_begin(struct bytes *out, const struct snapshot_message *message) {
    bytes_add_u32(out, MAGIC);
    bytes_add_u32(out, VERSION);
    bytes_add_u32(out, message->physics);
    bytes_add_u32(out, 0);
    bytes_add_u64(out, message->sequence);
    bytes_add_u64(out, message->state_size); // as a block, which so begins at a multiple of 8
    return bytes_reserve(out, message->state_size);
}

void snapshot_message_end(struct bytes *out, const void *names, size_t names_size) {
    bytes_add_block(out, names, names_size);
}

enum result snapshot_message_read(const void *bytes, size_t length, struct snapshot_message *message,
                                  struct fault *fault) {
    struct bytes_reader in = {.data = bytes, .length = length};
    const uint32_t magic = bytes_take_u32(&in), version = bytes_take_u32(&in);
    *message = (struct snapshot_message){.physics = bytes_take_u32(&in)};
    (void)bytes_take_u32(&in);
    message->sequence = bytes_take_u64(&in);
    if (!in.failed && magic == MAGIC && version != VERSION) {
        return fault_set(fault, RESULT_INVALID, "", "the snapshot is of version %u, this engine reads version %u",
                         version, VERSION);
    }
    message->state = bytes_take_block(&in, &message->state_size);
    message->names = bytes_take_block(&in, &message->names_size);
    return message->state != NULL && message->names != NULL && magic == MAGIC && bytes_are_read(&in)
               ? RESULT_OK
               : fault_set(fault, RESULT_DAMAGED, "", "these bytes are no snapshot of a world");
}
