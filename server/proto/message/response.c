// SPDX-License-Identifier: MIT
// The envelopes of replies and events, and the table of error codes.
#include "proto/message/response.h"

#include <assert.h>
#include <string.h>

int proto_error_code(enum result cause) {
    static const enum proto_error codes[RESULT_COUNT] = {
        [RESULT_OK] = PROTO_ERROR_INTERNAL, // is no error and must not be asked for
        [RESULT_PARSE] = PROTO_ERROR_PARSE,         [RESULT_REQUEST] = PROTO_ERROR_REQUEST,
        [RESULT_METHOD] = PROTO_ERROR_METHOD,       [RESULT_INVALID] = PROTO_ERROR_INVALID,
        [RESULT_BUSY] = PROTO_ERROR_BUSY,           [RESULT_DENIED] = PROTO_ERROR_DENIED,
        [RESULT_NOT_FOUND] = PROTO_ERROR_NOT_FOUND, [RESULT_LIMIT] = PROTO_ERROR_LIMIT,
        [RESULT_STATE] = PROTO_ERROR_STATE,         [RESULT_RATE] = PROTO_ERROR_RATE,
        [RESULT_FROZEN] = PROTO_ERROR_FROZEN,       [RESULT_MEMORY] = PROTO_ERROR_INTERNAL,
        [RESULT_IO] = PROTO_ERROR_INTERNAL,         [RESULT_DAMAGED] = PROTO_ERROR_INTERNAL,
    };
    _Static_assert(RESULT_COUNT == 15, "a cause was added: give it a code");
    assert(cause < RESULT_COUNT);
    return (int)codes[cause];
}

static void open_message(struct json_writer *out) {
    json_writer_open_object(out);
    json_writer_member_string(out, "jsonrpc", "2.0");
}

static void write_id(struct json_writer *out, const struct proto_id *id) {
    json_writer_key(out, "id");
    json_writer_raw(out, id->text, strlen(id->text));
}

static void open_reply(struct json_writer *out, const struct proto_id *id) {
    open_message(out);
    write_id(out, id);
    json_writer_key(out, "result");
}

void proto_write_reply(struct json_writer *out, const struct proto_id *id, const struct json_writer *result) {
    open_reply(out, id);
    json_writer_value(out, result);
    json_writer_close_object(out);
}

void proto_write_text_reply(struct json_writer *out, const struct proto_id *id, const char *result, size_t length) {
    open_reply(out, id);
    json_writer_raw(out, result, length);
    json_writer_close_object(out);
}

void proto_open_error(struct json_writer *out, const struct proto_id *id, const struct fault *fault) {
    open_message(out);
    write_id(out, id);
    json_writer_key(out, "error");
    json_writer_open_object(out);
    json_writer_key(out, "code");
    json_writer_integer(out, proto_error_code(fault->cause));
    json_writer_member_string(out, "message", fault->message);
    json_writer_key(out, "data");
    json_writer_open_object(out);
    json_writer_member_string(out, "pointer", fault->pointer);
    if (fault->suggestion[0] != '\0') {
        json_writer_member_string(out, "suggestion", fault->suggestion);
    }
    if (fault->retry_after_ms > 0) {
        json_writer_member_unsigned(out, "retryAfterMs", fault->retry_after_ms);
    }
}

void proto_close_error(struct json_writer *out) {
    json_writer_close_object(out);
    json_writer_close_object(out);
    json_writer_close_object(out);
}

void proto_write_error(struct json_writer *out, const struct proto_id *id, const struct fault *fault) {
    proto_open_error(out, id, fault);
    proto_close_error(out);
}

void proto_write_event(struct json_writer *out, const char *method, const struct json_writer *params) {
    open_message(out);
    json_writer_member_string(out, "method", method);
    json_writer_key(out, "params");
    json_writer_value(out, params);
    json_writer_close_object(out);
}
