// SPDX-License-Identifier: MIT
// "Did you mean …?": the known name nearest to a mistyped one, if one is near.
#ifndef WEFT_PROTO_MESSAGE_SUGGEST_H
#define WEFT_PROTO_MESSAGE_SUGGEST_H

#include <stdint.h>

#define PROTO_SUGGEST_LENGTH_MAX 40 // longer names get no suggestion

struct proto_suggestion {
    const char *name; // the best so far, or NULL
    uint32_t distance;
};

// Weighs one known name. Letters count alike in either case, separators not at all ("cloth_spawn" is "cloth.spawn"),
// and a name of two parts may be turned round ("spawnCloth").
void proto_suggest(struct proto_suggestion *best, const char *got, const char *known);

#endif
