// SPDX-License-Identifier: MIT
// The id of a request that is not worth parsing: one that is refused whatever it says. One pass, no memory; what it
// finds is a whole JSON string, number or null, fit to be repeated in an answer.
#ifndef WEFT_PROTO_PEEK_H
#define WEFT_PROTO_PEEK_H

#include "proto/request.h"

// As proto_request_parse would give it for a sound message; of one that is not, perhaps JSON null.
void proto_peek_id(const char *text, size_t length, struct proto_id *id);

#endif
