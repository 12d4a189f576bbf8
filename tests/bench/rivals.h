// SPDX-License-Identifier: MIT
// Other people's ways of making positions small, each checked to give back what it was given.
#ifndef WEFT_BENCH_RIVALS_H
#define WEFT_BENCH_RIVALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rival_cost {
    size_t bytes;
    double encode_s, decode_s; // CPU
};

struct rival {
    const char *name;
    // Codes the frame that rival_take has quantised, adds up what it costs; false: what came back was not the same.
    bool (*run)(uint32_t particles, struct rival_cost *cost);
};

extern const struct rival rivals[];
extern const size_t rival_count;

bool rival_init(uint32_t particles);
void rival_free(void);
// Quantises the next frame; the one before is what deltas are to.
void rival_take(const float *x, const float *y, const float *z, uint32_t particles, float step, bool first);

#endif
