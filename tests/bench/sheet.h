// SPDX-License-Identifier: MIT
// The sheets that the solvers are compared on: particles, triangles, pins, and the sticks as a list, so that every
// contender relaxes the very same ones.
#ifndef WEFT_BENCH_SHEET_H
#define WEFT_BENCH_SHEET_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum sheet_kind {
    SHEET_GRID,      // a square lattice with structural and both shear sticks
    SHEET_IRREGULAR, // its vertices moved at random by up to 0.3 spacings, one random diagonal a quad, indices row by
                     // row
    SHEET_SHUFFLED,  // the same with its indices in random order, as a careless exporter leaves them
    SHEET_KIND_COUNT
};

#define SHEET_SPACING 0.05f      // m
#define SHEET_AREAL_DENSITY 0.2f // kg/m²

struct sheet {
    enum sheet_kind kind;
    uint32_t side; // particles along an edge
    uint32_t particles, sticks, triangles;
    float *position; // 3 per particle, m, y up, the first corner at the top left
    uint32_t *stick_a, *stick_b;
    float *rest;         // m
    uint32_t *triangle;  // 3 per triangle
    uint32_t pin[2];     // the top corners
    float particle_mass; // kg, an even share
};

bool sheet_init(struct sheet *sheet, enum sheet_kind kind, uint32_t side); // false: out of memory
void sheet_free(struct sheet *sheet);
bool sheet_kind_of(const char *name, enum sheet_kind *kind);

// How far the sticks of positions `x, y, z` are from their rest length, as shares of it.
struct stretch {
    double mean, worst;
};
struct stretch sheet_stretch(const struct sheet *sheet, const float *x, const float *y, const float *z);

#ifdef __cplusplus
}
#endif
#endif
