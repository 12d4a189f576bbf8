// SPDX-License-Identifier: MIT
// What the kernels' results mean for a pair of features.
#include "sim/cloth_contact/cloth_contact_batch.h"

#define BITS(a, b, c) (1u << (a) | 1u << (b) | 1u << (c))
#define END(p, a, b) BITS(p, a, b), BITS(p, a, a), BITS(p, b, b)
#define INSIDE 15u, 0u

unsigned cloth_contact_batch_carriers(enum proximity_kind kind, double which) {
    static const uint8_t carriers[2][14] = {
        [PROXIMITY_VERTEX_TRIANGLE] = {INSIDE, END(0, 1, 2), END(0, 2, 3), END(0, 3, 1)},
        [PROXIMITY_EDGE_EDGE] = {INSIDE, END(0, 2, 3), END(1, 2, 3), END(2, 0, 1), END(3, 0, 1)},
    };
    return carriers[kind][(unsigned)which];
}
