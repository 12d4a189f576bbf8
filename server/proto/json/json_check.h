// SPDX-License-Identifier: MIT
// Checks whether a text is one JSON text (RFC 8259) that all parsers read alike.
//
// cJSON accepts trailing bytes, duplicate members, any bytes in strings and 1e999, so that every text is checked here
// before cJSON parses it. The compact form has no spaces and no number that is too long for cJSON.
#ifndef WEFT_PROTO_JSON_JSON_CHECK_H
#define WEFT_PROTO_JSON_JSON_CHECK_H

#include <stddef.h>

#include "base/arena.h"
#include "base/result.h"

#define JSON_CHECK_BYTES_MAX ((size_t)64 << 20)
#define JSON_CHECK_VALUES_MAX 8000000u // each costs cJSON some 80 bytes
#define JSON_CHECK_DEPTH_MAX 16u

// Checks `text` and writes its compact form, terminated, into the arena. Errors: RESULT_PARSE (the message names the
// byte), RESULT_LIMIT, RESULT_MEMORY.
enum result json_check_compact(const char *text, size_t length, struct arena *arena, const char **compact,
                               size_t *compact_length, struct fault *fault) WEFT_MUST_USE;

#endif
