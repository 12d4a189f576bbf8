// SPDX-License-Identifier: MIT
// What a WebSocket sends: the same bytes are judged alike, and give the same payloads and pongs, however they are cut.
// The first byte says how.
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "net/parse/frame.h"

struct outcome {
    struct frame_reader reader;
    bool closed;
    size_t payload_bytes, messages, pings;
    uint64_t digest; // of the payloads
};

static void note_piece(struct outcome *outcome, const struct frame_piece *piece) {
    for (size_t i = 0; i < piece->length; i++) {
        outcome->digest = (outcome->digest ^ (uint8_t)piece->bytes[i]) * 1099511628211u;
    }
    outcome->payload_bytes += piece->length;
    outcome->messages += piece->last;
}

// Reads all in pieces of so many bytes, up to a close frame or what breaks the protocol.
static void read_in_pieces(const uint8_t *bytes, size_t length, size_t piece, struct outcome *outcome) {
    uint8_t *copy = malloc(length + 1); // it is unmasked in place
    FUZZ_CHECK(copy != NULL);
    memcpy(copy, bytes, length);
    memset(outcome, 0, sizeof *outcome);
    for (size_t at = 0; at < length && outcome->reader.wrong == 0 && !outcome->closed;) {
        const size_t end = piece < length - at ? at + piece : length;
        while (at < end && outcome->reader.wrong == 0 && !outcome->closed) {
            size_t used = 0;
            struct frame_piece part = {0};
            const enum frame_event event = frame_read(&outcome->reader, copy + at, end - at, &used, &part);
            FUZZ_CHECK(used > 0 && used <= end - at);
            FUZZ_CHECK(event != FRAME_MORE || at + used == end);
            FUZZ_CHECK((event == FRAME_WRONG) == (outcome->reader.wrong != 0));
            at += used;
            outcome->closed = event == FRAME_CLOSE;
            outcome->pings += event == FRAME_PING;
            if (event == FRAME_DATA) {
                note_piece(outcome, &part);
            }
        }
    }
    free(copy);
}

void fuzz_wire(const uint8_t *data, size_t size) {
    struct outcome whole, cut;
    if (size == 0) {
        return;
    }
    read_in_pieces(data + 1, size - 1, size, &whole);
    read_in_pieces(data + 1, size - 1, 1u + data[0] % 31u, &cut);
    const struct frame_reader *reader = &whole.reader;
    FUZZ_CHECK(reader->wrong == 0 || (reader->wrong >= 1000 && reader->wrong < 5000 && reader->why != NULL));
    FUZZ_CHECK(reader->wrong == cut.reader.wrong && whole.closed == cut.closed);
    FUZZ_CHECK(whole.payload_bytes == cut.payload_bytes && whole.digest == cut.digest);
    FUZZ_CHECK(whole.messages == cut.messages && whole.pings == cut.pings);
    FUZZ_CHECK(reader->pong_length == cut.reader.pong_length &&
               memcmp(reader->pong, cut.reader.pong, reader->pong_length) == 0);
    FUZZ_CHECK(!whole.closed || (reader->control_length == cut.reader.control_length &&
                                 memcmp(reader->control, cut.reader.control, reader->control_length) == 0));
}

FUZZ_ENTRY(fuzz_wire)
