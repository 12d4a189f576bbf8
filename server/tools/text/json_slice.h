// SPDX-License-Identifier: MIT
// JSON as text, checked and cut into slices, without conversion of its numbers: a server's reply is shown digit for
// digit, and a number that passed through a double could come out as another text. A slice is a part of another text:
// one JSON value without surrounding space. It is valid as long as that text.
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
    JSON_BROKEN,     // wrong, whatever follows
    JSON_UNFINISHED, // correct so far, but the text ends too early
};

// Checks that `text` is one JSON value (RFC 8259, valid UTF-8, at most JSON_DEPTH_MAX deep) and nothing else. `value`
// becomes that value; on failure `*wrong` becomes the offset of the first wrong byte. Either output may be NULL.
enum json_verdict json_check(const char *text, size_t length, struct json_slice *value, size_t *wrong);

// The functions below take slices of text that json_check found valid.

// Walks over the members of an object or the elements of an array; begin with `*at` 0. Returns false at the end. `name`
// is the member's name with its quotes; in an array it is empty.
bool json_next(struct json_slice container, size_t *at, struct json_slice *name, struct json_slice *value);
// Finds the member `name` of an object. Returns false when there is none, or when `object` is not an object.
bool json_member(struct json_slice object, const char *name, struct json_slice *value);
// Whether the slice equals `text`.
bool json_is(struct json_slice slice, const char *text);
// Returns the characters of a JSON string, which the caller frees; NULL when it is not a string or memory runs out.
char *json_string(struct json_slice slice);

#endif
