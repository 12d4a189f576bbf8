// SPDX-License-Identifier: MIT
// Bytes as text: base64 with padding, as RFC 4648 has it in section 4.
#ifndef WEFT_BASE_BASE64_H
#define WEFT_BASE_BASE64_H

#include <stdbool.h>
#include <stddef.h>

#define BASE64_LENGTH(size) (((size) + 2) / 3 * 4)

// Writes BASE64_LENGTH(size) letters and a zero.
void base64_write(const unsigned char *bytes, size_t size, char *text);
// Reads a whole text; false when it is none. `bytes` may be where the text is.
bool base64_read(const char *text, unsigned char *bytes, size_t *size);

#endif
