// SPDX-License-Identifier: MIT
// Reads parts of a message as they were written, without parsing it: one pass, no allocation.
#ifndef WEFT_PROTO_MESSAGE_PEEK_H
#define WEFT_PROTO_MESSAGE_PEEK_H

#include "proto/json/slice.h"
#include "proto/message/request.h"

// Reads the id of a request that is refused without being parsed. The id is a complete JSON string, number or null that
// can be repeated in a reply. For a valid message the id is the one that proto_request_parse gives; for an invalid one
// it may be JSON null.
void proto_peek_id(const char *text, size_t length, struct proto_id *id);

// Finds the elements of an array, which may be cut off; returns their number, or `most` + 1 when there are more.
size_t proto_peek_elements(const char *text, size_t length, struct proto_slice *elements, size_t most);

// The value of one member of the outermost object, counted from 0. The text must have passed `json_check_compact`.
struct proto_slice proto_peek_value(const char *text, size_t length, size_t member);

// A place in a text: line and character, both counted from 1.
struct proto_place {
    uint32_t line, column; // line 0: unknown
};
struct proto_place proto_place_of(const char *text, size_t length, size_t byte);
// The byte at which the value of a JSON pointer begins, or the nearest value above it that exists. The text must have
// passed `json_check_compact`.
size_t proto_peek_pointer(const char *text, size_t length, const char *pointer);

#endif
