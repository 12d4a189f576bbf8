// SPDX-License-Identifier: MIT
#include "base/pages.h"

#ifdef __wasm__

// WebAssembly has no pages that could be given back.
void pages_give_back(void *from, size_t bytes) {
    (void)from;
    (void)bytes;
}

#else

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

void pages_give_back(void *from, size_t bytes) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    const uintptr_t start = (uintptr_t)from;
    const uintptr_t first = (start + page - 1) / page * page;
    const uintptr_t end = (start + bytes) / page * page;
    if (first < end) {
        (void)madvise((unsigned char *)from + (first - start), end - first, MADV_DONTNEED);
    }
}

#endif
