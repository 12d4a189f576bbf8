// SPDX-License-Identifier: MIT
// Bullet's soft body as a contender: the same sheet, the same sticks, no collisions.
#ifndef WEFT_BENCH_BULLET_H
#define WEFT_BENCH_BULLET_H

#include "sheet.h"

#ifdef __cplusplus
extern "C" {
#endif

struct bullet;
// `sweeps` position iterations in each of the `substeps` that a tick of 1/60 s has; `shuffled`: in random order.
struct bullet *bullet_create(const struct sheet *sheet, uint32_t substeps, uint32_t sweeps, bool shuffled);
void bullet_tick(struct bullet *bullet);
// CPU time spent in the relaxation alone so far, the rest of the tick left out.
double bullet_relaxing_s(const struct bullet *bullet);
void bullet_positions(const struct bullet *bullet, float *x, float *y, float *z);
void bullet_destroy(struct bullet *bullet);
int bullet_version(void); // 324 for 3.24

#ifdef __cplusplus
}
#endif
#endif
