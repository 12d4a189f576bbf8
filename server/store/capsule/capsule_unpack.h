// SPDX-License-Identifier: MIT
// Unpacks a capsule that may come from anybody: it may have only the tables of a capsule, each row is checked like
// those of a store, and sizes are limited. The records and the state inside are not looked at.
#ifndef WEFT_STORE_CAPSULE_CAPSULE_UNPACK_H
#define WEFT_STORE_CAPSULE_CAPSULE_UNPACK_H

#include "store/capsule/capsule_format.h"

struct store_capsule {
    struct store_capsule_meta meta;
    struct store_history *history; // all of timeline 1
};

// Errors: RESULT_INVALID (no capsule, or of a newer format), RESULT_DAMAGED (a row is missing or changed),
// RESULT_LIMIT, RESULT_MEMORY. Free with store_capsule_free.
enum result store_capsule_unpack(const void *bytes, size_t size, struct store_capsule **capsule,
                                 struct fault *fault) WEFT_MUST_USE;
void store_capsule_free(struct store_capsule *capsule);

#endif
