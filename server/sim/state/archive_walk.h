// SPDX-License-Identifier: MIT
// Traversing an archive: the same calls count, write or read one value after the other.
//
// A field that a later version of the layout has added is passed by a `…_since` function: it takes the first version
// with the field, and the value for older archives. So an older archive is read in the order in which it was written,
// and a new one is always written completely.
#ifndef WEFT_SIM_STATE_ARCHIVE_WALK_H
#define WEFT_SIM_STATE_ARCHIVE_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/vector.h"

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

static inline void pass_real(struct walk *walk, float *value) {
    pass_bytes(walk, value, sizeof *value);
}

static inline void pass_vec3(struct walk *walk, struct vec3 *value) {
    pass_real(walk, &value->x);
    pass_real(walk, &value->y);
    pass_real(walk, &value->z);
}

// A boolean becomes 0 or 1 also when it comes from a stranger.
static inline void pass_truth(struct walk *walk, bool *value) {
    uint32_t number = *value ? 1 : 0;
    pass_u32(walk, &number);
    *value = number != 0;
}

// An enumerator of any type, passed as a number; the check refuses invalid ones.
#define PASS_ENUM(walk, value, type)                                                                                   \
    do {                                                                                                               \
        uint32_t number_ = (uint32_t)(value);                                                                          \
        pass_u32((walk), &number_);                                                                                    \
        (value) = (type)number_;                                                                                       \
    } while (0)

#define PASS_ARRAY(walk, array, count) pass_bytes((walk), (array), (size_t)(count) * sizeof *(array))

// ---- fields that were added later --------------------------------------------------------------------------------

// True if the field is passed; otherwise it gets its default.
static inline bool walk_lacks(const struct walk *walk, uint32_t since) {
    return walk->version < since;
}

static inline void pass_u32_since(struct walk *walk, uint32_t since, uint32_t *value, uint32_t missing) {
    if (!walk_lacks(walk, since)) {
        pass_u32(walk, value);
    } else if (walk->mode == READ) {
        *value = missing;
    }
}

static inline void pass_real_since(struct walk *walk, uint32_t since, float *value, float missing) {
    if (!walk_lacks(walk, since)) {
        pass_real(walk, value);
    } else if (walk->mode == READ) {
        *value = missing;
    }
}

static inline void pass_truth_since(struct walk *walk, uint32_t since, bool *value, bool missing) {
    if (!walk_lacks(walk, since)) {
        pass_truth(walk, value);
    } else if (walk->mode == READ) {
        *value = missing;
    }
}

// An array; all zeros in archives without it.
static inline void pass_array_since(struct walk *walk, uint32_t since, void *array, size_t bytes) {
    if (!walk_lacks(walk, since)) {
        pass_bytes(walk, array, bytes);
    } else if (walk->mode == READ && bytes > 0) {
        memset(array, 0, bytes);
    }
}
#define PASS_ARRAY_SINCE(walk, since, array, count)                                                                    \
    pass_array_since((walk), (since), (array), (size_t)(count) * sizeof *(array))
#define PASS_ENUM_SINCE(walk, since, value, type, missing)                                                             \
    do {                                                                                                               \
        uint32_t number_ = (uint32_t)(value);                                                                          \
        pass_u32_since((walk), (since), &number_, (uint32_t)(missing));                                                \
        (value) = (type)number_;                                                                                       \
    } while (0)

#endif
