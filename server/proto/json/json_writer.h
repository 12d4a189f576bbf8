// SPDX-License-Identifier: MIT
// Writing JSON: an append-only buffer that knows where commas go.
//
// cJSON builds a tree to print it; replies that carry a hundred thousand numbers are written here straight into the
// buffer that is sent, each float32 as the shortest text that reads back as the same float32. An allocation that fails
// is remembered and told once, at the end, by `json_writer_failed`.
#ifndef WEFT_PROTO_JSON_JSON_WRITER_H
#define WEFT_PROTO_JSON_JSON_WRITER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vector.h"

#define JSON_WRITER_DEPTH_MAX 32

struct json_writer {
    char *data; // not terminated
    size_t length, capacity;
    uint32_t depth;
    bool needs_comma[JSON_WRITER_DEPTH_MAX];
    bool failed;
};

void json_writer_init(struct json_writer *text);
void json_writer_free(struct json_writer *text);
void json_writer_clear(struct json_writer *text); // keeps the memory
bool json_writer_failed(const struct json_writer *text);

void json_writer_open_object(struct json_writer *text);
void json_writer_close_object(struct json_writer *text);
void json_writer_open_array(struct json_writer *text);
void json_writer_close_array(struct json_writer *text);
void json_writer_key(struct json_writer *text, const char *key);
void json_writer_string(struct json_writer *text, const char *value); // escaped; UTF-8 expected
void json_writer_integer(struct json_writer *text, int64_t value);
void json_writer_unsigned(struct json_writer *text, uint64_t value);
void json_writer_double(struct json_writer *text, double value); // shortest; not finite: null
void json_writer_float(struct json_writer *text, float value);
void json_writer_boolean(struct json_writer *text, bool value);
void json_writer_null(struct json_writer *text);
void json_writer_vec3(struct json_writer *text, struct vec3 value); // [x,y,z]
void json_writer_quat(struct json_writer *text, struct quat value); // [x,y,z,w]
// The next element of an array begins on a line of its own: for files that people read. A value must follow.
void json_writer_line(struct json_writer *text);
void json_writer_raw(struct json_writer *text, const char *json, size_t length); // one JSON value, as it is
// The value that another text holds. Where memory ran out for that text, it has run out for this one.
void json_writer_value(struct json_writer *text, const struct json_writer *value);

// Key and value in one, for the many members that replies have.
void json_writer_member_string(struct json_writer *text, const char *key, const char *value);
void json_writer_member_unsigned(struct json_writer *text, const char *key, uint64_t value);
void json_writer_member_double(struct json_writer *text, const char *key, double value);
void json_writer_member_float(struct json_writer *text, const char *key, float value);
void json_writer_member_boolean(struct json_writer *text, const char *key, bool value);
void json_writer_member_vec3(struct json_writer *text, const char *key, struct vec3 value);

#endif
