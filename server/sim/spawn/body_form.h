// SPDX-License-Identifier: MIT
// The form of a rigid body before it is placed.
#ifndef WEFT_SIM_SPAWN_BODY_FORM_H
#define WEFT_SIM_SPAWN_BODY_FORM_H

#include "sim/geometry/hull.h"
#include "sim/sim.h"

// A body before it is placed, in local coordinates.
struct body_form {
    struct vec3 corner[4]; // m, positions of the particles
    float mass[4];         // kg
    struct vec3 origin;    // m, the point that is placed at the given position
    struct vec3 centre;    // m, of mass
    bool embedded;         // the members below are set
    struct hull hull;
    float weight[HULL_POINTS_MAX][4]; // weights of each hull vertex in the four particles
};

enum result body_form_make(const struct sim_body_desc *desc, struct body_form *form, struct fault *fault) WEFT_MUST_USE;
float body_determinant(struct vec3 p0, struct vec3 p1, struct vec3 p2, struct vec3 p3); // m³, det[e1, e2, e3]

#endif
