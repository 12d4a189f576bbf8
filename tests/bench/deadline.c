// SPDX-License-Identifier: MIT
// How late a loop wakes that only sleeps until absolute deadlines: deadline HZ SECONDS. Prints one line of JSON: p50,
// p99 and p99.9 in ms. What no server on this machine can do better than.
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "median.h"

int main(int argc, char **argv) {
    if (argc != 3) {
        (void)fprintf(stderr, "deadline HZ SECONDS\n");
        return 2;
    }
    const double hz = strtod(argv[1], NULL);
    const size_t count = (size_t)(hz * strtod(argv[2], NULL));
    double *late = malloc((count + 1) * sizeof *late);
    if (late == NULL) {
        return 1;
    }
    const double start = wall_s();
    for (size_t at = 0; at < count; at++) {
        const double due = start + (double)(at + 1) / hz;
        const struct timespec until = {(time_t)due, (long)((due - (double)(time_t)due) * 1e9)};
        (void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
        late[at] = (wall_s() - due) * 1e3;
    }
    (void)printf("{\"p50\":%.4f,\"p99\":%.4f,\"p999\":%.4f,\"most\":%.4f}\n", quantile_of(late, count, 0.5),
                 quantile_of(late, count, 0.99), quantile_of(late, count, 0.999), quantile_of(late, count, 1.0));
    free(late);
    return 0;
}
