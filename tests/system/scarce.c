// SPDX-License-Identifier: MIT
// The server whose memory runs out when a test says so: linked with its own main and all that belongs to it, its
// allocations, cJSON's and SQLite's looked after by the file that SCARCE_MEMORY names, a struct failing_memory that the
// test writes to.
#include "../support/failing_memory.h"

#include <cjson/cJSON.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

// Before main, whatever that does first.
__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("SCARCE_MEMORY");
    const int file = path != NULL ? open(path, O_RDWR) : -1;
    void *memory =
        file >= 0 ? mmap(NULL, sizeof(struct failing_memory), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
    if (memory == MAP_FAILED || !failing_install()) {
        fputs("scarce: SCARCE_MEMORY must name a file of a struct failing_memory\n", stderr);
        _exit(2);
    }
    close(file);
    failing = memory;
    cJSON_InitHooks(&(cJSON_Hooks){.malloc_fn = __wrap_malloc, .free_fn = __wrap_free});
}
