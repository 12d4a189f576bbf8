// SPDX-License-Identifier: MIT
// The surface of a set of tetrahedra.
#ifndef WEFT_SIM_SPAWN_SOFT_SURFACE_H
#define WEFT_SIM_SPAWN_SOFT_SURFACE_H

#include "sim/spawn/soft_form.h"

struct soft_face {
    uint32_t low[3]; // its corners, rising
    uint32_t place;  // 4 times its tetrahedron, and the corner across from it
    bool turned;     // `low` is an odd order of its outward corners
};

// Lists the triangles of `form`: the faces that only one tetrahedron has. Refuses faces of more than two, or of two on
// the same side.
enum result soft_surface_find(struct soft_form *form, struct fault *fault) WEFT_MUST_USE;

#endif
