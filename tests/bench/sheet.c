// SPDX-License-Identifier: MIT
#include "sheet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A small generator of its own (SplitMix64), so that every run and every machine gets the same mesh.
static uint64_t next_random(uint64_t *state) {
    *state += 0x9E3779B97F4A7C15u;
    uint64_t value = *state;
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9u;
    value = (value ^ value >> 27) * 0x94D049BB133111EBu;
    return value ^ value >> 31;
}

static float next_share(uint64_t *state) { // −1 … 1
    return (float)(next_random(state) >> 40) / 8388608.0f - 1.0f;
}

bool sheet_kind_of(const char *name, enum sheet_kind *kind) {
    static const char *const names[SHEET_KIND_COUNT] = {"grid", "irregular", "shuffled"};
    for (unsigned at = 0; at < SHEET_KIND_COUNT; at++) {
        if (strcmp(name, names[at]) == 0) {
            *kind = (enum sheet_kind)at;
            return true;
        }
    }
    return false;
}

// The place of (row, column) among the particles.
static uint32_t place_of(const struct sheet *sheet, const uint32_t *places, uint32_t row, uint32_t column) {
    const uint32_t at = row * sheet->side + column;
    return places == NULL ? at : places[at];
}

static void add_stick(struct sheet *sheet, uint32_t a, uint32_t b) {
    const float *p = &sheet->position[3 * a], *q = &sheet->position[3 * b];
    const float x = q[0] - p[0], y = q[1] - p[1], z = q[2] - p[2];
    sheet->stick_a[sheet->sticks] = a;
    sheet->stick_b[sheet->sticks] = b;
    sheet->rest[sheet->sticks] = sqrtf(x * x + y * y + z * z);
    sheet->sticks++;
}

static void add_triangle(struct sheet *sheet, uint32_t a, uint32_t b, uint32_t c) {
    uint32_t *corner = &sheet->triangle[3 * sheet->triangles];
    corner[0] = a;
    corner[1] = b;
    corner[2] = c;
    sheet->triangles++;
}

static void add_particles(struct sheet *sheet, const uint32_t *places, uint64_t *random) {
    const float middle = 0.5f * (float)(sheet->side - 1);
    for (uint32_t row = 0; row < sheet->side; row++) {
        for (uint32_t column = 0; column < sheet->side; column++) {
            float *p = &sheet->position[3 * place_of(sheet, places, row, column)];
            const bool moves = sheet->kind != SHEET_GRID;
            const float right = moves ? 0.3f * next_share(random) : 0.0f;
            const float up = moves ? 0.3f * next_share(random) : 0.0f;
            p[0] = ((float)column - middle + right) * SHEET_SPACING;
            p[1] = (middle - (float)row + up) * SHEET_SPACING;
            p[2] = 0.0f;
        }
    }
}

// The quad whose top left corner is (row, column), and the sticks that begin there.
static void add_quad(struct sheet *sheet, const uint32_t *places, uint32_t row, uint32_t column, uint64_t *random) {
    const bool has_right = column + 1 < sheet->side, has_down = row + 1 < sheet->side;
    const uint32_t a = place_of(sheet, places, row, column);
    const uint32_t b = has_right ? place_of(sheet, places, row, column + 1) : a;
    const uint32_t c = has_down ? place_of(sheet, places, row + 1, column) : a;
    const uint32_t d = has_right && has_down ? place_of(sheet, places, row + 1, column + 1) : a;
    if (has_right) {
        add_stick(sheet, a, b);
    }
    if (has_down) {
        add_stick(sheet, a, c);
    }
    if (!has_right || !has_down) {
        return;
    }
    const bool falls = sheet->kind == SHEET_GRID || next_random(random) % 2 == 0;
    if (falls) {
        add_stick(sheet, a, d);
    }
    if (!falls || sheet->kind == SHEET_GRID) {
        add_stick(sheet, b, c);
    }
    add_triangle(sheet, a, c, falls ? d : b);
    add_triangle(sheet, falls ? a : b, falls ? d : c, falls ? b : d);
}

static uint32_t *shuffled_places(uint32_t count, uint64_t *random) {
    uint32_t *places = malloc(count * sizeof *places);
    for (uint32_t i = 0; places != NULL && i < count; i++) {
        const uint32_t with = (uint32_t)(next_random(random) % (i + 1));
        places[i] = places[with];
        places[with] = i;
    }
    return places;
}

bool sheet_init(struct sheet *sheet, enum sheet_kind kind, uint32_t side) {
    const uint32_t count = side * side;
    uint64_t random = 20031, order = 7;
    *sheet = (struct sheet){.kind = kind, .side = side, .particles = count};
    uint32_t *places = kind == SHEET_SHUFFLED ? shuffled_places(count, &order) : NULL;
    sheet->position = malloc(3 * count * sizeof *sheet->position);
    sheet->stick_a = malloc(4 * count * sizeof *sheet->stick_a);
    sheet->stick_b = malloc(4 * count * sizeof *sheet->stick_b);
    sheet->rest = malloc(4 * count * sizeof *sheet->rest);
    sheet->triangle = malloc(6 * count * sizeof *sheet->triangle);
    if (sheet->position == NULL || sheet->stick_a == NULL || sheet->stick_b == NULL || sheet->rest == NULL ||
        sheet->triangle == NULL || (kind == SHEET_SHUFFLED && places == NULL)) {
        free(places);
        sheet_free(sheet);
        return false;
    }
    add_particles(sheet, places, &random);
    for (uint32_t row = 0; row < side; row++) {
        for (uint32_t column = 0; column < side; column++) {
            add_quad(sheet, places, row, column, &random);
        }
    }
    const float edge = (float)(side - 1) * SHEET_SPACING;
    sheet->particle_mass = SHEET_AREAL_DENSITY * edge * edge / (float)count;
    sheet->pin[0] = place_of(sheet, places, 0, 0);
    sheet->pin[1] = place_of(sheet, places, 0, side - 1);
    free(places);
    return true;
}

void sheet_free(struct sheet *sheet) {
    free(sheet->position);
    free(sheet->stick_a);
    free(sheet->stick_b);
    free(sheet->rest);
    free(sheet->triangle);
}

struct stretch sheet_stretch(const struct sheet *sheet, const float *x, const float *y, const float *z) {
    struct stretch stretch = {0.0, 0.0};
    for (uint32_t i = 0; i < sheet->sticks; i++) {
        const uint32_t a = sheet->stick_a[i], b = sheet->stick_b[i];
        const double dx = (double)x[b] - (double)x[a], dy = (double)y[b] - (double)y[a];
        const double dz = (double)z[b] - (double)z[a], rest = (double)sheet->rest[i];
        const double off = fabs(sqrt(dx * dx + dy * dy + dz * dz) - rest) / rest;
        stretch.mean += off;
        stretch.worst = off > stretch.worst || off != off ? off : stretch.worst;
    }
    stretch.mean /= (double)sheet->sticks;
    return stretch;
}
