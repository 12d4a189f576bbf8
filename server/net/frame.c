// SPDX-License-Identifier: MIT
// Walking over the frames that a client sends (RFC 6455, 5.2) as their bytes come in, however they are cut into
// packets. Only heads are looked at; of payloads, those of close and ping frames.
//
// Pings are taken out and answered by us: a server may answer the most recent of several (5.5.3), and libwebsockets
// drops a ping that comes while the answer to an earlier one waits to be sent.
#include <stdlib.h>
#include <string.h>

#include "net/line.h"

#define PROTOCOL_ERROR 1002
#define NOT_UTF8 1007
#define UNEXPECTED 1011
#define POLICY 1008

enum {
    OPCODE_CONTINUATION = 0,
    OPCODE_TEXT = 1,
    OPCODE_BINARY = 2,
    OPCODE_CLOSE = 8,
    OPCODE_PING = 9,
    OPCODE_PONG = 10
};

static bool object(struct frame_walk *walk, uint16_t code, const char *why) {
    walk->wrong = code;
    walk->why = why;
    return false;
}

// The first byte of a head: FIN, three reserved bits, the opcode.
static bool check_first(struct frame_walk *walk, uint8_t byte) {
    const bool final = (byte & 0x80) != 0;
    const uint8_t opcode = byte & 0x0f;
    if ((byte & 0x70) != 0)
        return object(walk, PROTOCOL_ERROR, "a reserved bit is set");
    if ((opcode > OPCODE_BINARY && opcode < OPCODE_CLOSE) || opcode > OPCODE_PONG)
        return object(walk, PROTOCOL_ERROR, "there is no such opcode");
    if (opcode >= OPCODE_CLOSE)
        return final || object(walk, PROTOCOL_ERROR, "a control frame is not fragmented");
    if (opcode == OPCODE_CONTINUATION && walk->fragments == 0)
        return object(walk, PROTOCOL_ERROR, "there is no message to continue");
    if (opcode != OPCODE_CONTINUATION && walk->fragments > 0)
        return object(walk, PROTOCOL_ERROR, "the message before has not ended");
    if (walk->fragments == FRAGMENTS_MAX)
        return object(walk, POLICY, "the message has too many fragments");
    walk->fragments = final ? 0 : walk->fragments + 1;
    return true;
}

// The second: the mask bit, and a length or how long the length is.
static bool check_second(struct frame_walk *walk, uint8_t byte) {
    const uint8_t length = byte & 0x7f;
    if ((byte & 0x80) == 0)
        return object(walk, PROTOCOL_ERROR, "a client's frames are masked");
    if ((walk->head[0] & 0x08) != 0 && length > CONTROL_BYTES_MAX)
        return object(walk, PROTOCOL_ERROR, "a control frame has at most 125 bytes");
    walk->head_needed = (uint8_t)(2 + (length == 126 ? 2 : length == 127 ? 8 : 0) + 4);
    return true;
}

// The whole head has come.
static bool read_length(struct frame_walk *walk) {
    const uint8_t length = walk->head[1] & 0x7f;
    const size_t bytes = length == 126 ? 2 : length == 127 ? 8 : 0;
    uint64_t value = bytes == 0 ? length : 0;
    for (size_t at = 0; at < bytes; at++)
        value = value << 8 | walk->head[2 + at];
    if ((bytes == 2 && value < 126) || (bytes == 8 && value < 65536))
        return object(walk, PROTOCOL_ERROR, "a length takes as few bytes as it needs");
    walk->payload_left = value;
    return true;
}

static bool take_head_byte(struct frame_walk *walk, uint8_t byte) {
    walk->head[walk->head_length++] = byte;
    if (walk->head_length == 1) {
        walk->head_needed = 2;
        return check_first(walk, byte);
    }
    if (walk->head_length == 2)
        return check_second(walk, byte);
    if (walk->head_length == 3 && (walk->head[1] & 0x7f) == 127 && (byte & 0x80) != 0)
        return object(walk, PROTOCOL_ERROR, "a length has 63 bits");
    return walk->head_length < walk->head_needed || read_length(walk);
}

// ---- the close frame
// -------------------------------------------------------------------------------------------------

// RFC 6455, 7.4: codes that may stand in a frame.
static bool is_close_code(unsigned code) {
    return (code >= 1000 && code <= 1003) || (code >= 1007 && code <= 1014) || (code >= 3000 && code <= 4999);
}

static bool is_continuation(uint8_t byte) {
    return (byte & 0xc0) == 0x80;
}

static bool is_utf8(const uint8_t *text, size_t length) {
    for (size_t at = 0; at < length;) {
        const uint8_t lead = text[at];
        const size_t more = lead < 0x80 ? 0 : lead >= 0xc2 && lead <= 0xdf ? 1 : (lead & 0xf0) == 0xe0 ? 2 : 3;
        if ((lead >= 0x80 && lead < 0xc2) || lead > 0xf4 || at + more >= length + (more == 0))
            return false;
        for (size_t next = 1; next <= more; next++) {
            if (!is_continuation(text[at + next]))
                return false;
        }
        if ((lead == 0xe0 && text[at + 1] < 0xa0) || (lead == 0xed && text[at + 1] > 0x9f) ||
            (lead == 0xf0 && text[at + 1] < 0x90) || (lead == 0xf4 && text[at + 1] > 0x8f))
            return false;
        at += more + 1;
    }
    return true;
}

static bool check_close(struct frame_walk *walk) {
    const uint8_t *mask = walk->close + 2;
    uint8_t payload[CONTROL_BYTES_MAX];
    const size_t length = walk->close_length - 6;
    for (size_t at = 0; at < length; at++)
        payload[at] = walk->close[6 + at] ^ mask[at & 3];
    if (length == 1)
        return object(walk, PROTOCOL_ERROR, "a close code has two bytes");
    if (length >= 2 && !is_close_code((unsigned)payload[0] << 8 | payload[1]))
        return object(walk, PROTOCOL_ERROR, "there is no such close code");
    if (length > 2 && !is_utf8(payload + 2, length - 2))
        return object(walk, NOT_UTF8, "the reason is no UTF-8");
    walk->closed = true;
    return true;
}

// Collects a close frame; what comes after it does not matter.
static void take_close(struct frame_walk *walk, const uint8_t *bytes, size_t length) {
    for (size_t at = 0; at < length && walk->wrong == 0 && !walk->closed; at++) {
        if (walk->head_length < walk->head_needed && !take_head_byte(walk, bytes[at]))
            return;
        walk->close[walk->close_length++] = bytes[at];
        if (walk->head_length == 6 && walk->close_length == 6 + walk->payload_left)
            (void)check_close(walk);
    }
}

// ---- pings
// -----------------------------------------------------------------------------------------------------------

// Takes in one byte of a ping frame. At its end its payload becomes that of the pong which is due.
static void take_ping_byte(struct frame_walk *walk, uint8_t byte) {
    if (walk->head_length < walk->head_needed) {
        if (!take_head_byte(walk, byte))
            return;
    } else {
        const uint8_t *mask = walk->head + 2;
        walk->ping[walk->ping_length] = byte ^ mask[walk->ping_length & 3];
        walk->ping_length++;
        walk->payload_left--;
    }
    if (walk->head_length < walk->head_needed || walk->payload_left > 0)
        return;
    memcpy(walk->pong, walk->ping, walk->ping_length);
    walk->pong_length = walk->ping_length;
    walk->pong_due = true;
    walk->pinging = false;
}

// ----------------------------------------------------------------------------------------------------------------------

// Begins a frame by its first byte. The bytes of a ping are taken out, those of a close frame are kept back. False when
// there is no memory for a close frame.
static bool begin_frame(struct frame_walk *walk, uint8_t byte) {
    const uint8_t opcode = byte & 0x0f;
    walk->head_length = walk->head_needed = 0;
    if (opcode == OPCODE_PING) {
        walk->pinging = true;
        walk->ping_length = 0;
        walk->head_needed = 2;
    } else if (opcode == OPCODE_CLOSE) {
        walk->close = malloc(CLOSE_FRAME_MAX);
        if (walk->close == NULL)
            return object(walk, UNEXPECTED, "the server is out of memory");
        walk->closing = true;
        walk->head_needed = 2;
    }
    return true;
}

size_t frame_walk(struct frame_walk *walk, uint8_t *bytes, size_t length) {
    size_t at = 0;
    size_t passed = 0;
    while (at < length && !walk->closing && walk->wrong == 0) {
        size_t step = 1;
        if (!walk->pinging && walk->payload_left == 0 && walk->head_length == walk->head_needed &&
            !begin_frame(walk, bytes[at]))
            break;
        if (walk->closing)
            break;
        if (walk->pinging) {
            take_ping_byte(walk, bytes[at]);
            at++;
            continue;
        }
        if (walk->payload_left > 0) {
            step = walk->payload_left < length - at ? (size_t)walk->payload_left : length - at;
            walk->payload_left -= step;
        } else if (!take_head_byte(walk, bytes[at])) {
            break;
        }
        if (passed != at)
            memmove(bytes + passed, bytes + at, step);
        passed += step;
        at += step;
    }
    if (walk->closing)
        take_close(walk, bytes + at, length - at);
    return passed;
}
