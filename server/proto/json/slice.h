// SPDX-License-Identifier: MIT
// Slices of a compact JSON text: where a value lies in the text. They are needed because cJSON keeps no positions, and
// the params of a command are kept exactly as they were sent.
//
// The text must have passed `json_check_compact`; members come in the same order as cJSON's children.
#ifndef WEFT_PROTO_JSON_SLICE_H
#define WEFT_PROTO_JSON_SLICE_H

#include <stdbool.h>
#include <stddef.h>

struct proto_slice {
    const char *text;
    size_t length;
};

// Walks the values of an object or array: `value` is the current member's or item's.
struct proto_slice_walk {
    struct proto_slice value;
    const char *next;
    bool in_object;
};

// Begins before the first value of the container that `container` points to.
struct proto_slice_walk proto_slice_begin(const char *container);
// Moves to the next value, which must be there.
void proto_slice_next(struct proto_slice_walk *walk);

#endif
