// SPDX-License-Identifier: MIT
// What goes back as text: the codes of the causes, replies, errors and events.
#include <assert.h>
#include <string.h>

#include "proto/request.h"
#include "proto/text.h"

int proto_error_code(enum result cause) {
    static const enum proto_error codes[RESULT_COUNT] = {
        [RESULT_OK] = PROTO_ERROR_INTERNAL, // no error: asking is a mistake
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

static void open_message(struct proto_text *out) {
    proto_text_open_object(out);
    proto_text_member_string(out, "jsonrpc", "2.0");
}

static void write_id(struct proto_text *out, const struct proto_id *id) {
    proto_text_key(out, "id");
    proto_text_raw(out, id->text, strlen(id->text));
}

void proto_write_reply(struct proto_text *out, const struct proto_id *id, const char *result, size_t length) {
    open_message(out);
    write_id(out, id);
    proto_text_key(out, "result");
    proto_text_raw(out, result, length);
    proto_text_close_object(out);
}

void proto_open_error(struct proto_text *out, const struct proto_id *id, const struct fault *fault) {
    open_message(out);
    write_id(out, id);
    proto_text_key(out, "error");
    proto_text_open_object(out);
    proto_text_key(out, "code");
    proto_text_integer(out, proto_error_code(fault->cause));
    proto_text_member_string(out, "message", fault->message);
    proto_text_key(out, "data");
    proto_text_open_object(out);
    proto_text_member_string(out, "pointer", fault->pointer);
    if (fault->suggestion[0] != '\0') {
        proto_text_member_string(out, "suggestion", fault->suggestion);
    }
    if (fault->retry_after_ms > 0) {
        proto_text_member_unsigned(out, "retryAfterMs", fault->retry_after_ms);
    }
}

void proto_close_error(struct proto_text *out) {
    proto_text_close_object(out);
    proto_text_close_object(out);
    proto_text_close_object(out);
}

void proto_write_error(struct proto_text *out, const struct proto_id *id, const struct fault *fault) {
    proto_open_error(out, id, fault);
    proto_close_error(out);
}

void proto_write_event(struct proto_text *out, const char *method, const char *params, size_t length) {
    open_message(out);
    proto_text_member_string(out, "method", method);
    proto_text_key(out, "params");
    proto_text_raw(out, params, length);
    proto_text_close_object(out);
}
