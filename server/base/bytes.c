// SPDX-License-Identifier: MIT
// The buffer doubles its capacity; the reader never passes its end.
#include "base/bytes.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_BYTES 256u

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are written as they lie in memory");

void bytes_free(struct bytes *bytes) {
    free(bytes->data);
    *bytes = (struct bytes){0};
}

void bytes_clear(struct bytes *bytes) {
    bytes->length = 0;
    bytes->failed = false;
}

unsigned char *bytes_reserve(struct bytes *bytes, size_t length) {
    size_t wanted = bytes->capacity == 0 ? FIRST_BYTES : bytes->capacity;
    while (!bytes->failed && wanted - bytes->length < length) {
        bytes->failed = wanted > SIZE_MAX / 2;
        wanted *= 2;
    }
    if (!bytes->failed && wanted > bytes->capacity) {
        unsigned char *grown = realloc(bytes->data, wanted);
        bytes->failed = grown == NULL;
        bytes->data = grown != NULL ? grown : bytes->data;
        bytes->capacity = grown != NULL ? wanted : bytes->capacity;
    }
    if (bytes->failed) {
        return NULL;
    }
    unsigned char *place = bytes->data + bytes->length;
    bytes->length += length;
    return place;
}

void bytes_add(struct bytes *bytes, const void *data, size_t length) {
    unsigned char *place = bytes_reserve(bytes, length);
    if (place != NULL && length > 0) {
        memcpy(place, data, length);
    }
}

void bytes_add_u8(struct bytes *bytes, uint8_t value) {
    bytes_add(bytes, &value, sizeof value);
}

void bytes_add_u32(struct bytes *bytes, uint32_t value) {
    bytes_add(bytes, &value, sizeof value);
}

void bytes_add_u64(struct bytes *bytes, uint64_t value) {
    bytes_add(bytes, &value, sizeof value);
}

void bytes_add_block(struct bytes *bytes, const void *data, size_t length) {
    bytes_add_u64(bytes, length);
    bytes_add(bytes, data, length);
}

void bytes_add_text(struct bytes *bytes, const char *text) {
    bytes_add_block(bytes, text, strlen(text));
}

static void take(struct bytes_reader *reader, void *out, size_t length) {
    if (reader->failed || length > reader->length - reader->at) {
        reader->failed = true;
        memset(out, 0, length);
        return;
    }
    memcpy(out, reader->data + reader->at, length);
    reader->at += length;
}

uint32_t bytes_take_u32(struct bytes_reader *reader) {
    uint32_t value;
    take(reader, &value, sizeof value);
    return value;
}

uint64_t bytes_take_u64(struct bytes_reader *reader) {
    uint64_t value;
    take(reader, &value, sizeof value);
    return value;
}

const unsigned char *bytes_take_block(struct bytes_reader *reader, size_t *length) {
    const uint64_t wanted = bytes_take_u64(reader);
    *length = 0;
    if (reader->failed || wanted > reader->length - reader->at) {
        reader->failed = true;
        return NULL;
    }
    const unsigned char *block = reader->data + reader->at;
    *length = (size_t)wanted;
    reader->at += (size_t)wanted;
    return block;
}

void bytes_take_text(struct bytes_reader *reader, char *out, size_t size) {
    size_t length;
    const unsigned char *block = bytes_take_block(reader, &length);
    out[0] = '\0';
    if (block == NULL || length >= size || memchr(block, '\0', length) != NULL) {
        reader->failed = true;
        return;
    }
    memcpy(out, block, length);
    out[length] = '\0';
}

bool bytes_are_read(const struct bytes_reader *reader) {
    return !reader->failed && reader->at == reader->length;
}
