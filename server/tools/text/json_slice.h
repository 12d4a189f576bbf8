// SPDX-License-Identifier: MIT
// JSON as text: checked, cut into slices and laid out anew without ever being turned into numbers.
//
// What a server says is shown digit for digit: a value that went through a double could come out as another text. So
// replies are never parsed into a tree here; a slice is a stretch of somebody else's text, one JSON value without the
// space around it, and lives as long as that text.
#ifndef WEFT_TOOLS_TEXT_JSON_SLICE_H
#define WEFT_TOOLS_TEXT_JSON_SLICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define JSON_DEPTH_MAX 64

struct json_slice {
    const char *text;
    size_t length;
};

enum json_verdict {
    JSON_VALID,
    JSON_BROKEN,     // wrong, whatever may follow
    JSON_UNFINISHED, // right so far: the text ends too early
};

// Is `text` one JSON value (RFC 8259, valid UTF-8, at most JSON_DEPTH_MAX deep) and nothing else? `value` is then that
// value; otherwise `*wrong` is the offset of the first byte that does not fit. Either output may be NULL.
enum json_verdict json_check(const char *text, size_t length, struct json_slice *value, size_t *wrong);

// The functions below take slices of text that json_check found valid.

// Walks an object's members or an array's elements: start with the container and `*at` 0; false at the end. `name` is
// the member's name with its quotes, empty in an array.
bool json_next(struct json_slice container, size_t *at, struct json_slice *name, struct json_slice *value);
// The member `name` of an object; false when it is no object or has none.
bool json_member(struct json_slice object, const char *name, struct json_slice *value);
// Is `slice` this very text?
bool json_is(struct json_slice slice, const char *text);
// The string that a JSON string stands for; NULL when it is no string or memory is out. The caller frees it.
char *json_string(struct json_slice slice);

#endif
