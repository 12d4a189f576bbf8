// SPDX-License-Identifier: MIT
// UTF-8 as Unicode defines it: no overlong forms, no surrogates, nothing above U+10FFFF (RFC 3629).
#ifndef WEFT_BASE_UTF8_H
#define WEFT_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The bytes (1 to 4) of the character that `text` begins with; 0 when the bytes are no character. `code` may be NULL.
size_t utf8_read(const char *text, size_t available, uint32_t *code);
// Writes the bytes of a character, no surrogate, to `out`; returns how many (1 to 4).
size_t utf8_write(uint32_t code, char *out);
// Whether a character is unfit for a name that people read: with it two names could look alike, or a name could disturb
// the text around it. These are Unicode's control characters, its default ignorable characters (which are invisible)
// and its bidirectional formatting characters (which turn the direction of the text after them).
bool utf8_is_hidden(uint32_t code);

#endif
