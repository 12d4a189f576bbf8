// SPDX-License-Identifier: MIT
// A capsule, from anybody: an SQLite database with a history in it.
#include "fuzz.h"

#include "store/capsule/capsule_unpack.h"

void fuzz_capsule(const uint8_t *data, size_t size) {
    struct store_capsule *capsule = NULL;
    struct fault fault = {0};
    const enum result result = store_capsule_unpack(data, size, &capsule, &fault);
    if (result == RESULT_OK) {
        FUZZ_CHECK(capsule != NULL && capsule->history != NULL);
        store_capsule_free(capsule);
    } else {
        FUZZ_CHECK(fault.cause == result && fault.message[0] != '\0');
    }
}

FUZZ_ENTRY(fuzz_capsule)
