// SPDX-License-Identifier: MIT
// From cJSON's tree to the generated structs, by the tables of field.h. Everything decoded lives in the arena.
#ifndef WEFT_PROTO_DECODE_H
#define WEFT_PROTO_DECODE_H

#include "base/arena.h"
#include "proto/json/slice.h"
#include "proto/path.h"
#include "proto/request.h"

struct proto_decoder {
    struct arena *arena;
    struct fault *fault;
    struct proto_subject subject;
    const struct proto_command *commands; // those of the batch before this one; "$k" names one of them
    uint32_t command_count;
    struct proto_slice text; // the params being decoded, as compact JSON
};

// The params of a request; `params` is NULL when it has none. Faults: RESULT_INVALID, RESULT_METHOD, RESULT_MEMORY.
enum result proto_decode_command(struct proto_decoder *decoder, enum proto_method method, const struct cJSON *params,
                                 const struct proto_path *path, struct proto_command *command) WEFT_MUST_USE;
// A list of commands, [{"method", "params"}, …], whose text is `text`.
enum result proto_decode_commands(struct proto_decoder *decoder, const struct cJSON *list, struct proto_slice text,
                                  const struct proto_field *field, const struct proto_path *path,
                                  struct proto_commands *commands) WEFT_MUST_USE;
// One value into `out`, which has the field's type.
enum result proto_decode_value(struct proto_decoder *decoder, const struct proto_field *field,
                               const struct cJSON *value, const struct proto_path *path, void *out) WEFT_MUST_USE;
// Whether a string, of valid UTF-8, is one that the field allows.
bool proto_string_allowed(const struct proto_field *field, const char *text);
// Finds the method or refuses with the nearest name.
enum result proto_decode_method(const struct proto_decoder *decoder, const char *name, const struct proto_path *path,
                                enum proto_method *method) WEFT_MUST_USE;

// A request, cleared, in an empty arena (NULL: memory is out), and the last step: it then owns the arena it lies in.
struct proto_request *proto_request_begin(struct arena *arena);
void proto_request_own(struct proto_request *request, const struct arena *arena);

#endif
