// SPDX-License-Identifier: MIT
// An irregular sheet: vertices moved at random from a square grid, and one of the two diagonals of each square.
#ifndef WEFT_TESTS_RANDOM_SHEET_H
#define WEFT_TESTS_RANDOM_SHEET_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define SHEET_SIDE 130u // vertices of the largest sheet along each side
#define SHEET_VERTICES (SHEET_SIDE * SHEET_SIDE)
#define SHEET_TRIANGLES (2 * (SHEET_SIDE - 1) * (SHEET_SIDE - 1))
#define SHEET_SPACING 0.02f // m

struct random_sheet {
    uint32_t vertices, triangles;
    float position[3 * SHEET_VERTICES]; // m
    uint32_t triangle[3 * SHEET_TRIANGLES];
    uint32_t place[SHEET_VERTICES]; // index of each vertex of the grid, row by row
};

static inline uint32_t random_sheet_draw(uint32_t *random) {
    *random = *random * 1664525u + 1013904223u;
    return *random >> 8;
}

// Makes a level sheet of `side` by `side` vertices. `shuffled`: the vertices stand in random order.
static inline void random_sheet_make(struct random_sheet *sheet, uint32_t side, bool shuffled) {
    uint32_t random = 1;
    uint32_t *place = sheet->place;
    sheet->vertices = side * side;
    sheet->triangles = 2 * (side - 1) * (side - 1);
    for (uint32_t i = 0; i < sheet->vertices; i++) {
        place[i] = i;
    }
    for (uint32_t i = sheet->vertices - 1; shuffled && i > 0; i--) {
        const uint32_t other = random_sheet_draw(&random) % (i + 1);
        const uint32_t kept = place[i];
        place[i] = place[other];
        place[other] = kept;
    }
    for (uint32_t i = 0; i < sheet->vertices; i++) {
        float *at = &sheet->position[3 * (size_t)place[i]];
        at[0] = SHEET_SPACING * ((float)(i % side) + (float)(random_sheet_draw(&random) % 1000) * 4e-4f);
        at[1] = SHEET_SPACING * ((float)(random_sheet_draw(&random) % 1000) * 4e-4f);
        at[2] = SHEET_SPACING * ((float)(i / side) + (float)(random_sheet_draw(&random) % 1000) * 4e-4f);
    }
    uint32_t *to = sheet->triangle;
    for (uint32_t row = 0; row + 1 < side; row++) {
        for (uint32_t column = 0; column + 1 < side; column++) {
            const uint32_t a = place[row * side + column], b = place[row * side + column + 1];
            const uint32_t c = place[(row + 1) * side + column], d = place[(row + 1) * side + column + 1];
            const bool down = random_sheet_draw(&random) % 2 == 0;
            const uint32_t corners[6] = {a, b, down ? d : c, down ? a : b, d, c};
            memcpy(to, corners, sizeof corners);
            to += 6;
        }
    }
}

#endif
