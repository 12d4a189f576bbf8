// SPDX-License-Identifier: MIT
// The place in a message that the decoder has reached, and refusals that name it. A path is a linked list on the stack
// and is written out only for a refusal.
#ifndef WEFT_PROTO_MESSAGE_PATH_H
#define WEFT_PROTO_MESSAGE_PATH_H

#include <stdint.h>

#include "base/result.h"
#include "proto/field.h"
struct cJSON;

#define PROTO_ALLOWED_MAX 192
#define PROTO_GOT_MAX 64

struct proto_path {
    const struct proto_path *parent; // NULL at the params
    const char *name;                // of a member, or NULL for an item
    uint32_t index;                  // of the item
};

// The command that a refusal concerns: "command 3 (cloth.spawn): …" in a batch.
struct proto_subject {
    const char *method; // NULL while it is not known
    int64_t command;    // its number in the batch, or −1
};

// Fills the fault with the JSON pointer of `path` and a message that begins with the subject; returns `cause`.
enum result proto_refuse(struct fault *fault, const struct proto_subject *subject, const struct proto_path *path,
                         enum result cause, const char *format, ...) WEFT_PRINTF(5, 6);
// Refuses a value with "NAME must be ALLOWED, got VALUE".
enum result proto_refuse_value(struct fault *fault, const struct proto_subject *subject, const struct proto_path *path,
                               const char *allowed, const struct cJSON *got);

// Writes the name of a place: "wind.gust", "positions[3]"; "params" for the root.
void proto_path_name(const struct proto_path *path, char *out, size_t size);
// Writes the values that a field allows, as the end of "must be …": "an integer from 2 to 4096".
void proto_describe_allowed(const struct proto_field *field, char *out, size_t size);
// Does the same for one number of a field that is an array.
void proto_describe_number(const struct proto_field *field, const char *noun, char *out, size_t size);
// Writes a list of names: one of "grid", "hex".
void proto_describe_names(const char *const *names, uint32_t count, char *out, size_t size);
// Writes a value in few words: 1.5, "text…", an array of 3.
void proto_describe_got(const struct cJSON *value, char *out, size_t size);
// Copies a client's text, cut to some 32 characters, with control characters replaced.
void proto_shorten(const char *text, char *out, size_t size);

#endif
