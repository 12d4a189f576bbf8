// SPDX-License-Identifier: MIT
// Frames as the server packs them, one stream, for measuring.
#ifndef WEFT_BENCH_PACKER_H
#define WEFT_BENCH_PACKER_H

#include <stddef.h>
#include <stdint.h>

#include "proto/frame/frame.h"

enum packer_coding { PACKER_RAW = 0, PACKER_GRID = 1, PACKER_CODEC = 2 };
#define PACKER_BEST PACKER_CODEC

// What an object is to whoever predicts where its particles go.
enum packer_shape { PACKER_LATTICE, PACKER_TRIANGLES, PACKER_CHAIN, PACKER_BODY, PACKER_LOOSE };

struct packer_object {
    enum packer_shape shape;
    uint32_t first, count;
    uint32_t columns, rows; // LATTICE
    float spacing;          // m
    bool hexagonal;
    const uint32_t *triangles; // TRIANGLES, local
    uint32_t triangle_count;
};

struct packer;
struct packer *packer_create(enum packer_coding coding, const struct packer_object *objects, uint32_t count,
                             float step); // NULL: it cannot
void packer_destroy(struct packer *packer);
// The next frame; `packer_bytes` then has it. Ticks rise evenly.
size_t packer_pack(struct packer *packer, uint64_t tick, const float *x, const float *y, const float *z);
// The same tick again as a keyframe, or as what is left of a frame when every object sleeps.
size_t packer_pack_keyframe(struct packer *packer);
size_t packer_pack_asleep(struct packer *packer);
const uint8_t *packer_bytes(const struct packer *packer);
int packer_coding(const struct packer *packer);

#endif
