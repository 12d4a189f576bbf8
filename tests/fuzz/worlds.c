// SPDX-License-Identifier: MIT
// Runs many random degenerate worlds (random_world.h) and says which failed: worlds [count [first seed]]
#include <inttypes.h>
#include <stdlib.h>
#include <time.h>

#include "random_world.h"

int main(int argc, char **argv) {
    const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 0) : 100000;
    const uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 0) : (uint64_t)time(NULL) * 1000003u;
    uint64_t failed = 0;
    uint64_t accepted = 0;
    uint64_t refused = 0;
    uint64_t quarantined = 0;
    uint64_t slept = 0;
    printf("%" PRIu64 " worlds from seed %" PRIu64 "\n", count, first);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t hash = 0;
        const struct random_world r = random_world_run(first + i, &hash);
        accepted += r.accepted;
        refused += r.refused;
        quarantined += r.quarantined;
        slept += r.slept;
        if (r.complaint != NULL) {
            failed++;
            printf("seed %" PRIu64 ": %s\n", first + i, r.complaint);
        }
    }
    printf("%" PRIu64 " commands accepted, %" PRIu64 " refused; %" PRIu64 " objects fell asleep, %" PRIu64
           " quarantined\n",
           accepted, refused, slept, quarantined);
    printf("%" PRIu64 " passed, %" PRIu64 " failed\n", count - failed, failed);
    return failed == 0 ? 0 : 1;
}
