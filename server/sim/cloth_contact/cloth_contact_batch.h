// SPDX-License-Identifier: MIT
// Pairs of features on their way to the kernels that compute their distances, many at once (simd/simd_pairs.h): pairs
// of both kinds are queued in one order, and their results are read in that order.
#ifndef WEFT_SIM_CLOTH_CONTACT_CLOTH_CONTACT_BATCH_H
#define WEFT_SIM_CLOTH_CONTACT_CLOTH_CONTACT_BATCH_H

#include "sim/simd/simd.h"

#define CLOTH_CONTACT_BATCH_MAX (2u * SIMD_PAIRS)

// Where a pair stands: the rows of its kind, and its place in them.
struct cloth_contact_row {
    uint8_t kind; // enum proximity_kind
    uint8_t place;
};

struct cloth_contact_batch {
    uint32_t count;
    struct cloth_contact_row row[CLOTH_CONTACT_BATCH_MAX];
    struct simd_pairs pairs[2]; // by kind
};

// Also sets the lanes behind the last pair, which the kernels read.
static inline void cloth_contact_batch_begin(struct cloth_contact_batch *batch) {
    memset(batch, 0, sizeof *batch);
    batch->pairs[PROXIMITY_EDGE_EDGE].edges = true;
}

static inline void cloth_contact_batch_empty(struct cloth_contact_batch *batch) {
    batch->count = 0;
    batch->pairs[0].count = 0;
    batch->pairs[1].count = 0;
}

// Adds a pair; its rows are for the caller to set. Returns its number in the batch.
static inline uint32_t cloth_contact_batch_add(struct cloth_contact_batch *batch, enum proximity_kind kind) {
    struct simd_pairs *pairs = &batch->pairs[kind];
    batch->row[batch->count] = (struct cloth_contact_row){(uint8_t)kind, (uint8_t)pairs->count};
    pairs->count++;
    batch->count++;
    return batch->count - 1;
}

static inline bool cloth_contact_batch_is_full(const struct cloth_contact_batch *batch) {
    return batch->pairs[0].count == SIMD_PAIRS || batch->pairs[1].count == SIMD_PAIRS;
}

// The particles that carry the nearest points of a pair, a bit for each; 0 where only their weights tell.
unsigned cloth_contact_batch_carriers(enum proximity_kind kind, double which);

#endif
