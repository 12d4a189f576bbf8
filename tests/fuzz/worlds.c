// SPDX-License-Identifier: MIT
// Runs many random degenerate worlds (random_worlds.h) and says which failed: worlds [count [first seed [processes]]]
#include <time.h>

#include "random_worlds.h"

int main(int argc, char **argv) {
    const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 0) : 100000;
    const uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 0) : (uint64_t)time(NULL) * 1000003u;
    const unsigned long asked = argc > 3 ? strtoul(argv[3], NULL, 0) : 1;
    const unsigned processes = asked < 1 ? 1 : asked > PROCESSES_MAX ? PROCESSES_MAX : (unsigned)asked;
    struct random_worlds *worlds = random_worlds_create(count, first);
    if (worlds == NULL) {
        perror("mmap");
        return 1;
    }
    printf("%" PRIu64 " worlds from seed %" PRIu64 " in %u processes\n", count, first, processes);
    random_worlds_run(worlds, processes);
    const uint64_t failed = atomic_load(&worlds->failed);
    const uint64_t done = atomic_load(&worlds->done);
    printf("%" PRIu64 " commands accepted, %" PRIu64 " refused; %" PRIu64 " objects fell asleep, %" PRIu64
           " sticks tore, %" PRIu64 " objects damaged on purpose\n",
           (uint64_t)atomic_load(&worlds->accepted), (uint64_t)atomic_load(&worlds->refused),
           (uint64_t)atomic_load(&worlds->slept), (uint64_t)atomic_load(&worlds->torn),
           (uint64_t)atomic_load(&worlds->injected));
    printf("%" PRIu64 " passed, %" PRIu64 " failed\n", done - failed, failed);
    random_worlds_destroy(worlds);
    return failed == 0 && done == count ? 0 : 1;
}
