// SPDX-License-Identifier: MIT
// Reading and writing single characters of UTF-8.
#include "base/utf8.h"

size_t utf8_read(const char *text, size_t available, uint32_t *code) {
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

bool utf8_is_hidden(uint32_t code) {
    static const struct {
        uint32_t first, last;
    } hidden[] = {
        {0x0000, 0x001F},   // controls
        {0x007F, 0x009F},   // controls
        {0x00AD, 0x00AD},   // soft hyphen
        {0x034F, 0x034F},   // combining grapheme joiner
        {0x061C, 0x061C},   // Arabic letter mark
        {0x115F, 0x1160},   // Hangul fillers
        {0x17B4, 0x17B5},   // Khmer inherent vowels
        {0x180B, 0x180F},   // Mongolian variation selectors and vowel separator
        {0x200B, 0x200F},   // zero-width space, joiners, marks of direction
        {0x2028, 0x202E},   // line and paragraph separators, embeddings and overrides of direction
        {0x2060, 0x206F},   // word joiner, invisible operators, isolates of direction
        {0x3164, 0x3164},   // Hangul filler
        {0xFEFF, 0xFEFF},   // zero-width no-break space
        {0xFFA0, 0xFFA0},   // halfwidth Hangul filler
        {0xFFF0, 0xFFFB},   // interlinear annotation
        {0x1BCA0, 0x1BCA3}, // shorthand format controls
        {0x1D173, 0x1D17A}, // musical format controls
        {0xE0000, 0xE0FFF}, // tags and variation selectors
    };
    for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++) {
        if (code >= hidden[i].first && code <= hidden[i].last) {
            return true;
        }
    }
    return false;
}

size_t utf8_write(uint32_t code, char *out) {
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
