// SPDX-License-Identifier: MIT
// Writes JSON into an append-only buffer and puts the commas.
//
// cJSON would first build a tree; a reply with a hundred thousand numbers is written here straight into the buffer that
// is sent, each float32 as the shortest text that reads back as the same float32. A failed allocation is remembered, so
// that callers ask `json_writer_failed` once, at the end.
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

void json_writer_init(struct json_writer *writer);
void json_writer_free(struct json_writer *writer);
void json_writer_clear(struct json_writer *writer); // keeps the memory
bool json_writer_failed(const struct json_writer *writer);

void json_writer_open_object(struct json_writer *writer);
void json_writer_close_object(struct json_writer *writer);
void json_writer_open_array(struct json_writer *writer);
void json_writer_close_array(struct json_writer *writer);
void json_writer_key(struct json_writer *writer, const char *key);
void json_writer_string(struct json_writer *writer, const char *value); // escaped; UTF-8 expected
void json_writer_integer(struct json_writer *writer, int64_t value);
void json_writer_unsigned(struct json_writer *writer, uint64_t value);
void json_writer_double(struct json_writer *writer,
                        double value); // the shortest text; null when the value is not finite
void json_writer_float(struct json_writer *writer, float value);
void json_writer_boolean(struct json_writer *writer, bool value);
void json_writer_null(struct json_writer *writer);
void json_writer_vec3(struct json_writer *writer, struct vec3 value); // [x,y,z]
void json_writer_quat(struct json_writer *writer, struct quat value); // [x,y,z,w]
// Puts the next element of an array on a line of its own, for files that people read. A value must follow.
void json_writer_line(struct json_writer *writer);
void json_writer_raw(struct json_writer *writer, const char *json, size_t length); // appends one JSON value unchanged
// Appends the value that another writer holds. If that writer has failed, this one fails too.
void json_writer_value(struct json_writer *writer, const struct json_writer *value);

// Key and value in one, for the many members that replies have.
void json_writer_member_string(struct json_writer *writer, const char *key, const char *value);
void json_writer_member_unsigned(struct json_writer *writer, const char *key, uint64_t value);
void json_writer_member_double(struct json_writer *writer, const char *key, double value);
void json_writer_member_float(struct json_writer *writer, const char *key, float value);
void json_writer_member_boolean(struct json_writer *writer, const char *key, bool value);
void json_writer_member_vec3(struct json_writer *writer, const char *key, struct vec3 value);

#endif
