// SPDX-License-Identifier: MIT
// The form of a rigid body before it is placed.
#ifndef WEFT_SIM_SPAWN_BODY_FORM_H
#define WEFT_SIM_SPAWN_BODY_FORM_H

#include "sim/geometry/hull.h"
#include "sim/sim.h"

struct form_part {
    uint32_t vertex_end, triangle_end;
    float radius, thickness, rim; // m
    bool ring;
};

// A body before it is placed, in local coordinates.
struct body_form {
    struct vec3 corner[4];                  // m, positions of the particles
    float mass[4];                          // kg
    struct vec3 origin;                     // m, the point that is placed at the given position
    struct vec3 centre;                     // m, of mass
    bool embedded;                          // the members below are set
    struct hull hull;                       // of a box or a hull without a radius
    float weight[SIM_BODY_VERTICES_MAX][4]; // weights of each hull vertex in the four particles
    // Of the other embedded shapes: convex parts (part.h). `point`: the vertices, local.
    uint32_t parts, vertices, triangles;
    struct form_part part[SIM_BODY_PARTS_MAX];
    float point[SIM_BODY_VERTICES_MAX][3];
    uint32_t triangle[SIM_BODY_TRIANGLES_MAX][3];
};

enum result body_form_make(const struct sim_body_desc *desc, struct body_form *form, struct fault *fault) WEFT_MUST_USE;
float body_determinant(struct vec3 p0, struct vec3 p1, struct vec3 p2, struct vec3 p3); // m³, det[e1, e2, e3]

#endif
