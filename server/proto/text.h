// SPDX-License-Identifier: MIT
// Writing JSON: an append-only buffer that knows where commas go.
//
// cJSON builds a tree to print it; replies that carry a hundred thousand numbers are written here straight into the
// buffer that is sent, each float32 as the shortest text that reads back as the same float32. An allocation that fails
// is remembered and told once, at the end, by `proto_text_failed`.
#ifndef WEFT_PROTO_TEXT_H
#define WEFT_PROTO_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vector.h"

#define PROTO_TEXT_DEPTH_MAX 32

struct proto_text {
    char *data; // not terminated
    size_t length, capacity;
    uint32_t depth;
    bool needs_comma[PROTO_TEXT_DEPTH_MAX];
    bool failed;
};

void proto_text_init(struct proto_text *text);
void proto_text_free(struct proto_text *text);
void proto_text_clear(struct proto_text *text); // keeps the memory
bool proto_text_failed(const struct proto_text *text);

void proto_text_open_object(struct proto_text *text);
void proto_text_close_object(struct proto_text *text);
void proto_text_open_array(struct proto_text *text);
void proto_text_close_array(struct proto_text *text);
void proto_text_key(struct proto_text *text, const char *key);
void proto_text_string(struct proto_text *text, const char *value); // escaped; UTF-8 expected
void proto_text_integer(struct proto_text *text, int64_t value);
void proto_text_unsigned(struct proto_text *text, uint64_t value);
void proto_text_real(struct proto_text *text, double value); // shortest; not finite: null
void proto_text_real32(struct proto_text *text, float value);
void proto_text_boolean(struct proto_text *text, bool value);
void proto_text_null(struct proto_text *text);
void proto_text_vec3(struct proto_text *text, struct vec3 value); // [x,y,z]
void proto_text_quat(struct proto_text *text, struct quat value); // [x,y,z,w]
// The next element of an array begins on a line of its own: for files that people read. A value must follow.
void proto_text_line(struct proto_text *text);
void proto_text_raw(struct proto_text *text, const char *json, size_t length); // one JSON value, as it is
// The value that another text holds. Where memory ran out for that text, it has run out for this one.
void proto_text_value(struct proto_text *text, const struct proto_text *value);

// Key and value in one, for the many members that replies have.
void proto_text_member_string(struct proto_text *text, const char *key, const char *value);
void proto_text_member_unsigned(struct proto_text *text, const char *key, uint64_t value);
void proto_text_member_real(struct proto_text *text, const char *key, double value);
void proto_text_member_real32(struct proto_text *text, const char *key, float value);
void proto_text_member_boolean(struct proto_text *text, const char *key, bool value);
void proto_text_member_vec3(struct proto_text *text, const char *key, struct vec3 value);

#endif
