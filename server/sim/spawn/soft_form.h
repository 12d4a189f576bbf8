// SPDX-License-Identifier: MIT
// The tetrahedra of a new soft body, and its surface.
#ifndef WEFT_SIM_SPAWN_SOFT_FORM_H
#define WEFT_SIM_SPAWN_SOFT_FORM_H

#include "sim/world/world.h"

// In temporary memory.
struct soft_form {
    float *position;          // m, 3 per particle, local
    uint32_t *corner;         // 4 indices of each tetrahedron, in an order of positive volume
    uint32_t *triangle;       // 3 indices of each, outward
    uint32_t *colour, *order; // of the tetrahedra (tetrahedron_plan.h)
    struct soft_face *face;   // of all tetrahedra
    uint32_t particles, tetrahedra, triangles;
};

// The number of particles and tetrahedra of what is described.
struct soft_size {
    uint64_t particles, tetrahedra;
};
struct soft_size soft_form_size(const struct sim_soft_desc *desc);
// Errors: RESULT_INVALID (flat tetrahedra, indices out of range, faces that do not fit, particles of no tetrahedron),
// RESULT_MEMORY. To be freed in either case.
enum result soft_form_make(const struct sim_soft_desc *desc, struct soft_form *form, struct fault *fault) WEFT_MUST_USE;
void soft_form_free(struct soft_form *form);

#endif
