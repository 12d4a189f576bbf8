// SPDX-License-Identifier: MIT
// Suggestions for mistyped names ("did you mean …?"): the nearest known name, if one is near.
#ifndef WEFT_PROTO_MESSAGE_SUGGEST_H
#define WEFT_PROTO_MESSAGE_SUGGEST_H

#include <stdint.h>

#define PROTO_SUGGEST_LENGTH_MAX 40 // longer names get no suggestion

struct proto_suggestion {
    const char *name; // the best so far, or NULL
    uint32_t distance;
};

// Compares `got` with one known name and keeps the name if it is the nearest so far. Case and separators do not count
// ("cloth_spawn" is "cloth.spawn"), nor does the order of the parts of a name ("spawnCloth").
void proto_suggest(struct proto_suggestion *best, const char *got, const char *known);

#endif
