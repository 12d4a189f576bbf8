// SPDX-License-Identifier: MIT
// Writes the text messages that go to a client: replies of JSON-RPC with a result or an error, and events.
#ifndef WEFT_PROTO_MESSAGE_RESPONSE_H
#define WEFT_PROTO_MESSAGE_RESPONSE_H

#include "base/result.h"
#include "proto/json/json_writer.h"
#include "proto/message/request.h"

// The code of the protocol for a cause: −32602 for RESULT_INVALID and so on.
int proto_error_code(enum result cause);

// Whole messages. `result` and `params` are one JSON value each; one that memory ran out for makes the message fail
// too.
void proto_write_reply(struct json_writer *out, const struct proto_id *id, const struct json_writer *result);
void proto_write_text_reply(struct json_writer *out, const struct proto_id *id, const char *result, size_t length);
void proto_write_error(struct json_writer *out, const struct proto_id *id, const struct fault *fault);
// An error message in two steps: between them the caller may add members to the error's data.
void proto_open_error(struct json_writer *out, const struct proto_id *id, const struct fault *fault);
void proto_close_error(struct json_writer *out);
void proto_write_event(struct json_writer *out, const char *method, const struct json_writer *params);

#endif
