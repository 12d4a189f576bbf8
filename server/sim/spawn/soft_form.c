// SPDX-License-Identifier: MIT
// The tetrahedra of a new soft body: given ones, which are checked, or those of a box or a ball.
//
// A cell of a box is cut into five tetrahedra: one in its middle and four at corners. Neighbouring cells are mirror
// images, so that their faces fit. A ball is a cube of such cells, each shell of which is drawn to a sphere; with an
// even number of cells the corners of the cube belong to middle tetrahedra, which drawing leaves thick.
#include "sim/spawn/soft_form.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/spawn/soft_surface.h"
#include "sim/volume/tetrahedron.h"
#include "sim/world/check.h"

// A tetrahedron of less volume than this share of the cube of its longest edge is flat; a regular one has 0.118.
#define FLAT_SHARE 1e-4
#define CELL_TETRAHEDRA 5u

// ---- sizes and memory --------------------------------------------------------------------------------------------

static uint32_t cells_along(const struct sim_soft_desc *desc, unsigned axis) {
    return desc->shape == SIM_SOFT_BALL ? desc->cells[0] : desc->cells[axis];
}

struct soft_size soft_form_size(const struct sim_soft_desc *desc) {
    if (desc->shape == SIM_SOFT_TETRAHEDRA) {
        return (struct soft_size){desc->particles, desc->tetrahedron_count};
    }
    struct soft_size size = {1, CELL_TETRAHEDRA};
    for (unsigned axis = 0; axis < 3; axis++) {
        size.particles *= (uint64_t)cells_along(desc, axis) + 1;
        size.tetrahedra *= cells_along(desc, axis);
    }
    return size;
}

static enum result reserve(struct soft_form *form, struct fault *fault) {
    const size_t tetrahedra = form->tetrahedra;
    form->position = calloc(3 * (size_t)form->particles, sizeof *form->position);
    form->corner = calloc(4 * tetrahedra, sizeof *form->corner);
    form->triangle = calloc(12 * tetrahedra, sizeof *form->triangle);
    form->colour = calloc(tetrahedra, sizeof *form->colour);
    form->order = calloc(tetrahedra, sizeof *form->order);
    form->face = calloc(4 * tetrahedra, sizeof *form->face);
    const bool complete = form->position != NULL && form->corner != NULL && form->triangle != NULL &&
                          form->colour != NULL && form->order != NULL && form->face != NULL;
    return complete ? RESULT_OK
                    : fault_set(fault, RESULT_MEMORY, "", "out of memory for %u tetrahedra", form->tetrahedra);
}

void soft_form_free(struct soft_form *form) {
    free(form->position);
    free(form->corner);
    free(form->triangle);
    free(form->colour);
    free(form->order);
    free(form->face);
}

// ---- boxes and balls ---------------------------------------------------------------------------------------------

static void add_cell(struct soft_form *form, const uint32_t vertex[8], bool mirrored, uint32_t *at) {
    // Corners of the cell as bits: 1 along x, 2 along y, 4 along z. The first is the one in the middle.
    static const uint32_t even[CELL_TETRAHEDRA][4] = {
        {0, 3, 5, 6}, {1, 0, 3, 5}, {2, 0, 3, 6}, {4, 0, 5, 6}, {7, 3, 5, 6}};
    for (unsigned t = 0; t < CELL_TETRAHEDRA; t++) {
        for (unsigned k = 0; k < 4; k++) {
            form->corner[4 * (size_t)*at + k] = vertex[even[t][k] ^ (mirrored ? 1u : 0u)];
        }
        (*at)++;
    }
}

static void add_cells(struct soft_form *form, const uint32_t cells[3]) {
    const uint32_t columns = cells[0] + 1;
    const uint32_t layer = columns * (cells[1] + 1);
    uint32_t at = 0;
    for (uint32_t z = 0; z < cells[2]; z++) {
        for (uint32_t y = 0; y < cells[1]; y++) {
            for (uint32_t x = 0; x < cells[0]; x++) {
                uint32_t vertex[8];
                for (uint32_t k = 0; k < 8; k++) {
                    vertex[k] = (z + (k >> 2)) * layer + (y + ((k >> 1) & 1)) * columns + x + (k & 1);
                }
                add_cell(form, vertex, (x + y + z) % 2 == 1, &at);
            }
        }
    }
}

static struct point drawn_to_ball(struct point p, double radius) {
    const double x = p.x < 0.0 ? -p.x : p.x;
    const double y = p.y < 0.0 ? -p.y : p.y;
    const double z = p.z < 0.0 ? -p.z : p.z;
    const double shell = x > y ? (x > z ? x : z) : y > z ? y : z;
    const double length = point_length(p);
    return length > 0.0 ? point_scale(p, radius * shell / length) : p;
}

static void add_lattice(const struct sim_soft_desc *desc, struct soft_form *form) {
    const uint32_t cells[3] = {cells_along(desc, 0), cells_along(desc, 1), cells_along(desc, 2)};
    float *at = form->position;
    assert(at != NULL);
    for (uint32_t z = 0; z <= cells[2]; z++) {
        for (uint32_t y = 0; y <= cells[1]; y++) {
            for (uint32_t x = 0; x <= cells[0]; x++) {
                struct point p = {2.0 * x / cells[0] - 1.0, 2.0 * y / cells[1] - 1.0, 2.0 * z / cells[2] - 1.0};
                if (desc->shape == SIM_SOFT_BALL) {
                    p = drawn_to_ball(p, (double)desc->radius);
                } else {
                    p = (struct point){0.5 * p.x * (double)desc->extents.x, 0.5 * p.y * (double)desc->extents.y,
                                       0.5 * p.z * (double)desc->extents.z};
                }
                *at++ = (float)p.x;
                *at++ = (float)p.y;
                *at++ = (float)p.z;
            }
        }
    }
    add_cells(form, cells);
}

// ---- checks ------------------------------------------------------------------------------------------------------

static struct point point_at(const struct soft_form *form, uint32_t particle) {
    const float *p = form->position + 3 * (size_t)particle;
    return (struct point){(double)p[0], (double)p[1], (double)p[2]};
}

static enum result refuse(uint32_t tetrahedron, const char *why, struct fault *fault) {
    char pointer[FAULT_POINTER_MAX];
    snprintf(pointer, sizeof pointer, "/tetrahedra/%u", tetrahedron);
    return fault_set(fault, RESULT_INVALID, pointer, "tetrahedron %u %s", tetrahedron, why);
}

static enum result check_indices(const struct soft_form *form, struct fault *fault) {
    for (uint32_t i = 0; i < form->tetrahedra; i++) {
        const uint32_t *corner = form->corner + 4 * (size_t)i;
        for (unsigned k = 0; k < 4; k++) {
            for (unsigned j = k + 1; j < 4; j++) {
                if (corner[k] == corner[j]) {
                    return refuse(i, "must have four different corners", fault);
                }
            }
            if (corner[k] >= form->particles) {
                char pointer[FAULT_POINTER_MAX];
                snprintf(pointer, sizeof pointer, "/tetrahedra/%u", i);
                return fault_set(fault, RESULT_INVALID, pointer,
                                 "tetrahedron %u names particle %u; there are %u, counted from 0", i, corner[k],
                                 form->particles);
            }
        }
    }
    return RESULT_OK;
}

// Puts the corners of each into an order of positive volume; refuses flat ones.
static enum result orient(struct soft_form *form, struct fault *fault) {
    for (uint32_t i = 0; i < form->tetrahedra; i++) {
        uint32_t *corner = form->corner + 4 * (size_t)i;
        struct point p[4];
        double longest = 0.0;
        for (unsigned k = 0; k < 4; k++) {
            p[k] = point_at(form, corner[k]);
            for (unsigned j = 0; j < k; j++) {
                const double length = point_length(point_sub(p[k], p[j]));
                longest = length > longest ? length : longest;
            }
        }
        const double six = tetrahedron_six_volumes(p[0], p[1], p[2], p[3]);
        const double size = six < 0.0 ? -six : six;
        if (!(size > 6.0 * FLAT_SHARE * longest * longest * longest) || !(size > 1e-24)) {
            return refuse(i, "is flat: its four corners must not lie in one plane", fault);
        }
        if (six < 0.0) {
            const uint32_t last = corner[3];
            corner[3] = corner[2];
            corner[2] = last;
        }
    }
    return RESULT_OK;
}

static enum result check_used(const struct soft_form *form, struct fault *fault) {
    bool *used = calloc(form->particles, sizeof *used);
    enum result result = RESULT_OK;
    if (used == NULL) {
        return fault_set(fault, RESULT_MEMORY, "", "out of memory for %u particles", form->particles);
    }
    for (size_t i = 0; i < 4 * (size_t)form->tetrahedra; i++) {
        used[form->corner[i]] = true;
    }
    for (uint32_t i = 0; i < form->particles && result == RESULT_OK; i++) {
        if (!used[i]) {
            char pointer[FAULT_POINTER_MAX];
            snprintf(pointer, sizeof pointer, "/positions/%u", i);
            result = fault_set(fault, RESULT_INVALID, pointer, "particle %u belongs to no tetrahedron", i);
        }
    }
    free(used);
    return result;
}

static enum result take_given(const struct sim_soft_desc *desc, struct soft_form *form, struct fault *fault) {
    const enum result result = check_array(desc->positions, 3 * desc->particles, -SIM_POSITION_MAX, SIM_POSITION_MAX,
                                           "m", "/positions", fault);
    if (result != RESULT_OK) {
        return result;
    }
    memcpy(form->position, desc->positions, 3 * (size_t)desc->particles * sizeof *form->position);
    memcpy(form->corner, desc->tetrahedra, 4 * (size_t)desc->tetrahedron_count * sizeof *form->corner);
    return check_indices(form, fault);
}

enum result soft_form_make(const struct sim_soft_desc *desc, struct soft_form *form, struct fault *fault) {
    const struct soft_size size = soft_form_size(desc);
    *form = (struct soft_form){.particles = (uint32_t)size.particles, .tetrahedra = (uint32_t)size.tetrahedra};
    enum result result = reserve(form, fault);
    if (result == RESULT_OK && desc->shape == SIM_SOFT_TETRAHEDRA) {
        result = take_given(desc, form, fault);
    } else if (result == RESULT_OK) {
        add_lattice(desc, form);
    }
    if (result == RESULT_OK) {
        result = orient(form, fault);
    }
    if (result == RESULT_OK) {
        result = check_used(form, fault);
    }
    return result == RESULT_OK ? soft_surface_find(form, fault) : result;
}
