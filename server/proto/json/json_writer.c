// SPDX-License-Identifier: MIT
// The JSON writer. Every value passes `reserve`, which puts the comma and makes room; after a failed allocation all
// further calls do nothing.
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

void json_writer_init(struct json_writer *text) {
    memset(text, 0, sizeof *text);
}

void json_writer_free(struct json_writer *text) {
    free(text->data);
    memset(text, 0, sizeof *text);
}

void json_writer_clear(struct json_writer *text) {
    text->length = 0;
    text->depth = 0;
    text->needs_comma[0] = false;
    text->failed = false;
}

bool json_writer_failed(const struct json_writer *text) {
    return text->failed;
}

// Room for `bytes` more; false when there is none.
static bool make_room(struct json_writer *text, size_t bytes) {
    if (text->failed) {
        return false;
    }
    if (text->capacity - text->length >= bytes) {
        return true;
    }
    size_t capacity = text->capacity < CAPACITY_MIN ? CAPACITY_MIN : text->capacity;
    while (capacity - text->length < bytes) {
        capacity *= 2;
    }
    char *grown = realloc(text->data, capacity);
    text->failed = grown == NULL;
    if (text->failed) {
        return false;
    }
    text->data = grown;
    text->capacity = capacity;
    return true;
}

static void append(struct json_writer *text, const char *bytes, size_t length) {
    memcpy(text->data + text->length, bytes, length);
    text->length += length;
}

// Before a value: the comma it may need, and room for it.
static bool reserve(struct json_writer *text, size_t bytes) {
    if (!make_room(text, bytes + 1)) {
        return false;
    }
    if (text->needs_comma[text->depth]) {
        text->data[text->length++] = ',';
    }
    text->needs_comma[text->depth] = true;
    return true;
}

static void open_container(struct json_writer *text, char bracket) {
    if (reserve(text, 1)) {
        assert(text->depth + 1 < JSON_WRITER_DEPTH_MAX);
        text->data[text->length++] = bracket;
        text->depth++;
        text->needs_comma[text->depth] = false;
    }
}

static void close_container(struct json_writer *text, char bracket) {
    if (make_room(text, 1)) {
        assert(text->depth > 0);
        text->data[text->length++] = bracket;
        text->depth--;
    }
}

void json_writer_open_object(struct json_writer *text) {
    open_container(text, '{');
}

void json_writer_close_object(struct json_writer *text) {
    close_container(text, '}');
}

void json_writer_open_array(struct json_writer *text) {
    open_container(text, '[');
}

void json_writer_close_array(struct json_writer *text) {
    close_container(text, ']');
}

// The escape of a character, or 0 characters when it needs none.
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

void json_writer_string(struct json_writer *text, const char *value) {
    size_t available = strlen(value);
    if (!reserve(text, available * 6 + 2)) { // no byte becomes longer than \u00xx
        return;
    }
    text->data[text->length++] = '"';
    for (size_t at = 0; at < available;) {
        char escaped[7];
        size_t bytes = utf8_read(value + at, available - at, NULL);
        size_t length = escape((unsigned char)value[at], escaped);
        if (length > 0) {
            append(text, escaped, length);
        } else if (bytes > 0) {
            append(text, value + at, bytes);
        } else {
            append(text, "\xEF\xBF\xBD", 3); // U+FFFD: a text that was cut within a character
        }
        at += bytes > 0 ? bytes : 1;
    }
    text->data[text->length++] = '"';
}

void json_writer_key(struct json_writer *text, const char *key) {
    json_writer_string(text, key);
    if (make_room(text, 1)) {
        text->data[text->length++] = ':';
        text->needs_comma[text->depth] = false;
    }
}

void json_writer_line(struct json_writer *text) {
    if (reserve(text, 1)) {
        text->data[text->length++] = '\n';
        text->needs_comma[text->depth] = false;
    }
}

void json_writer_raw(struct json_writer *text, const char *json, size_t length) {
    if (reserve(text, length)) {
        append(text, json, length);
    }
}

void json_writer_value(struct json_writer *text, const struct json_writer *value) {
    text->failed = text->failed || value->failed;
    json_writer_raw(text, value->data, value->length);
}

void json_writer_integer(struct json_writer *text, int64_t value) {
    char number[24];
    int length = snprintf(number, sizeof number, "%" PRId64, value);
    json_writer_raw(text, number, (size_t)length);
}

void json_writer_unsigned(struct json_writer *text, uint64_t value) {
    char number[24];
    int length = snprintf(number, sizeof number, "%" PRIu64, value);
    json_writer_raw(text, number, (size_t)length);
}

void json_writer_null(struct json_writer *text) {
    json_writer_raw(text, "null", 4);
}

void json_writer_boolean(struct json_writer *text, bool value) {
    json_writer_raw(text, value ? "true" : "false", value ? 4 : 5);
}

void json_writer_double(struct json_writer *text, double value) {
    char number[FLOAT_FORMAT_MAX];
    if (isfinite(value)) {
        json_writer_raw(text, number, float_format_double(value, number));
    } else {
        json_writer_null(text);
    }
}

void json_writer_float(struct json_writer *text, float value) {
    char number[FLOAT_FORMAT_MAX];
    if (isfinite(value)) {
        json_writer_raw(text, number, float_format_single(value, number));
    } else {
        json_writer_null(text);
    }
}

void json_writer_vec3(struct json_writer *text, struct vec3 value) {
    json_writer_open_array(text);
    json_writer_float(text, value.x);
    json_writer_float(text, value.y);
    json_writer_float(text, value.z);
    json_writer_close_array(text);
}

void json_writer_quat(struct json_writer *text, struct quat value) {
    json_writer_open_array(text);
    json_writer_float(text, value.x);
    json_writer_float(text, value.y);
    json_writer_float(text, value.z);
    json_writer_float(text, value.w);
    json_writer_close_array(text);
}

void json_writer_member_string(struct json_writer *text, const char *key, const char *value) {
    json_writer_key(text, key);
    json_writer_string(text, value);
}

void json_writer_member_unsigned(struct json_writer *text, const char *key, uint64_t value) {
    json_writer_key(text, key);
    json_writer_unsigned(text, value);
}

void json_writer_member_double(struct json_writer *text, const char *key, double value) {
    json_writer_key(text, key);
    json_writer_double(text, value);
}

void json_writer_member_float(struct json_writer *text, const char *key, float value) {
    json_writer_key(text, key);
    json_writer_float(text, value);
}

void json_writer_member_boolean(struct json_writer *text, const char *key, bool value) {
    json_writer_key(text, key);
    json_writer_boolean(text, value);
}

void json_writer_member_vec3(struct json_writer *text, const char *key, struct vec3 value) {
    json_writer_key(text, key);
    json_writer_vec3(text, value);
}
