// SPDX-License-Identifier: MIT
// Decoding single values of a message.
#ifndef WEFT_PROTO_MESSAGE_DECODE_VALUE_H
#define WEFT_PROTO_MESSAGE_DECODE_VALUE_H

#include "base/arena.h"
#include "proto/gen/methods.h"
#include "proto/json/slice.h"
#include "proto/message/path.h"

// The state of decoding one message or one batch.
struct proto_decoder {
    struct arena *arena;
    struct fault *fault;
    struct proto_subject subject;
    const struct proto_command *commands; // the earlier commands of the batch, to which "$k" refers
    uint32_t command_count;
    struct proto_slice text;           // the params being decoded, as compact JSON
    const struct proto_field *waiting; // atTick, where the params may have it, or NULL
    const struct cJSON *at_tick;       // the member that is atTick, which is no part of the struct; or NULL
};

// Decodes one value into `out`, which has the field's type.
enum result proto_decode_value(struct proto_decoder *decoder, const struct proto_field *field,
                               const struct cJSON *value, const struct proto_path *path, void *out) WEFT_MUST_USE;
// Whether the field allows this string of valid UTF-8.
bool proto_string_allowed(const struct proto_field *field, const char *text);

#endif
