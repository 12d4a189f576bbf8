// SPDX-License-Identifier: MIT
// What a WebSocket sends: the same bytes are judged alike, and leave the same pong to be sent, however they are cut.
// The first byte says how.
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "net/line.h"

static size_t walk_in_pieces(const uint8_t *bytes, size_t length, size_t piece, struct frame_walk *walk) {
    size_t passed = 0;
    uint8_t *copy = malloc(length + 1); // pings are taken out of it
    FUZZ_CHECK(copy != NULL);
    memcpy(copy, bytes, length);
    memset(walk, 0, sizeof *walk);
    for (size_t at = 0; at < length && walk->wrong == 0 && !walk->closing; at += piece) {
        const size_t now = piece < length - at ? piece : length - at;
        const size_t took = frame_walk(walk, copy + at, now);
        FUZZ_CHECK(took <= now);
        passed += took;
    }
    free(copy);
    return passed;
}

void fuzz_wire(const uint8_t *data, size_t size) {
    struct frame_walk whole, cut;
    if (size == 0) {
        return;
    }
    const size_t piece = 1u + data[0] % 31u;
    const size_t at_once = walk_in_pieces(data + 1, size - 1, size, &whole);
    const size_t in_pieces = walk_in_pieces(data + 1, size - 1, piece, &cut);
    FUZZ_CHECK(whole.wrong == 0 || (whole.wrong >= 1000 && whole.wrong < 5000 && whole.why != NULL));
    FUZZ_CHECK(whole.close_length <= CLOSE_FRAME_MAX);
    FUZZ_CHECK(whole.wrong == cut.wrong || whole.closing || cut.closing);
    FUZZ_CHECK(at_once == in_pieces || whole.wrong != 0 || whole.closing || cut.closing);
    FUZZ_CHECK(whole.pong_length <= CONTROL_BYTES_MAX);
    FUZZ_CHECK(whole.wrong != 0 || whole.closing || cut.closing ||
               (whole.pong_due == cut.pong_due && whole.pong_length == cut.pong_length &&
                memcmp(whole.pong, cut.pong, whole.pong_length) == 0));
    free(whole.close);
    free(cut.close);
}

FUZZ_ENTRY(fuzz_wire)
