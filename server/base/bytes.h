// SPDX-License-Identifier: MIT
// Numbers and texts as little-endian bytes, one after another: written into a buffer that grows, read from a buffer
// that may come from an untrusted source. A failure is remembered in `failed`, so that callers check it once, at the
// end.
#ifndef WEFT_BASE_BYTES_H
#define WEFT_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes { // zero is empty; free `data` with bytes_free
    unsigned char *data;
    size_t length, capacity;
    bool failed; // memory ran out
};

void bytes_free(struct bytes *bytes);
void bytes_clear(struct bytes *bytes); // keeps the memory
void bytes_add(struct bytes *bytes, const void *data, size_t length);
void bytes_add_u8(struct bytes *bytes, uint8_t value);
void bytes_add_u32(struct bytes *bytes, uint32_t value);
void bytes_add_u64(struct bytes *bytes, uint64_t value);
void bytes_add_block(struct bytes *bytes, const void *data, size_t length); // the length, then the bytes
void bytes_add_text(struct bytes *bytes, const char *text);                 // as a block
// Appends `length` bytes that the caller fills in; NULL when memory runs out.
unsigned char *bytes_reserve(struct bytes *bytes, size_t length);

struct bytes_reader {
    const unsigned char *data;
    size_t length, at;
    bool failed; // more was read than there is
};

uint32_t bytes_take_u32(struct bytes_reader *reader); // 0 after a failure
uint64_t bytes_take_u64(struct bytes_reader *reader);
// A block, as a pointer into the buffer. NULL and length 0 after a failure.
const unsigned char *bytes_take_block(struct bytes_reader *reader, size_t *length);
// A block as a text. It fails when the text does not fit into `size` bytes with its end or holds a zero byte.
void bytes_take_text(struct bytes_reader *reader, char *out, size_t size);
bool bytes_are_read(const struct bytes_reader *reader); // true when all bytes are read and nothing failed

#endif
