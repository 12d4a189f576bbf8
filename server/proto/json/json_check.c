// SPDX-License-Identifier: MIT
// The check is one pass over the bytes, without recursion, that copies everything but spaces into the compact text.
//
// Duplicate members are found when an object ends: its unescaped names are sorted and neighbours compared, so that an
// object of n members takes O(n log n) whatever names a client chooses.
#include "proto/json/json_check.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

// Longer numbers are rewritten: cJSON reads no more than 63 characters.
#define NUMBER_MAX 60u

struct member {
    const char *name; // unescaped, in the text or in the arena
    size_t length;
    size_t start; // byte in the text, for the message
};

struct scanner {
    const char *text;
    size_t length, at;
    char *out;
    size_t out_length;
    uint32_t values;
    uint32_t depth;
    bool in_object[JSON_CHECK_DEPTH_MAX];
    size_t first_member[JSON_CHECK_DEPTH_MAX]; // of the object at that depth, in `members`
    struct member *members;                    // of all open objects
    size_t member_count, member_capacity;
    struct arena *arena;
    struct fault *fault;
};

static enum result note_byte(const struct scanner *scan, size_t at) {
    if (scan->fault != NULL) {
        scan->fault->byte = (uint32_t)at + 1;
    }
    return RESULT_PARSE;
}

static enum result refuse(const struct scanner *scan, size_t at, const char *reason) {
    (void)fault_set(scan->fault, RESULT_PARSE, "", "not valid JSON: %s at byte %zu", reason, at);
    return note_byte(scan, at);
}

static enum result out_of_memory(const struct scanner *scan) {
    return fault_set(scan->fault, RESULT_MEMORY, "", "out of memory while reading the message");
}

static int peek(const struct scanner *scan) {
    return scan->at < scan->length ? (unsigned char)scan->text[scan->at] : -1;
}

static void copy(struct scanner *scan, size_t from) {
    memcpy(scan->out + scan->out_length, scan->text + from, scan->at - from);
    scan->out_length += scan->at - from;
}

static void skip_space(struct scanner *scan) {
    int c = peek(scan);
    while (c == ' ' || c == '\n' || c == '\r' || c == '\t') {
        scan->at++;
        c = peek(scan);
    }
}

// Moves past one character of structure, or refuses the text when another character stands there.
static enum result expect(struct scanner *scan, char wanted, const char *reason) {
    skip_space(scan);
    if (peek(scan) != wanted) {
        return refuse(scan, scan->at, peek(scan) < 0 ? "it ends too early" : reason);
    }
    scan->out[scan->out_length++] = wanted;
    scan->at++;
    return RESULT_OK;
}

// ---- strings ------------------------------------------------------------------------------------------------------

// The value of four hexadecimal digits, or −1.
static int32_t read_hex(const char *text, size_t available) {
    if (available < 4) {
        return -1;
    }
    int32_t value = 0;
    for (int i = 0; i < 4; i++) {
        char c = text[i];
        int32_t digit = c >= '0' && c <= '9'   ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
        if (digit < 0) {
            return -1;
        }
        value = value * 16 + digit;
    }
    return value;
}

// The character of the escape that begins at the backslash; `bytes` is its length in the text. −1 when the escape is
// invalid.
static int32_t read_escape(const char *text, size_t available, size_t *bytes) {
    static const char letters[] = "\"\\/bfnrt", characters[] = "\"\\/\b\f\n\r\t";
    const char *letter = available > 1 && text[1] != '\0' ? strchr(letters, text[1]) : NULL;
    if (letter != NULL) {
        *bytes = 2;
        return characters[letter - letters];
    }
    if (available < 6 || text[1] != 'u') {
        return -1;
    }
    int32_t high = read_hex(text + 2, available - 2);
    *bytes = 6;
    if (high < 0xD800 || high > 0xDFFF) {
        return high;
    }
    if (high > 0xDBFF || available < 12 || text[6] != '\\' || text[7] != 'u') {
        return -1; // half a surrogate pair
    }
    int32_t low = read_hex(text + 8, available - 8);
    *bytes = 12;
    return low < 0xDC00 || low > 0xDFFF ? -1 : 0x10000 + (high - 0xD800) * 0x400 + (low - 0xDC00);
}

static enum result scan_string(struct scanner *scan, bool *escaped) {
    size_t start = scan->at++;
    *escaped = false;
    for (int c = peek(scan); c != '"'; c = peek(scan)) {
        if (c < 0) {
            return refuse(scan, start, "a string without end");
        }
        if (c < 0x20) {
            return refuse(scan, scan->at, "a control character in a string");
        }
        size_t bytes = 1;
        if (c == '\\') {
            int32_t character = read_escape(scan->text + scan->at, scan->length - scan->at, &bytes);
            if (character <= 0) {
                return refuse(scan, scan->at, character == 0 ? "\\u0000 in a string" : "a wrong escape");
            }
            *escaped = true;
        } else if (c >= 0x80) {
            bytes = utf8_read(scan->text + scan->at, scan->length - scan->at, NULL);
            if (bytes == 0) {
                return refuse(scan, scan->at, "bytes that are not UTF-8");
            }
        }
        scan->at += bytes;
    }
    scan->at++;
    copy(scan, start);
    return RESULT_OK;
}

// Replaces the escapes of a checked name. The result is never longer than the name as it was written.
static enum result unescape(struct scanner *scan, struct member *member) {
    char *plain = arena_take(scan->arena, member->length);
    if (plain == NULL) {
        return out_of_memory(scan);
    }
    size_t length = 0;
    for (size_t i = 0; i < member->length;) {
        if (member->name[i] == '\\') {
            size_t bytes = 0;
            int32_t character = read_escape(member->name + i, member->length - i, &bytes);
            length += utf8_write((uint32_t)character, plain + length);
            i += bytes;
        } else {
            plain[length++] = member->name[i++];
        }
    }
    member->name = plain;
    member->length = length;
    return RESULT_OK;
}

// ---- members ------------------------------------------------------------------------------------------------------

static enum result remember(struct scanner *scan, const struct member *member) {
    if (scan->member_count == scan->member_capacity) {
        size_t capacity = scan->member_capacity == 0 ? 64 : scan->member_capacity * 2;
        struct member *grown = realloc(scan->members, capacity * sizeof *grown);
        if (grown == NULL) {
            return out_of_memory(scan);
        }
        scan->members = grown;
        scan->member_capacity = capacity;
    }
    scan->members[scan->member_count++] = *member;
    return RESULT_OK;
}

static enum result scan_member(struct scanner *scan) {
    skip_space(scan);
    if (peek(scan) != '"') {
        return refuse(scan, scan->at, peek(scan) < 0 ? "it ends too early" : "no member name where one is due");
    }
    size_t start = scan->at;
    bool escaped = false;
    enum result result = scan_string(scan, &escaped);
    if (result != RESULT_OK) {
        return result;
    }
    struct member member = {scan->text + start + 1, scan->at - start - 2, start};
    if (escaped) {
        result = unescape(scan, &member);
    }
    if (result == RESULT_OK) {
        result = remember(scan, &member);
    }
    return result == RESULT_OK ? expect(scan, ':', "no colon after a member name") : result;
}

static int compare_members(const void *left, const void *right) {
    const struct member *a = left, *b = right;
    if (a->length != b->length) {
        return a->length < b->length ? -1 : 1;
    }
    return memcmp(a->name, b->name, a->length);
}

// Refuses an object that ends here and has a name twice; its members are then dropped from `members`.
static enum result finish_object(struct scanner *scan) {
    size_t first = scan->first_member[scan->depth - 1];
    struct member *members = scan->members + first;
    size_t count = scan->member_count - first;
    scan->member_count = first;
    if (count < 2) {
        return RESULT_OK;
    }
    qsort(members, count, sizeof *members, compare_members);
    for (size_t i = 1; i < count; i++) {
        if (compare_members(&members[i - 1], &members[i]) == 0) {
            size_t at = members[i].start > members[i - 1].start ? members[i].start : members[i - 1].start;
            return refuse(scan, at, "a member that its object has already");
        }
    }
    return RESULT_OK;
}

// ---- numbers and words --------------------------------------------------------------------------------------------

static size_t skip_digits(struct scanner *scan) {
    size_t start = scan->at;
    while (peek(scan) >= '0' && peek(scan) <= '9') {
        scan->at++;
    }
    return scan->at - start;
}

// Moves over −?(0|[1-9][0-9]*)(.[0-9]+)?([eE][+-]?[0-9]+)?; false when the text is no such number.
static bool skip_number(struct scanner *scan, bool *exponent) {
    scan->at += peek(scan) == '-';
    bool zero = peek(scan) == '0';
    size_t digits = skip_digits(scan);
    if (digits == 0 || (zero && digits > 1)) {
        return false;
    }
    if (peek(scan) == '.') {
        scan->at++;
        if (skip_digits(scan) == 0) {
            return false;
        }
    }
    *exponent = peek(scan) == 'e' || peek(scan) == 'E';
    if (*exponent) {
        scan->at++;
        scan->at += peek(scan) == '-' || peek(scan) == '+';
        return skip_digits(scan) > 0;
    }
    return true;
}

static enum result scan_number(struct scanner *scan) {
    size_t start = scan->at;
    bool exponent = false;
    if (!skip_number(scan, &exponent)) {
        return refuse(scan, start, "a wrong number");
    }
    size_t length = scan->at - start;
    if (!exponent && length <= NUMBER_MAX) {
        copy(scan, start);
        return RESULT_OK;
    }
    // This case is rare. strtod gets a terminated copy, because the text itself is not terminated.
    char *number = arena_take(scan->arena, length + 1);
    if (number == NULL) {
        return out_of_memory(scan);
    }
    memcpy(number, scan->text + start, length);
    number[length] = '\0';
    double value = strtod(number, NULL);
    if (!isfinite(value)) {
        return refuse(scan, start, "a number that is too large");
    }
    if (length <= NUMBER_MAX) {
        copy(scan, start);
    } else {
        int written = snprintf(scan->out + scan->out_length, length, "%.17g", value);
        scan->out_length += (size_t)written;
    }
    return RESULT_OK;
}

static enum result scan_word(struct scanner *scan) {
    static const char *const words[] = {"true", "false", "null"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i]);
        if (scan->length - scan->at >= length && memcmp(scan->text + scan->at, words[i], length) == 0) {
            scan->at += length;
            copy(scan, scan->at - length);
            return RESULT_OK;
        }
    }
    return refuse(scan, scan->at, peek(scan) < 0 ? "it ends too early" : "no value where one is due");
}

// ---- structure ----------------------------------------------------------------------------------------------------

static enum result scan_scalar(struct scanner *scan) {
    int c = peek(scan);
    if (c == '"') {
        bool escaped = false;
        return scan_string(scan, &escaped);
    }
    return c == '-' || (c >= '0' && c <= '9') ? scan_number(scan) : scan_word(scan);
}

static void close_container(struct scanner *scan, char end) {
    scan->out[scan->out_length++] = end;
    scan->at++;
    scan->depth--;
}

// Opens an object or array; `empty` tells whether it closes at once.
static enum result open_container(struct scanner *scan, bool object, bool *empty) {
    if (scan->depth == JSON_CHECK_DEPTH_MAX) {
        (void)fault_set(scan->fault, RESULT_PARSE, "", "nested deeper than %u at byte %zu", JSON_CHECK_DEPTH_MAX,
                        scan->at);
        return note_byte(scan, scan->at);
    }
    scan->in_object[scan->depth] = object;
    scan->first_member[scan->depth] = scan->member_count;
    scan->depth++;
    scan->out[scan->out_length++] = scan->text[scan->at++];
    skip_space(scan);
    char end = object ? '}' : ']';
    *empty = peek(scan) == end;
    if (*empty) {
        close_container(scan, end);
        return RESULT_OK;
    }
    return object ? scan_member(scan) : RESULT_OK;
}

// After a value: closes the containers that end here, or moves to the beginning of the next value.
static enum result after_value(struct scanner *scan) {
    while (scan->depth > 0) {
        bool object = scan->in_object[scan->depth - 1];
        skip_space(scan);
        if (peek(scan) != (object ? '}' : ']')) {
            enum result result =
                expect(scan, ',', object ? "no comma or } after a member" : "no comma or ] after an item");
            return result == RESULT_OK && object ? scan_member(scan) : result;
        }
        if (object) {
            enum result result = finish_object(scan);
            if (result != RESULT_OK) {
                return result;
            }
        }
        close_container(scan, object ? '}' : ']');
    }
    return RESULT_OK;
}

static enum result scan_text(struct scanner *scan) {
    do {
        skip_space(scan);
        if (++scan->values > JSON_CHECK_VALUES_MAX) {
            return fault_set(scan->fault, RESULT_LIMIT, "", "a message holds at most %u values", JSON_CHECK_VALUES_MAX);
        }
        int c = peek(scan);
        bool closed = true;
        enum result result = c == '{' || c == '[' ? open_container(scan, c == '{', &closed) : scan_scalar(scan);
        if (result == RESULT_OK && closed) {
            result = after_value(scan);
        }
        if (result != RESULT_OK) {
            return result;
        }
    } while (scan->depth > 0);
    skip_space(scan);
    return scan->at == scan->length ? RESULT_OK : refuse(scan, scan->at, "something after the end");
}

enum result json_check_compact(const char *text, size_t length, struct arena *arena, const char **compact,
                               size_t *compact_length, struct fault *fault) {
    if (length > JSON_CHECK_BYTES_MAX) {
        return fault_set(fault, RESULT_LIMIT, "", "a message has at most %zu bytes, this one has %zu",
                         JSON_CHECK_BYTES_MAX, length);
    }
    struct scanner scan = {.text = text, .length = length, .arena = arena, .fault = fault};
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        return refuse(&scan, 0, "a byte-order mark");
    }
    scan.out = arena_take(arena, length + 1);
    if (scan.out == NULL) {
        return out_of_memory(&scan);
    }
    enum result result = scan_text(&scan);
    free(scan.members);
    if (result == RESULT_OK) {
        scan.out[scan.out_length] = '\0';
        *compact = scan.out;
        *compact_length = scan.out_length;
    }
    return result;
}
