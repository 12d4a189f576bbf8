// SPDX-License-Identifier: MIT
// The frames of a WebSocket (RFC 6455, 5.2): reads what a client sends, however its bytes are cut into packets, and
// fails on every breach of the RFC; writes the heads of what the server sends.
//
// Why not libwebsockets' own reader: up to 4.3 it takes frames that are not masked, drops a ping that comes while the
// answer to an earlier one waits, and tells neither to its user.
#ifndef WEFT_NET_PARSE_FRAME_H
#define WEFT_NET_PARSE_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FRAME_FRAGMENTS_MAX 4096u // of a message
#define FRAME_CONTROL_MAX 125u    // bytes of a control frame's payload
#define FRAME_HEAD_MAX 10u        // bytes of a head that the server sends

enum frame_opcode {
    FRAME_OPCODE_CONTINUATION = 0,
    FRAME_OPCODE_TEXT = 1,
    FRAME_OPCODE_BINARY = 2,
    FRAME_OPCODE_CLOSE = 8,
    FRAME_OPCODE_PING = 9,
    FRAME_OPCODE_PONG = 10
};

struct frame_reader {
    uint8_t head[14]; // of the frame that is coming in; its last four bytes are the mask
    uint8_t head_length;
    uint8_t head_needed;
    bool in_payload;
    uint64_t payload_left;
    size_t masked;      // bytes of the payload that came, modulo 4
    uint32_t fragments; // of the message that is under way, 0: none
    bool binary;        // that message is
    bool begins;        // none of its payload has been handed over
    uint8_t control_length;
    uint8_t control[FRAME_CONTROL_MAX]; // the payload of the control frame that is coming in, or came last
    uint8_t pong_length;
    uint8_t pong[FRAME_CONTROL_MAX]; // the payload of the most recent ping
    uint16_t wrong;                  // after FRAME_WRONG: the code to close with
    const char *why;                 // and the reason
};

// A piece of a message's payload.
struct frame_piece {
    const char *bytes;
    size_t length;
    uint64_t announced; // bytes of the same frame that are still to come
    bool binary;
    bool first; // it begins the message
    bool last;  // it ends the message
};

enum frame_event {
    FRAME_MORE, // all bytes were taken, and more are needed
    FRAME_DATA, // `piece` is set
    FRAME_PING, // its payload is in `pong`
    FRAME_PONG,
    FRAME_CLOSE, // its payload is in `control`
    FRAME_WRONG  // it breaks the protocol: `wrong` and `why` are set
};

// Takes bytes up to the next event and unmasks them in place; `used` says how many.
enum frame_event frame_read(struct frame_reader *reader, uint8_t *bytes, size_t length, size_t *used,
                            struct frame_piece *piece);
// Writes the head of an unfragmented, unmasked frame with a payload of `length` bytes. Returns the bytes of the head.
size_t frame_write_head(uint8_t head[FRAME_HEAD_MAX], uint8_t opcode, size_t length);

#endif
