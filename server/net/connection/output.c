// SPDX-License-Identifier: MIT
// The head of a frame depends on the kind and the length of its message only, since a server does not mask: it is
// written into the message's headroom, and the same bytes go to every client.
#include "net/connection/output.h"

#include <assert.h>
#include <string.h>

#include "net/connection/socket.h"

static_assert(FRAME_HEAD_MAX <= MESSAGE_HEADROOM, "a frame's head fits in front of its payload");

void output_begin(struct connection *connection, struct message *take, bool framed) {
    assert(connection->sending == NULL);
    connection->sending = take;
    connection->sending_framed = framed;
    connection->sent = 0;
}

// The bytes to be sent, which begin in the headroom when there is a head.
static const uint8_t *wire_bytes(const struct connection *connection, size_t *length) {
    struct message *message = connection->sending;
    uint8_t *payload = message_data(message);
    *length = message_length(message);
    if (!connection->sending_framed) {
        return payload;
    }
    uint8_t head[FRAME_HEAD_MAX];
    const bool text = message_kind(message) == MESSAGE_TEXT;
    const size_t count = frame_write_head(head, text ? FRAME_OPCODE_TEXT : FRAME_OPCODE_BINARY, *length);
    memcpy(payload - count, head, count);
    *length += count;
    return payload - count;
}

enum output_result output_flush(struct connection *connection) {
    size_t length = 0;
    if (connection->sending == NULL) {
        return OUTPUT_DONE;
    }
    const uint8_t *bytes = wire_bytes(connection, &length);
    while (connection->sent < length) {
        const ssize_t count = socket_write(connection->wsi, bytes + connection->sent, length - connection->sent);
        if (count <= 0) {
            return count == 0 ? OUTPUT_BLOCKED : OUTPUT_FAILED;
        }
        connection->sent += (size_t)count;
    }
    message_release(connection->sending);
    connection->sending = NULL;
    return OUTPUT_DONE;
}

enum output_result output_control(struct connection *connection, uint8_t opcode, const void *payload, size_t length) {
    struct message *frame = message_create(MESSAGE_BINARY, FRAME_HEAD_MAX + length);
    if (frame == NULL) {
        return OUTPUT_FAILED;
    }
    uint8_t *bytes = message_data(frame);
    const size_t head = frame_write_head(bytes, opcode, length);
    if (length > 0) {
        memcpy(bytes + head, payload, length);
    }
    message_set_length(frame, head + length);
    output_begin(connection, frame, false);
    return output_flush(connection);
}
