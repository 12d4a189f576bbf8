// SPDX-License-Identifier: MIT
// The JSON writer. Every value passes `reserve`, which puts the comma and makes room; after a failed allocation all
// further calls do nothing.
#include "proto/text.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "proto/real.h"
#include "proto/utf8.h"

#define CAPACITY_MIN 256u

void proto_text_init(struct proto_text *text) {
    memset(text, 0, sizeof *text);
}

void proto_text_free(struct proto_text *text) {
    free(text->data);
    memset(text, 0, sizeof *text);
}

void proto_text_clear(struct proto_text *text) {
    text->length = 0;
    text->depth = 0;
    text->needs_comma[0] = false;
    text->failed = false;
}

bool proto_text_failed(const struct proto_text *text) {
    return text->failed;
}

// Room for `bytes` more; false when there is none.
static bool make_room(struct proto_text *text, size_t bytes) {
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

static void append(struct proto_text *text, const char *bytes, size_t length) {
    memcpy(text->data + text->length, bytes, length);
    text->length += length;
}

// Before a value: the comma it may need, and room for it.
static bool reserve(struct proto_text *text, size_t bytes) {
    if (!make_room(text, bytes + 1)) {
        return false;
    }
    if (text->needs_comma[text->depth]) {
        text->data[text->length++] = ',';
    }
    text->needs_comma[text->depth] = true;
    return true;
}

static void open_container(struct proto_text *text, char bracket) {
    if (reserve(text, 1)) {
        assert(text->depth + 1 < PROTO_TEXT_DEPTH_MAX);
        text->data[text->length++] = bracket;
        text->depth++;
        text->needs_comma[text->depth] = false;
    }
}

static void close_container(struct proto_text *text, char bracket) {
    if (make_room(text, 1)) {
        assert(text->depth > 0);
        text->data[text->length++] = bracket;
        text->depth--;
    }
}

void proto_text_open_object(struct proto_text *text) {
    open_container(text, '{');
}

void proto_text_close_object(struct proto_text *text) {
    close_container(text, '}');
}

void proto_text_open_array(struct proto_text *text) {
    open_container(text, '[');
}

void proto_text_close_array(struct proto_text *text) {
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

void proto_text_string(struct proto_text *text, const char *value) {
    size_t available = strlen(value);
    if (!reserve(text, available * 6 + 2)) { // no byte becomes longer than \u00xx
        return;
    }
    text->data[text->length++] = '"';
    for (size_t at = 0; at < available;) {
        char escaped[7];
        size_t bytes = proto_utf8_read(value + at, available - at, NULL);
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

void proto_text_key(struct proto_text *text, const char *key) {
    proto_text_string(text, key);
    if (make_room(text, 1)) {
        text->data[text->length++] = ':';
        text->needs_comma[text->depth] = false;
    }
}

void proto_text_line(struct proto_text *text) {
    if (reserve(text, 1)) {
        text->data[text->length++] = '\n';
        text->needs_comma[text->depth] = false;
    }
}

void proto_text_raw(struct proto_text *text, const char *json, size_t length) {
    if (reserve(text, length)) {
        append(text, json, length);
    }
}

void proto_text_value(struct proto_text *text, const struct proto_text *value) {
    text->failed = text->failed || value->failed;
    proto_text_raw(text, value->data, value->length);
}

void proto_text_integer(struct proto_text *text, int64_t value) {
    char number[24];
    int length = snprintf(number, sizeof number, "%" PRId64, value);
    proto_text_raw(text, number, (size_t)length);
}

void proto_text_unsigned(struct proto_text *text, uint64_t value) {
    char number[24];
    int length = snprintf(number, sizeof number, "%" PRIu64, value);
    proto_text_raw(text, number, (size_t)length);
}

void proto_text_null(struct proto_text *text) {
    proto_text_raw(text, "null", 4);
}

void proto_text_boolean(struct proto_text *text, bool value) {
    proto_text_raw(text, value ? "true" : "false", value ? 4 : 5);
}

void proto_text_real(struct proto_text *text, double value) {
    char number[PROTO_REAL_MAX];
    if (isfinite(value)) {
        proto_text_raw(text, number, proto_real64_write(value, number));
    } else {
        proto_text_null(text);
    }
}

void proto_text_real32(struct proto_text *text, float value) {
    char number[PROTO_REAL_MAX];
    if (isfinite(value)) {
        proto_text_raw(text, number, proto_real32_write(value, number));
    } else {
        proto_text_null(text);
    }
}

void proto_text_vec3(struct proto_text *text, struct vec3 value) {
    proto_text_open_array(text);
    proto_text_real32(text, value.x);
    proto_text_real32(text, value.y);
    proto_text_real32(text, value.z);
    proto_text_close_array(text);
}

void proto_text_quat(struct proto_text *text, struct quat value) {
    proto_text_open_array(text);
    proto_text_real32(text, value.x);
    proto_text_real32(text, value.y);
    proto_text_real32(text, value.z);
    proto_text_real32(text, value.w);
    proto_text_close_array(text);
}

void proto_text_member_string(struct proto_text *text, const char *key, const char *value) {
    proto_text_key(text, key);
    proto_text_string(text, value);
}

void proto_text_member_unsigned(struct proto_text *text, const char *key, uint64_t value) {
    proto_text_key(text, key);
    proto_text_unsigned(text, value);
}

void proto_text_member_real(struct proto_text *text, const char *key, double value) {
    proto_text_key(text, key);
    proto_text_real(text, value);
}

void proto_text_member_real32(struct proto_text *text, const char *key, float value) {
    proto_text_key(text, key);
    proto_text_real32(text, value);
}

void proto_text_member_boolean(struct proto_text *text, const char *key, bool value) {
    proto_text_key(text, key);
    proto_text_boolean(text, value);
}

void proto_text_member_vec3(struct proto_text *text, const char *key, struct vec3 value) {
    proto_text_key(text, key);
    proto_text_vec3(text, value);
}
