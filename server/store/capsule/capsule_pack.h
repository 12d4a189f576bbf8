// SPDX-License-Identifier: MIT
// Packs a history into a capsule.
#ifndef WEFT_STORE_CAPSULE_CAPSULE_PACK_H
#define WEFT_STORE_CAPSULE_CAPSULE_PACK_H

#include "store/capsule/capsule_format.h"

// `history` comes from store_read; its timelines become one. Free the bytes with free(). Errors: RESULT_LIMIT
// (STORE_CAPSULE_MAX), RESULT_MEMORY.
enum result store_capsule_pack(const struct store_capsule_meta *meta, const struct store_history *history,
                               unsigned char **bytes, size_t *size, struct fault *fault) WEFT_MUST_USE;

#endif
