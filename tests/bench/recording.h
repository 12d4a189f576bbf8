// SPDX-License-Identifier: MIT
// A recorded scene, as record.mjs writes it.
#ifndef WEFT_BENCH_RECORDING_H
#define WEFT_BENCH_RECORDING_H

#include <stdbool.h>
#include <stdint.h>

#include "packer.h"

struct recording {
    uint32_t object_count, particles, frames;
    struct packer_object *objects;
    uint32_t *words;       // the whole file
    const float *position; // x, y, z a particle, frame by frame
    float *x, *y, *z;      // of the frame that is shown
};

bool recording_read(struct recording *recording, const char *path);
void recording_free(struct recording *recording);
void recording_show(const struct recording *recording, uint32_t frame);

#endif
