// SPDX-License-Identifier: MIT
// A mixed scene of about so many particles, timed: growth PARTICLES THREADS TICKS. Prints one line of JSON: particles,
// and the median ms of a tick, wall and CPU, twice: while the bodies fall and tumble, and from when they have come to
// rest, over TICKS ticks.
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "median.h"
#include "stage.h"
#include "workers.h"

#define WARM_TICKS 20u // the bodies are about to meet the floor
#define FALLING_TICKS 20u
#define SETTLING_TICKS 40u

struct times {
    double wall_ms, cpu_ms; // medians
};

static struct times time_ticks(struct sim_world *world, uint32_t ticks) {
    double *wall = malloc(ticks * sizeof *wall), *cpu = malloc(ticks * sizeof *cpu);
    if (wall == NULL || cpu == NULL) {
        exit(1);
    }
    for (uint32_t tick = 0; tick < ticks; tick++) {
        const double wall_before = wall_s(), cpu_before = cpu_s();
        sim_world_step(world);
        cpu[tick] = (cpu_s() - cpu_before) * 1e3;
        wall[tick] = (wall_s() - wall_before) * 1e3;
    }
    const struct times times = {median_of(wall, ticks), median_of(cpu, ticks)};
    free(wall);
    free(cpu);
    return times;
}

static void run(struct sim_world *world, uint32_t ticks) {
    for (uint32_t tick = 0; tick < ticks; tick++) {
        sim_world_step(world);
    }
}

int main(int argc, char **argv) {
    if (argc != 4) {
        (void)fprintf(stderr, "growth PARTICLES THREADS TICKS\n");
        return 2;
    }
    const uint32_t ticks = (uint32_t)strtoul(argv[3], NULL, 10);
    const unsigned threads = (unsigned)strtoul(argv[2], NULL, 10);
    struct sim_world *world = stage_mixed((uint32_t)strtoul(argv[1], NULL, 10));
    const bool threaded = workers_give(world, threads);
    run(world, WARM_TICKS);
    const struct times falling = time_ticks(world, FALLING_TICKS);
    run(world, SETTLING_TICKS);
    const struct times settled = time_ticks(world, ticks);
    (void)printf("{\"particles\":%u,\"sticks\":%u,\"threads\":%u,\"wallMs\":%.5f,\"cpuMs\":%.5f,\"fallingWallMs\":%.5f,"
                 "\"fallingCpuMs\":%.5f}\n",
                 sim_world_counts(world).particles, sim_world_counts(world).sticks, threaded ? threads : 1,
                 settled.wall_ms, settled.cpu_ms, falling.wall_ms, falling.cpu_ms);
    sim_world_destroy(world);
    return 0;
}
