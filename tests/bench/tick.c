// SPDX-License-Identifier: MIT
// The whole tick of one great cloth: tick SIDE TICKS. 8 substeps, wind, floor, sphere, and the frame that its viewers
// share, packed. Prints one line of JSON: median CPU ms of step, packing and both.
#include <stdio.h>
#include <stdlib.h>

#include "clock.h"
#include "median.h"
#include "packer.h"
#include "stage.h"

#define WARM_TICKS 30u

int main(int argc, char **argv) {
    if (argc != 3) {
        (void)fprintf(stderr, "tick SIDE TICKS\n");
        return 2;
    }
    const uint32_t ticks = (uint32_t)strtoul(argv[2], NULL, 10);
    const uint32_t side = (uint32_t)strtoul(argv[1], NULL, 10);
    struct sim_world *world = stage_cloth(side);
    const struct packer_object cloth = {.shape = PACKER_LATTICE,
                                        .count = side * side,
                                        .columns = side,
                                        .rows = side,
                                        .spacing = sim_cloth_desc_default().spacing};
    struct packer *packer = packer_create(PACKER_BEST, &cloth, 1, PROTO_STEP_DEFAULT);
    double *step = malloc(ticks * sizeof *step), *pack = malloc(ticks * sizeof *pack);
    double *both = malloc(ticks * sizeof *both);
    if (packer == NULL || step == NULL || pack == NULL || both == NULL) {
        return 1;
    }
    size_t bytes = 0;
    for (uint32_t tick = 0; tick < WARM_TICKS + ticks; tick++) {
        const double started = cpu_s();
        sim_world_step(world);
        const double stepped = cpu_s();
        const struct sim_particles_view view = sim_world_particles(world);
        bytes = packer_pack(packer, tick + 1, view.x, view.y, view.z);
        const double packed = cpu_s();
        if (tick >= WARM_TICKS) {
            step[tick - WARM_TICKS] = (stepped - started) * 1e3;
            pack[tick - WARM_TICKS] = (packed - stepped) * 1e3;
            both[tick - WARM_TICKS] = (packed - started) * 1e3;
        }
    }
    (void)printf("{\"particles\":%u,\"coding\":%d,\"stepMs\":%.4f,\"packMs\":%.4f,\"tickMs\":%.4f,\"bytes\":%.4f}\n",
                 side * side, packer_coding(packer), median_of(step, ticks), median_of(pack, ticks),
                 median_of(both, ticks), (double)bytes / (side * side));
    packer_destroy(packer);
    sim_world_destroy(world);
    free(step);
    free(pack);
    free(both);
    return 0;
}
