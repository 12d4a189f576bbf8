// SPDX-License-Identifier: MIT
// Bytes are taken one at a time in heads and control frames, and in bulk in payloads.
#include "net/parse/frame.h"

#include <string.h>

#define PROTOCOL_ERROR 1002
#define NOT_UTF8 1007
#define POLICY 1008

static bool refuse(struct frame_reader *reader, uint16_t code, const char *why) {
    reader->wrong = code;
    reader->why = why;
    return false;
}

// The first byte of a head: FIN, three reserved bits, the opcode.
static bool check_first(struct frame_reader *reader, uint8_t byte) {
    const bool final = (byte & 0x80) != 0;
    const uint8_t opcode = byte & 0x0f;
    if ((byte & 0x70) != 0) {
        return refuse(reader, PROTOCOL_ERROR, "a reserved bit is set");
    }
    if ((opcode > FRAME_OPCODE_BINARY && opcode < FRAME_OPCODE_CLOSE) || opcode > FRAME_OPCODE_PONG) {
        return refuse(reader, PROTOCOL_ERROR, "there is no such opcode");
    }
    if (opcode >= FRAME_OPCODE_CLOSE) {
        return final || refuse(reader, PROTOCOL_ERROR, "a control frame is not fragmented");
    }
    if (opcode == FRAME_OPCODE_CONTINUATION && reader->fragments == 0) {
        return refuse(reader, PROTOCOL_ERROR, "there is no message to continue");
    }
    if (opcode != FRAME_OPCODE_CONTINUATION && reader->fragments > 0) {
        return refuse(reader, PROTOCOL_ERROR, "the message before has not ended");
    }
    if (reader->fragments == FRAME_FRAGMENTS_MAX) {
        return refuse(reader, POLICY, "the message has too many fragments");
    }
    reader->fragments = final ? 0 : reader->fragments + 1;
    return true;
}

// The second: the mask bit, and a length or how long the length is.
static bool check_second(struct frame_reader *reader, uint8_t byte) {
    const uint8_t length = byte & 0x7f;
    if ((byte & 0x80) == 0) {
        return refuse(reader, PROTOCOL_ERROR, "a client's frames are masked");
    }
    if ((reader->head[0] & 0x08) != 0 && length > FRAME_CONTROL_MAX) {
        return refuse(reader, PROTOCOL_ERROR, "a control frame has at most 125 bytes");
    }
    reader->head_needed = (uint8_t)(2 + (length == 126 ? 2 : length == 127 ? 8 : 0) + 4);
    return true;
}

// The whole head has come.
static bool read_length(struct frame_reader *reader) {
    const uint8_t length = reader->head[1] & 0x7f;
    const size_t bytes = length == 126 ? 2 : length == 127 ? 8 : 0;
    uint64_t value = bytes == 0 ? length : 0;
    for (size_t at = 0; at < bytes; at++) {
        value = value << 8 | reader->head[2 + at];
    }
    if ((bytes == 2 && value < 126) || (bytes == 8 && value < 65536)) {
        return refuse(reader, PROTOCOL_ERROR, "a length takes as few bytes as it needs");
    }
    reader->payload_left = value;
    return true;
}

// Takes one byte of a head. Returns false when the frame breaks the protocol.
static bool take_head_byte(struct frame_reader *reader, uint8_t byte) {
    reader->head[reader->head_length++] = byte;
    if (reader->head_length == 1) {
        reader->head_needed = 2;
        return check_first(reader, byte);
    }
    if (reader->head_length == 2) {
        return check_second(reader, byte);
    }
    if (reader->head_length == 3 && (reader->head[1] & 0x7f) == 127 && (byte & 0x80) != 0) {
        return refuse(reader, PROTOCOL_ERROR, "a length has 63 bits");
    }
    return reader->head_length < reader->head_needed || read_length(reader);
}

// ---- control frames ----------------------------------------------------------------------------------------------

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
        if ((lead >= 0x80 && lead < 0xc2) || lead > 0xf4 || at + more >= length + (more == 0)) {
            return false;
        }
        for (size_t next = 1; next <= more; next++) {
            if (!is_continuation(text[at + next])) {
                return false;
            }
        }
        if ((lead == 0xe0 && text[at + 1] < 0xa0) || (lead == 0xed && text[at + 1] > 0x9f) ||
            (lead == 0xf0 && text[at + 1] < 0x90) || (lead == 0xf4 && text[at + 1] > 0x8f)) {
            return false;
        }
        at += more + 1;
    }
    return true;
}

static bool check_close(struct frame_reader *reader) {
    const uint8_t *payload = reader->control;
    const size_t length = reader->control_length;
    if (length == 1) {
        return refuse(reader, PROTOCOL_ERROR, "a close code has two bytes");
    }
    if (length >= 2 && !is_close_code((unsigned)payload[0] << 8 | payload[1])) {
        return refuse(reader, PROTOCOL_ERROR, "there is no such close code");
    }
    if (length > 2 && !is_utf8(payload + 2, length - 2)) {
        return refuse(reader, NOT_UTF8, "the reason is not UTF-8");
    }
    return true;
}

static enum frame_event end_control(struct frame_reader *reader) {
    switch (reader->head[0] & 0x0f) {
    case FRAME_OPCODE_PING:
        memcpy(reader->pong, reader->control, reader->control_length);
        reader->pong_length = reader->control_length;
        return FRAME_PING;
    case FRAME_OPCODE_CLOSE:
        return check_close(reader) ? FRAME_CLOSE : FRAME_WRONG;
    default:
        return FRAME_PONG;
    }
}

// ---- reading -----------------------------------------------------------------------------------------------------

static void unmask(struct frame_reader *reader, uint8_t *bytes, size_t length) {
    const uint8_t *mask = reader->head + reader->head_needed - 4;
    for (size_t at = 0; at < length; at++) {
        bytes[at] ^= mask[(reader->masked + at) & 3];
    }
    reader->masked = (reader->masked + length) & 3;
}

static void end_frame(struct frame_reader *reader) {
    reader->head_length = 0;
    reader->head_needed = 0;
    reader->in_payload = false;
}

// Takes what has come of a payload. Returns FRAME_MORE while a control frame is incomplete.
static enum frame_event take_payload(struct frame_reader *reader, uint8_t *bytes, size_t length, size_t *used,
                                     struct frame_piece *piece) {
    const size_t count = reader->payload_left < length ? (size_t)reader->payload_left : length;
    const bool control = (reader->head[0] & 0x08) != 0;
    unmask(reader, bytes, count);
    *used += count;
    reader->payload_left -= count;
    if (control) {
        memcpy(reader->control + reader->control_length, bytes, count);
        reader->control_length = (uint8_t)(reader->control_length + count);
    } else {
        *piece = (struct frame_piece){
            .bytes = (const char *)bytes,
            .length = count,
            .announced = reader->payload_left,
            .binary = reader->binary,
            .first = reader->begins,
            .last = reader->payload_left == 0 && (reader->head[0] & 0x80) != 0,
        };
        reader->begins = false;
    }
    if (reader->payload_left == 0) {
        end_frame(reader);
        return control ? end_control(reader) : FRAME_DATA;
    }
    return control ? FRAME_MORE : FRAME_DATA;
}

enum frame_event frame_read(struct frame_reader *reader, uint8_t *bytes, size_t length, size_t *used,
                            struct frame_piece *piece) {
    *used = 0;
    while (!reader->in_payload) {
        if (*used == length) {
            return FRAME_MORE;
        }
        if (!take_head_byte(reader, bytes[(*used)++])) {
            return FRAME_WRONG;
        }
        if (reader->head_length < reader->head_needed) {
            continue;
        }
        const uint8_t opcode = reader->head[0] & 0x0f;
        reader->in_payload = true;
        reader->masked = 0;
        reader->control_length = 0;
        if (opcode == FRAME_OPCODE_TEXT || opcode == FRAME_OPCODE_BINARY) {
            reader->begins = true;
            reader->binary = opcode == FRAME_OPCODE_BINARY;
        }
        if (reader->payload_left == 0) {
            return take_payload(reader, bytes + *used, 0, used, piece);
        }
    }
    return *used == length ? FRAME_MORE : take_payload(reader, bytes + *used, length - *used, used, piece);
}

size_t frame_write_head(uint8_t head[FRAME_HEAD_MAX], uint8_t opcode, size_t length) {
    head[0] = (uint8_t)(0x80 | opcode);
    if (length < 126) {
        head[1] = (uint8_t)length;
        return 2;
    }
    const size_t bytes = length < 65536 ? 2 : 8;
    head[1] = bytes == 2 ? 126 : 127;
    for (size_t at = 0; at < bytes; at++) {
        head[2 + at] = (uint8_t)((uint64_t)length >> (8 * (bytes - 1 - at)));
    }
    return 2 + bytes;
}
