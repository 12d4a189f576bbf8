// SPDX-License-Identifier: MIT
// The first look at a message: is it one JSON text (RFC 8259) that everyone would read alike?
//
// cJSON is lenient (trailing bytes, duplicate members, any bytes in strings, 1e999), so nothing reaches it that has not
// passed here. What passes comes back compact: without spaces, and with no number too long for cJSON.
#ifndef WEFT_PROTO_JSON_JSON_CHECK_H
#define WEFT_PROTO_JSON_JSON_CHECK_H

#include <stddef.h>

#include "base/arena.h"
#include "base/result.h"

#define JSON_CHECK_BYTES_MAX ((size_t)64 << 20)
#define JSON_CHECK_VALUES_MAX 8000000u // each costs cJSON some 80 bytes
#define JSON_CHECK_DEPTH_MAX 16u

// Checks `text`; the compact form, in the arena, is terminated. Faults: RESULT_PARSE (the message tells the byte),
// RESULT_LIMIT, RESULT_MEMORY.
enum result json_check_compact(const char *text, size_t length, struct arena *arena, const char **compact,
                               size_t *compact_length, struct fault *fault) WEFT_MUST_USE;

#endif
