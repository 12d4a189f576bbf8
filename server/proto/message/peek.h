// SPDX-License-Identifier: MIT
// What a message says, as it was written, without parsing it. One pass, no memory.
#ifndef WEFT_PROTO_MESSAGE_PEEK_H
#define WEFT_PROTO_MESSAGE_PEEK_H

#include "proto/json/slice.h"
#include "proto/message/request.h"

// The id of a request that is not worth parsing: one that is refused whatever it says. It is a whole JSON string,
// number or null, fit to be repeated in an answer. As proto_request_parse would give it for a sound message; of one
// that is not, perhaps JSON null.
void proto_peek_id(const char *text, size_t length, struct proto_id *id);

// The elements of an array, as far as it goes; returns how many there are, `most` + 1 if they are more.
size_t proto_peek_elements(const char *text, size_t length, struct proto_slice *elements, size_t most);

// The value of one member of the outermost object, counted from 0; the text must have passed `json_check_compact`.
struct proto_slice proto_peek_value(const char *text, size_t length, size_t member);

// Where something stands in a text: lines and characters, both counted from 1.
struct proto_place {
    uint32_t line, column; // line 0: nowhere
};
struct proto_place proto_place_of(const char *text, size_t length, size_t byte);
// The byte at which the value begins that a JSON pointer leads to, or where there is none, the one above it. The text
// must have passed `json_check_compact`.
size_t proto_peek_pointer(const char *text, size_t length, const char *pointer);

#endif
