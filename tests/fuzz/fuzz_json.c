// SPDX-License-Identifier: MIT
// A client's message, and a scene's file: what is parsed can be written as a record and read back, and the id that is
// found without parsing is the one that parsing finds.
#include "fuzz.h"

#include <string.h>

#include "proto/message/peek.h"
#include "proto/record/record_read.h"
#include "proto/record/record_write.h"

static void check_record(const struct proto_command *command) {
    struct bytes bytes = {0};
    struct proto_request *again = NULL;
    struct fault fault;
    FUZZ_CHECK(proto_record_write(command, &bytes) == RESULT_OK);
    FUZZ_CHECK(proto_record_read(bytes.data, bytes.length, &again, &fault) == RESULT_OK);
    FUZZ_CHECK(again->command.method == command->method);
    proto_request_destroy(again);
    bytes_free(&bytes);
}

// Elements lie within their array one after the other, as many as are looked for; places are within the text.
static void check_array(const char *text, size_t size, const char *pointer) {
    struct proto_slice elements[PROTO_ARRAY_MAX];
    struct fault fault;
    uint32_t count = 0;
    const size_t peeked = proto_peek_elements(text, size, elements, PROTO_ARRAY_MAX);
    FUZZ_CHECK(peeked <= PROTO_ARRAY_MAX + 1);
    if (!proto_is_array(text, size) || proto_array_split(text, size, elements, &count, &fault) != RESULT_OK) {
        return;
    }
    const char *from = text;
    for (uint32_t i = 0; i < count; i++) {
        FUZZ_CHECK(elements[i].length > 0 && elements[i].text > from);
        from = elements[i].text + elements[i].length;
    }
    FUZZ_CHECK(from < text + size);
    const size_t byte = proto_peek_pointer(text, size, pointer);
    FUZZ_CHECK(byte < size);
    FUZZ_CHECK(proto_place_of(text, size, byte).line >= 1);
}

void fuzz_json(const uint8_t *data, size_t size) {
    const char *text = (const char *)data;
    struct proto_scene_about about;
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
    check_array(text, size, "/0/params/commands/1");
    request = NULL;
    if (proto_scene_parse(text, size, &request, &about, &fault) == RESULT_OK) {
        for (uint32_t i = 0; i < ((const struct proto_batch_run *)request->command.params)->commands.count; i++) {
            FUZZ_CHECK(request->places[i].line >= 1 && request->places[i].column >= 1);
        }
        check_record(&request->command);
        proto_request_destroy(request);
    }
}

FUZZ_ENTRY(fuzz_json)
