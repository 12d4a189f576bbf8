// SPDX-License-Identifier: MIT
// Decodes cJSON's tree into the generated structs, by the tables of field.h. All results lie in the arena.
#ifndef WEFT_PROTO_MESSAGE_DECODE_H
#define WEFT_PROTO_MESSAGE_DECODE_H

#include "proto/message/decode_value.h"

// The params of a request; `params` is NULL when it has none. Errors: RESULT_INVALID, RESULT_METHOD, RESULT_MEMORY.
enum result proto_decode_command(struct proto_decoder *decoder, enum proto_method method, const struct cJSON *params,
                                 const struct proto_path *path, struct proto_command *command) WEFT_MUST_USE;
// A list of commands, [{"method", "params"}, …], whose text is `text`.
enum result proto_decode_commands(struct proto_decoder *decoder, const struct cJSON *list, struct proto_slice text,
                                  const struct proto_field *field, const struct proto_path *path,
                                  struct proto_commands *commands) WEFT_MUST_USE;
// Finds the method or refuses with the nearest name.
enum result proto_decode_method(const struct proto_decoder *decoder, const char *name, const struct proto_path *path,
                                enum proto_method *method) WEFT_MUST_USE;

#endif
