// SPDX-License-Identifier: MIT
// Traversing an archive: the same calls count, write or read one value after the other.
//
// What a later version of the layout added has the number of that version in its row (fields.c, arrays.h). An older
// archive is so read in the order in which it was written, and a newer one is always written whole.
#ifndef WEFT_SIM_STATE_ARCHIVE_WALK_H
#define WEFT_SIM_STATE_ARCHIVE_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "sim/state/fields.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are archived as they lie in memory");

enum mode { COUNT, WRITE, READ };

struct walk {
    enum mode mode;
    uint32_t version;        // of the layout: the newest when writing, the archive's when reading
    unsigned char *out;      // WRITE
    const unsigned char *in; // READ
    size_t at, length;       // position and length
    bool short_of;           // READ: the archive was too short
};

static inline void pass_bytes(struct walk *walk, void *data, size_t bytes) {
    if (walk->mode == READ && bytes > walk->length - walk->at) {
        walk->short_of = true;
        return;
    }
    if (walk->mode == WRITE) {
        memcpy(walk->out + walk->at, data, bytes);
    } else if (walk->mode == READ) {
        memcpy(data, walk->in + walk->at, bytes);
    }
    walk->at += bytes;
}

static inline void pass_u32(struct walk *walk, uint32_t *value) {
    pass_bytes(walk, value, sizeof *value);
}

// A boolean becomes 0 or 1 also when it comes from a stranger.
static inline void pass_truth(struct walk *walk, bool *value) {
    uint32_t number = 0;
    if (walk->mode == WRITE) {
        number = *value ? 1 : 0;
    }
    pass_u32(walk, &number);
    if (walk->mode == READ) {
        *value = number != 0;
    }
}

// A field that the version lacks gets the value that it had, in effect, before there was such a field.
static inline void pass_missing(const struct walk *walk, const struct field *field, void *at) {
    if (walk->mode != READ) {
        return;
    }
    const float real = (float)field->missing;
    const uint32_t number = (uint32_t)field->missing;
    if (field->type == TRUTH) {
        *(bool *)at = number != 0;
    } else if (field->type == VEC3 || field->type == QUAT) {
        memset(at, 0, (field->type == VEC3 ? 3 : 4) * sizeof(float));
    } else {
        memcpy(at, field->type == REAL ? (const void *)&real : &number, sizeof number);
    }
}

static inline void pass_fields(struct walk *walk, const struct fields *fields, void *element) {
    static const size_t bytes[] = {
        [U32] = 4, [U64] = 8, [REAL] = 4, [VEC3] = 12, [QUAT] = 16, [ENUM] = 4, [OBJECT] = 4, [PARTICLE] = 4};
    for (uint32_t i = 0; i < fields->count; i++) {
        const struct field *field = &fields->field[i];
        void *at = (char *)element + field->offset;
        if (walk->version < field->since) {
            pass_missing(walk, field, at);
        } else if (field->type == TRUTH) {
            pass_truth(walk, at);
        } else {
            pass_bytes(walk, at, bytes[field->type]);
        }
    }
}

// An array; one that the version lacks is all zeros.
static inline void pass_array(struct walk *walk, uint32_t since, void *array, size_t bytes) {
    if (walk->version >= since) {
        pass_bytes(walk, array, bytes);
    } else if (walk->mode == READ && bytes > 0) {
        memset(array, 0, bytes);
    }
}

#endif
