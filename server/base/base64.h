// SPDX-License-Identifier: MIT
// Base64 with padding (RFC 4648, section 4).
#ifndef WEFT_BASE_BASE64_H
#define WEFT_BASE_BASE64_H

#include <stdbool.h>
#include <stddef.h>

#define BASE64_LENGTH(size) (((size) + 2) / 3 * 4)

// Writes BASE64_LENGTH(size) letters and a terminating zero.
void base64_write(const unsigned char *bytes, size_t size, char *text);
// Decodes a whole text; false when the text is not base64. `bytes` may be the memory of the text itself.
bool base64_read(const char *text, unsigned char *bytes, size_t *size);

#endif
