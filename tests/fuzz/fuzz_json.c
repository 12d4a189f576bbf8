// SPDX-License-Identifier: MIT
// A client's message, and a scene's file: what is parsed can be written as a record and read back, and the id that is
// found without parsing is the one that parsing finds.
#include "fuzz.h"

#include <string.h>

#include "proto/peek.h"
#include "proto/record.h"

static void check_record(const struct proto_command *command) {
    struct proto_bytes bytes = {0};
    struct proto_request *again = NULL;
    struct fault fault;
    FUZZ_CHECK(proto_record_write(command, &bytes) == RESULT_OK);
    FUZZ_CHECK(proto_record_read(bytes.data, bytes.length, &again, &fault) == RESULT_OK);
    FUZZ_CHECK(again->command.method == command->method);
    proto_request_destroy(again);
    proto_bytes_free(&bytes);
}

void fuzz_json(const uint8_t *data, size_t size) {
    const char *text = (const char *)data;
    char title[PROTO_TITLE_MAX], description[PROTO_DESCRIPTION_MAX];
    struct proto_request *request = NULL;
    struct proto_id id, found;
    struct fault fault = {0};
    proto_peek_id(text, size, &found);
    const enum result result = proto_request_parse(text, size, &request, &id, &fault);
    if (result == RESULT_OK) {
        const bool plain = memchr(text, '\\', size) == NULL;
        FUZZ_CHECK(!plain || found.present == id.present);
        FUZZ_CHECK(!plain || !found.present || strcmp(found.text, "null") == 0 || strcmp(found.text, id.text) == 0);
        check_record(&request->command);
        proto_request_destroy(request);
    } else {
        FUZZ_CHECK(fault.cause == result && fault.message[0] != '\0');
    }
    request = NULL;
    if (proto_scene_parse(text, size, &request, title, description, &fault) == RESULT_OK) {
        check_record(&request->command);
        proto_request_destroy(request);
    }
}

FUZZ_ENTRY(fuzz_json)
