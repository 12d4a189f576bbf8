// SPDX-License-Identifier: MIT
// Numbers and texts as bytes, one after another, little-endian: writing into a buffer that grows, reading from one that
// may have come from anybody. Whatever goes wrong is remembered and told once, at the end.
#ifndef WEFT_BASE_BYTES_H
#define WEFT_BASE_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes { // zero is empty; free `data` with bytes_free
    unsigned char *data;
    size_t length, capacity;
    bool failed; // memory was out
};

void bytes_free(struct bytes *bytes);
void bytes_clear(struct bytes *bytes); // keeps the memory
void bytes_add(struct bytes *bytes, const void *data, size_t length);
void bytes_add_u32(struct bytes *bytes, uint32_t value);
void bytes_add_u64(struct bytes *bytes, uint64_t value);
void bytes_add_block(struct bytes *bytes, const void *data, size_t length); // its length, then itself
void bytes_add_text(struct bytes *bytes, const char *text);                 // as a block
// Room for `length` more bytes, to be filled by the caller; NULL when memory is out.
unsigned char *bytes_reserve(struct bytes *bytes, size_t length);

struct bytes_reader {
    const unsigned char *data;
    size_t length, at;
    bool failed; // it asked for more than there is
};

uint32_t bytes_take_u32(struct bytes_reader *reader); // 0 once it failed
uint64_t bytes_take_u64(struct bytes_reader *reader);
// A block: where it lies in what is read. NULL, and no length, once it failed.
const unsigned char *bytes_take_block(struct bytes_reader *reader, size_t *length);
// A block as a text of fewer than `size` bytes without a zero among them; else it failed.
void bytes_take_text(struct bytes_reader *reader, char *out, size_t size);
bool bytes_are_read(const struct bytes_reader *reader); // all of them, and nothing failed

#endif
