// SPDX-License-Identifier: MIT
// Reading and writing single characters of UTF-8.
#include "proto/utf8.h"

size_t proto_utf8_read(const char *text, size_t available, uint32_t *code) {
    const unsigned char *bytes = (const unsigned char *)text;
    if (available == 0) {
        return 0;
    }
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000}; // what fewer bytes could not say
    uint32_t lead = bytes[0];
    size_t length = lead < 0x80             ? 1
                    : (lead & 0xE0) == 0xC0 ? 2
                    : (lead & 0xF0) == 0xE0 ? 3
                    : (lead & 0xF8) == 0xF0 ? 4
                                            : 0;
    if (length == 0 || length > available) {
        return 0;
    }
    uint32_t value = length == 1 ? lead : lead & (0xFFu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if ((bytes[i] & 0xC0) != 0x80) {
            return 0;
        }
        value = value << 6 | (bytes[i] & 0x3Fu);
    }
    if (value < least[length] || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) {
        return 0;
    }
    if (code != NULL) {
        *code = value;
    }
    return length;
}

size_t proto_utf8_write(uint32_t code, char *out) {
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = length - 1; i > 0; i--) {
        out[i] = (char)(0x80u | (code & 0x3Fu));
        code >>= 6;
    }
    static const unsigned char lead[5] = {0, 0, 0xC0, 0xE0, 0xF0};
    out[0] = (char)(lead[length] | code);
    return length;
}
