// SPDX-License-Identifier: MIT
// The faces of objects that collide as cloth does: triangles, segments of ropes, loose particles.
#ifndef WEFT_SIM_CLOTH_CONTACT_CLOTH_CONTACT_FACE_H
#define WEFT_SIM_CLOTH_CONTACT_CLOTH_CONTACT_FACE_H

#include "sim/world/world.h"

// How many corners of an object's faces differ.
static inline unsigned cloth_contact_corners(const struct object *object) {
    return object->kind == SIM_KIND_PARTICLES ? 1 : object->kind == SIM_KIND_ROPE ? 2 : 3;
}

// The distance that two such objects keep, in m.
static inline float cloth_contact_thickness(const struct object *object) {
    return cloth_contact_corners(object) < 3 ? 2.0f * object->radius : object->radius;
}

#endif
