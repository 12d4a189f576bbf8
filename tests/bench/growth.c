// SPDX-License-Identifier: MIT
// A mixed scene of about so many particles, timed: growth PARTICLES THREADS TICKS. Prints one line of JSON: particles,
// and the median ms of a tick, wall and CPU.
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "median.h"
#include "stage.h"
#include "workers.h"

#define WARM_TICKS 20u

int main(int argc, char **argv) {
    if (argc != 4) {
        (void)fprintf(stderr, "growth PARTICLES THREADS TICKS\n");
        return 2;
    }
    const uint32_t ticks = (uint32_t)strtoul(argv[3], NULL, 10);
    const unsigned threads = (unsigned)strtoul(argv[2], NULL, 10);
    struct sim_world *world = stage_mixed((uint32_t)strtoul(argv[1], NULL, 10));
    double *wall = malloc(ticks * sizeof *wall), *cpu = malloc(ticks * sizeof *cpu);
    if (wall == NULL || cpu == NULL) {
        return 1;
    }
    const bool threaded = workers_give(world, threads);
    for (uint32_t tick = 0; tick < WARM_TICKS; tick++) {
        sim_world_step(world);
    }
    for (uint32_t tick = 0; tick < ticks; tick++) {
        const double wall_before = wall_s(), cpu_before = cpu_s();
        sim_world_step(world);
        cpu[tick] = (cpu_s() - cpu_before) * 1e3;
        wall[tick] = (wall_s() - wall_before) * 1e3;
    }
    (void)printf("{\"particles\":%u,\"sticks\":%u,\"threads\":%u,\"wallMs\":%.5f,\"cpuMs\":%.5f}\n",
                 sim_world_counts(world).particles, sim_world_counts(world).sticks, threaded ? threads : 1,
                 median_of(wall, ticks), median_of(cpu, ticks));
    sim_world_destroy(world);
    free(wall);
    free(cpu);
    return 0;
}
