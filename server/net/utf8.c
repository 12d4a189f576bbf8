// SPDX-License-Identifier: MIT
// Is a text well-formed UTF-8? By the table of well-formed byte sequences (Unicode 15, table 3-7): no overlong forms,
// no surrogates, nothing above U+10FFFF. libwebsockets has a check of its own, which we leave off: it mixes up the
// state of a fragmented text with the payload of a pong between its fragments, and misses a character cut short by an
// empty last fragment.
#include <string.h>

#include "net/net_internal.h"

// Bytes of the sequence at `byte`, of which `left` are there; 0 when it is malformed.
static size_t sequence_length(const uint8_t *byte, size_t left) {
    uint8_t lead = byte[0];
    uint8_t low = 0x80;
    uint8_t high = 0xbf; // range of the second byte
    size_t length;
    if (lead < 0x80)
        return 1;
    if (lead >= 0xc2 && lead <= 0xdf) {
        length = 2;
    } else if (lead >= 0xe0 && lead <= 0xef) {
        length = 3;
        low = lead == 0xe0 ? 0xa0 : low;
        high = lead == 0xed ? 0x9f : high;
    } else if (lead >= 0xf0 && lead <= 0xf4) {
        length = 4;
        low = lead == 0xf0 ? 0x90 : low;
        high = lead == 0xf4 ? 0x8f : high;
    } else {
        return 0;
    }
    if (length > left || byte[1] < low || byte[1] > high)
        return 0;
    for (size_t i = 2; i < length; i++) {
        if (byte[i] < 0x80 || byte[i] > 0xbf)
            return 0;
    }
    return length;
}

bool utf8_is_valid(const char *text, size_t length) {
    const uint8_t *bytes = (const uint8_t *)text;
    size_t at = 0;
    while (at < length) {
        // Commands are ASCII all but always: eight bytes at a time.
        uint64_t word;
        if (length - at >= sizeof word) {
            memcpy(&word, bytes + at, sizeof word);
            if ((word & UINT64_C(0x8080808080808080)) == 0) {
                at += sizeof word;
                continue;
            }
        }
        size_t step = sequence_length(bytes + at, length - at);
        if (step == 0)
            return false;
        at += step;
    }
    return true;
}
