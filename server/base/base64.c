// SPDX-License-Identifier: MIT
// Base64: three bytes become four letters.
#include "base/base64.h"

#include <stdint.h>
#include <string.h>

static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void base64_write(const unsigned char *bytes, size_t size, char *text) {
    for (size_t i = 0; i < size; i += 3) {
        const uint32_t rest = (uint32_t)(size - i < 3 ? size - i : 3);
        const uint32_t b = rest > 1 ? bytes[i + 1] : 0;
        const uint32_t c = rest > 2 ? bytes[i + 2] : 0;
        const uint32_t three = (uint32_t)bytes[i] << 16 | b << 8 | c;
        *text++ = letters[three >> 18];
        *text++ = letters[three >> 12 & 63];
        *text++ = (char)(rest > 1 ? letters[three >> 6 & 63] : '=');
        *text++ = (char)(rest > 2 ? letters[three & 63] : '=');
    }
    *text = '\0';
}

// The value of a letter; 64 for a character that is no letter of base64.
static uint32_t value_of(char letter) {
    const char *at = letter != '\0' ? strchr(letters, letter) : NULL;
    return at != NULL ? (uint32_t)(at - letters) : 64;
}

bool base64_read(const char *text, unsigned char *bytes, size_t *size) {
    const size_t length = strlen(text);
    size_t written = 0;
    for (size_t i = 0; i < length; i += 4) {
        uint32_t four[4];
        const bool last = i + 4 == length;
        if (length - i < 4) {
            return false;
        }
        const uint32_t pads = !last || text[i + 3] != '=' ? 0 : text[i + 2] == '=' ? 2 : 1;
        for (uint32_t k = 0; k < 4; k++) {
            four[k] = k < 4 - pads ? value_of(text[i + k]) : 0;
            if (four[k] == 64) {
                return false;
            }
        }
        const uint32_t three = four[0] << 18 | four[1] << 12 | four[2] << 6 | four[3];
        for (uint32_t k = 0; k < 3 - pads; k++) {
            bytes[written++] = (unsigned char)(three >> (16 - 8 * k));
        }
    }
    *size = written;
    return true;
}
