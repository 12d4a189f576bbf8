// SPDX-License-Identifier: MIT
// A capsule, from anybody: as a file, which is gzip or an SQLite database, and as the content of a gzip file with the
// right checksum, which a fuzzer would not find by itself.
#include "fuzz.h"

#include <stdlib.h>
#include <zlib.h>

#include "host/history/capsule_file.h"

static void try_file(const uint8_t *data, size_t size) {
    struct store_capsule *capsule = NULL;
    struct fault fault = {0};
    const enum result result = capsule_unpack(data, size, &capsule, &fault);
    if (result == RESULT_OK) {
        FUZZ_CHECK(capsule != NULL && capsule->history != NULL);
        store_capsule_free(capsule);
    } else {
        FUZZ_CHECK(fault.cause == result && fault.message[0] != '\0');
    }
}

static void try_content(const uint8_t *data, size_t size) {
    z_stream stream = {.next_in = (uint8_t *)data, .avail_in = (uInt)size};
    FUZZ_CHECK(deflateInit2(&stream, Z_NO_COMPRESSION, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    const size_t room = deflateBound(&stream, size);
    uint8_t *file = malloc(room);
    FUZZ_CHECK(file != NULL);
    stream.next_out = file;
    stream.avail_out = (uInt)room;
    FUZZ_CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    deflateEnd(&stream);
    try_file(file, room - stream.avail_out);
    free(file);
}

void fuzz_capsule(const uint8_t *data, size_t size) {
    try_file(data, size);
    try_content(data, size);
}

FUZZ_ENTRY(fuzz_capsule)
