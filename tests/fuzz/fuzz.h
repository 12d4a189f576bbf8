// SPDX-License-Identifier: MIT
// Fuzz targets: each takes bytes that anybody may have sent or written, and must neither crash nor break what it
// promises (an assertion). With WEFT_FUZZER a target is the whole of a program of libFuzzer's; without, the corpus is
// replayed through all of them by a unit test.
#ifndef WEFT_TESTS_FUZZ_H
#define WEFT_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef void (*fuzz_target)(const uint8_t *data, size_t size);

void fuzz_json(const uint8_t *data, size_t size);     // messages and scenes
void fuzz_codec(const uint8_t *data, size_t size);    // frames in coding 2
void fuzz_head(const uint8_t *data, size_t size);     // HTTP requests and paths
void fuzz_wire(const uint8_t *data, size_t size);     // WebSocket frames
void fuzz_record(const uint8_t *data, size_t size);   // commands in the log
void fuzz_snapshot(const uint8_t *data, size_t size); // worlds as bytes
void fuzz_capsule(const uint8_t *data, size_t size);  // histories as files
void fuzz_follow(const uint8_t *data, size_t size);   // what a viewer in lockstep is sent

// As assert, in every build.
#define FUZZ_CHECK(holds)                                                                                              \
    do {                                                                                                               \
        if (!(holds)) {                                                                                                \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #holds);                                 \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

#ifdef WEFT_FUZZER
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
#define FUZZ_ENTRY(target)                                                                                             \
    int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {                                                     \
        target(data, size);                                                                                            \
        return 0;                                                                                                      \
    }
#else
#define FUZZ_ENTRY(target) typedef int target##_is_no_program;
#endif

#endif
