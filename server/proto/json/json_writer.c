// SPDX-License-Identifier: MIT
// Every value passes through `reserve`, which puts the comma and makes room. After a failed allocation all further
// calls do nothing.
#include "proto/json/json_writer.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "proto/json/float_format.h"

#define CAPACITY_MIN 256u

void json_writer_init(struct json_writer *writer) {
    memset(writer, 0, sizeof *writer);
}

void json_writer_free(struct json_writer *writer) {
    free(writer->data);
    memset(writer, 0, sizeof *writer);
}

void json_writer_clear(struct json_writer *writer) {
    writer->length = 0;
    writer->depth = 0;
    writer->needs_comma[0] = false;
    writer->failed = false;
}

bool json_writer_failed(const struct json_writer *writer) {
    return writer->failed;
}

// Makes room for `bytes` more bytes; false after a failed allocation.
static bool make_room(struct json_writer *writer, size_t bytes) {
    if (writer->failed) {
        return false;
    }
    if (writer->capacity - writer->length >= bytes) {
        return true;
    }
    size_t capacity = writer->capacity < CAPACITY_MIN ? CAPACITY_MIN : writer->capacity;
    while (capacity - writer->length < bytes) {
        capacity *= 2;
    }
    char *grown = realloc(writer->data, capacity);
    writer->failed = grown == NULL;
    if (writer->failed) {
        return false;
    }
    writer->data = grown;
    writer->capacity = capacity;
    return true;
}

static void append(struct json_writer *writer, const char *bytes, size_t length) {
    memcpy(writer->data + writer->length, bytes, length);
    writer->length += length;
}

// Before a value: makes room for it and writes the comma that it may need.
static bool reserve(struct json_writer *writer, size_t bytes) {
    if (!make_room(writer, bytes + 1)) {
        return false;
    }
    if (writer->needs_comma[writer->depth]) {
        writer->data[writer->length++] = ',';
    }
    writer->needs_comma[writer->depth] = true;
    return true;
}

static void open_container(struct json_writer *writer, char bracket) {
    if (reserve(writer, 1)) {
        assert(writer->depth + 1 < JSON_WRITER_DEPTH_MAX);
        writer->data[writer->length++] = bracket;
        writer->depth++;
        writer->needs_comma[writer->depth] = false;
    }
}

static void close_container(struct json_writer *writer, char bracket) {
    if (make_room(writer, 1)) {
        assert(writer->depth > 0);
        writer->data[writer->length++] = bracket;
        writer->depth--;
    }
}

void json_writer_open_object(struct json_writer *writer) {
    open_container(writer, '{');
}

void json_writer_close_object(struct json_writer *writer) {
    close_container(writer, '}');
}

void json_writer_open_array(struct json_writer *writer) {
    open_container(writer, '[');
}

void json_writer_close_array(struct json_writer *writer) {
    close_container(writer, ']');
}

// Writes the escape of a character and returns its length; 0 when the character needs no escape.
static size_t escape(unsigned char c, char out[7]) {
    static const char characters[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
    const char *special = c == '\0' ? NULL : strchr(characters, c);
    if (special != NULL) {
        out[0] = '\\';
        out[1] = letters[special - characters];
        return 2;
    }
    return c < 0x20 ? (size_t)snprintf(out, 7, "\\u%04x", (unsigned)c) : 0;
}

void json_writer_string(struct json_writer *writer, const char *value) {
    size_t available = strlen(value);
    if (!reserve(writer, available * 6 + 2)) { // no byte becomes longer than \u00xx
        return;
    }
    writer->data[writer->length++] = '"';
    for (size_t at = 0; at < available;) {
        char escaped[7];
        size_t bytes = utf8_read(value + at, available - at, NULL);
        size_t length = escape((unsigned char)value[at], escaped);
        if (length > 0) {
            append(writer, escaped, length);
        } else if (bytes > 0) {
            append(writer, value + at, bytes);
        } else {
            append(writer, "\xEF\xBF\xBD", 3); // U+FFFD, for a text that was cut within a character
        }
        at += bytes > 0 ? bytes : 1;
    }
    writer->data[writer->length++] = '"';
}

void json_writer_key(struct json_writer *writer, const char *key) {
    json_writer_string(writer, key);
    if (make_room(writer, 1)) {
        writer->data[writer->length++] = ':';
        writer->needs_comma[writer->depth] = false;
    }
}

void json_writer_line(struct json_writer *writer) {
    if (reserve(writer, 1)) {
        writer->data[writer->length++] = '\n';
        writer->needs_comma[writer->depth] = false;
    }
}

void json_writer_raw(struct json_writer *writer, const char *json, size_t length) {
    if (reserve(writer, length)) {
        append(writer, json, length);
    }
}

void json_writer_value(struct json_writer *writer, const struct json_writer *value) {
    writer->failed = writer->failed || value->failed;
    json_writer_raw(writer, value->data, value->length);
}

void json_writer_integer(struct json_writer *writer, int64_t value) {
    char number[24];
    int length = snprintf(number, sizeof number, "%" PRId64, value);
    json_writer_raw(writer, number, (size_t)length);
}

void json_writer_unsigned(struct json_writer *writer, uint64_t value) {
    char number[24];
    int length = snprintf(number, sizeof number, "%" PRIu64, value);
    json_writer_raw(writer, number, (size_t)length);
}

void json_writer_null(struct json_writer *writer) {
    json_writer_raw(writer, "null", 4);
}

void json_writer_boolean(struct json_writer *writer, bool value) {
    json_writer_raw(writer, value ? "true" : "false", value ? 4 : 5);
}

void json_writer_double(struct json_writer *writer, double value) {
    char number[FLOAT_FORMAT_MAX];
    if (isfinite(value)) {
        json_writer_raw(writer, number, float_format_double(value, number));
    } else {
        json_writer_null(writer);
    }
}

void json_writer_float(struct json_writer *writer, float value) {
    char number[FLOAT_FORMAT_MAX];
    if (isfinite(value)) {
        json_writer_raw(writer, number, float_format_single(value, number));
    } else {
        json_writer_null(writer);
    }
}

void json_writer_vec3(struct json_writer *writer, struct vec3 value) {
    json_writer_open_array(writer);
    json_writer_float(writer, value.x);
    json_writer_float(writer, value.y);
    json_writer_float(writer, value.z);
    json_writer_close_array(writer);
}

void json_writer_quat(struct json_writer *writer, struct quat value) {
    json_writer_open_array(writer);
    json_writer_float(writer, value.x);
    json_writer_float(writer, value.y);
    json_writer_float(writer, value.z);
    json_writer_float(writer, value.w);
    json_writer_close_array(writer);
}

void json_writer_member_string(struct json_writer *writer, const char *key, const char *value) {
    json_writer_key(writer, key);
    json_writer_string(writer, value);
}

void json_writer_member_unsigned(struct json_writer *writer, const char *key, uint64_t value) {
    json_writer_key(writer, key);
    json_writer_unsigned(writer, value);
}

void json_writer_member_double(struct json_writer *writer, const char *key, double value) {
    json_writer_key(writer, key);
    json_writer_double(writer, value);
}

void json_writer_member_float(struct json_writer *writer, const char *key, float value) {
    json_writer_key(writer, key);
    json_writer_float(writer, value);
}

void json_writer_member_boolean(struct json_writer *writer, const char *key, bool value) {
    json_writer_key(writer, key);
    json_writer_boolean(writer, value);
}

void json_writer_member_vec3(struct json_writer *writer, const char *key, struct vec3 value) {
    json_writer_key(writer, key);
    json_writer_vec3(writer, value);
}
