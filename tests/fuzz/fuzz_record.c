// SPDX-License-Identifier: MIT
// A command of the log: what can be read is written again as a record that reads the same.
#include "fuzz.h"

#include <string.h>

#include "proto/record/record_read.h"
#include "proto/record/record_write.h"

void fuzz_record(const uint8_t *data, size_t size) {
    struct proto_request *request = NULL, *again = NULL;
    struct bytes first = {0}, second = {0};
    struct fault fault = {0};
    const enum result result = proto_record_read(data, size, &request, &fault);
    if (result != RESULT_OK) {
        FUZZ_CHECK(fault.cause == result && fault.message[0] != '\0');
        return;
    }
    FUZZ_CHECK(proto_record_write(&request->command, &first) == RESULT_OK);
    FUZZ_CHECK(proto_record_read(first.data, first.length, &again, &fault) == RESULT_OK);
    FUZZ_CHECK(proto_record_write(&again->command, &second) == RESULT_OK);
    FUZZ_CHECK(first.length == second.length && memcmp(first.data, second.data, first.length) == 0);
    proto_request_destroy(request);
    proto_request_destroy(again);
    bytes_free(&first);
    bytes_free(&second);
}

FUZZ_ENTRY(fuzz_record)
