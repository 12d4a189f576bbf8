// SPDX-License-Identifier: MIT
// The members of the outermost object are visited one by one; their values are skipped by counting brackets outside of
// strings.
#include "proto/message/peek.h"

#include <string.h>

#include "base/utf8.h"

struct reader {
    const char *text;
    size_t length, at;
};

static int peek(const struct reader *in) {
    return in->at < in->length ? (unsigned char)in->text[in->at] : -1;
}

static int skip_space(struct reader *in) {
    while (peek(in) == ' ' || peek(in) == '\n' || peek(in) == '\r' || peek(in) == '\t') {
        in->at++;
    }
    return peek(in);
}

// Moves past the string that begins here; false when it has no end.
static bool skip_string(struct reader *in) {
    for (in->at++; in->at < in->length && in->text[in->at] != '"'; in->at++) {
        in->at += in->text[in->at] == '\\';
    }
    in->at++;
    return in->at <= in->length;
}

// Moves past a value; false when it has no end.
static bool skip_value(struct reader *in) {
    size_t depth = 0;
    while (in->at < in->length) {
        const char c = in->text[in->at];
        if (c == '"') {
            if (!skip_string(in)) {
                return false;
            }
            continue;
        }
        if (depth == 0 && (c == ',' || c == '}' || c == ']')) {
            return true;
        }
        depth += c == '{' || c == '[';
        depth -= c == '}' || c == ']';
        in->at++;
    }
    return false;
}

// Whether the text is a string of RFC 8259, quotes included.
static bool is_string(const char *text, size_t length) {
    if (length < 2 || text[0] != '"' || text[length - 1] != '"') {
        return false;
    }
    for (size_t at = 1; at + 1 < length;) {
        const unsigned char c = (unsigned char)text[at];
        if (c < 0x20 || c == '"') {
            return false;
        }
        if (c == '\\') {
            if (text[at + 1] == '\0' || strchr("\"\\/bfnrt", text[at + 1]) ==
                                            NULL) { // \u is refused, since surrogates would have to be checked
                return false;
            }
            at += 2;
            continue;
        }
        const size_t bytes = utf8_read(text + at, length - 1 - at, NULL);
        if (bytes == 0) {
            return false;
        }
        at += bytes;
    }
    return true;
}

static size_t count_digits(const char *text, size_t length) {
    size_t digits = 0;
    while (digits < length && text[digits] >= '0' && text[digits] <= '9') {
        digits++;
    }
    return digits;
}

// Whether the text is −?(0|[1-9][0-9]*)(.[0-9]+)?. Exponents are refused, since their range would have to be checked.
static bool is_number(const char *text, size_t length) {
    const size_t sign = length > 0 && text[0] == '-';
    const size_t whole = count_digits(text + sign, length - sign);
    if (whole == 0 || (whole > 1 && text[sign] == '0')) {
        return false;
    }
    const size_t at = sign + whole;
    if (at == length) {
        return true;
    }
    return text[at] == '.' && at + 1 < length && count_digits(text + at + 1, length - at - 1) == length - at - 1;
}

static size_t without_space(const char *text, size_t length) {
    while (length > 0 && (text[length - 1] == ' ' || text[length - 1] == '\n' || text[length - 1] == '\r' ||
                          text[length - 1] == '\t')) {
        length--;
    }
    return length;
}

static void keep(struct proto_id *id, struct proto_slice value) {
    if (value.length < PROTO_ID_MAX && (is_string(value.text, value.length) || is_number(value.text, value.length))) {
        memcpy(id->text, value.text, value.length);
        id->text[value.length] = '\0';
    }
}

// Moves from the brace or comma before a member past its value; false when there is no complete member.
static bool next_member(struct reader *in, struct proto_slice *name, struct proto_slice *value) {
    in->at++;
    if (skip_space(in) != '"') {
        return false;
    }
    size_t start = in->at;
    if (!skip_string(in)) {
        return false;
    }
    *name = (struct proto_slice){in->text + start, in->at - start};
    if (skip_space(in) != ':') {
        return false;
    }
    in->at++;
    (void)skip_space(in);
    start = in->at;
    if (!skip_value(in)) {
        return false;
    }
    *value = (struct proto_slice){in->text + start, without_space(in->text + start, in->at - start)};
    return true;
}

void proto_peek_id(const char *text, size_t length, struct proto_id *id) {
    struct reader in = {text, length, 0};
    struct proto_slice name, value;
    *id = (struct proto_id){.present = true, .text = "null"};
    if (skip_space(&in) != '{') {
        return;
    }
    do {
        if (!next_member(&in, &name, &value)) {
            return;
        }
        if (name.length == 4 && memcmp(name.text, "\"id\"", 4) == 0) {
            keep(id, value);
            return;
        }
    } while (peek(&in) == ',');
    id->present = peek(&in) != '}'; // a complete object without an id is a notification
}

size_t proto_peek_elements(const char *text, size_t length, struct proto_slice *elements, size_t most) {
    struct reader in = {text, length, 0};
    size_t count = 0;
    if (skip_space(&in) != '[') {
        return 0;
    }
    do {
        in.at++;
        if (skip_space(&in) == ']') {
            return count;
        }
        const size_t start = in.at;
        if (!skip_value(&in) || count == most) {
            return count + (count == most);
        }
        elements[count++] = (struct proto_slice){text + start, without_space(text + start, in.at - start)};
    } while (peek(&in) == ',');
    return count;
}

struct proto_slice proto_peek_value(const char *text, size_t length, size_t member) {
    struct reader in = {text, length, 0};
    struct proto_slice name, value = {0};
    (void)skip_space(&in);
    for (size_t i = 0; i <= member; i++) {
        (void)next_member(&in, &name, &value);
    }
    return value;
}

// ---- places ------------------------------------------------------------------------------------------------------

struct proto_place proto_place_of(const char *text, size_t length, size_t byte) {
    struct proto_place place = {1, 1};
    for (size_t at = 0; at < byte && at < length; at++) {
        if (text[at] == '\n') {
            place.line++;
            place.column = 1;
        } else {
            place.column += ((unsigned char)text[at] & 0xC0u) != 0x80u; // the first byte of a character
        }
    }
    return place;
}

// Whether a member's name, as it was written, is this part of a pointer. Names with escapes never match.
static bool is_part(struct proto_slice name, const char *part, size_t length) {
    return name.length == length + 2 && memcmp(name.text + 1, part, length) == 0;
}

// Moves from a container to the value that this part of a pointer names; false when there is none.
static bool enter_part(struct reader *in, const char *part, size_t length) {
    const bool object = peek(in) == '{';
    size_t index = 0;
    for (size_t i = 0; i < length && !object; i++) {
        if (part[i] < '0' || part[i] > '9') {
            return false;
        }
        index = 10 * index + (size_t)(part[i] - '0');
    }
    if (!object && peek(in) != '[') {
        return false;
    }
    for (size_t at = 0;; at++) {
        struct proto_slice name = {0};
        struct proto_slice value = {0};
        struct reader before = *in;
        if (object) {
            if (!next_member(in, &name, &value)) {
                return false;
            }
        } else {
            in->at++;
            if (skip_space(in) == ']') {
                return false;
            }
            value.text = in->text + in->at;
            if (!skip_value(in)) {
                return false;
            }
        }
        if (object ? is_part(name, part, length) : at == index) {
            before.at = (size_t)(value.text - in->text);
            *in = before;
            return true;
        }
        if (peek(in) != ',') {
            return false;
        }
    }
}

size_t proto_peek_pointer(const char *text, size_t length, const char *pointer) {
    struct reader in = {text, length, 0};
    (void)skip_space(&in);
    while (*pointer == '/') {
        const char *part = pointer + 1;
        const size_t part_length = strcspn(part, "/");
        struct reader inner = in;
        if (!enter_part(&inner, part, part_length)) {
            break;
        }
        in = inner;
        pointer = part + part_length;
    }
    return in.at;
}
