// SPDX-License-Identifier: MIT
// Boxes along the axes, in m.
#ifndef WEFT_SIM_CLOTH_CONTACT_CLOTH_CONTACT_BOX_H
#define WEFT_SIM_CLOTH_CONTACT_CLOTH_CONTACT_BOX_H

#include "sim/geometry/scalar.h"

// Both corners can be read as four floats.
struct cloth_contact_box {
    struct vec3 min;
    float after_min;
    struct vec3 max;
    float after_max;
};

static inline void cloth_contact_box_add(struct cloth_contact_box *box, struct vec3 p) {
    box->min = vec3_of(scalar_min(box->min.x, p.x), scalar_min(box->min.y, p.y), scalar_min(box->min.z, p.z));
    box->max = vec3_of(scalar_max(box->max.x, p.x), scalar_max(box->max.y, p.y), scalar_max(box->max.z, p.z));
}

#endif
