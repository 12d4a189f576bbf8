// SPDX-License-Identifier: MIT
// Panels: the triangles of fabric, each with its shape at rest in the directions of warp and weft (PHYSICS.md 7.5).
//
// The state of a panel is its shape, `panel_shape`, and its curvature at rest, `panel_curve`; both stay with their
// triangle when the sheet tears. All else is scratch and follows from them and the triangles: struct panel.
#ifndef WEFT_SIM_STICK_PANEL_H
#define WEFT_SIM_STICK_PANEL_H

#include "sim/world/world.h"

#define PANEL_CORNERS 6u  // the triangle's three, then those across its edges; edge k faces corner k
#define PANEL_LAMBDAS 12u // warp, weft and shear; then a vector each of the curvatures of warp, of weft, and twist

struct panel {
    uint32_t corner[PANEL_CORNERS]; // local; where a neighbour is missing, corner 0 with weight 0
    uint32_t triangle;              // of the object
    float shape[4];                 // 1/m: warp = edge1·[0] + edge2·[1], weft = edge1·[2] + edge2·[3]
    float area;                     // m², at rest
    float curve[3];                 // 1/m, at rest
    float weight[3][PANEL_CORNERS]; // 1/m²: the second derivatives Σ weight·p
    bool bends;
};

// Sets the shapes of a new object's panels from its local positions, and their curvature at rest to 0, or to that of
// the mesh. Errors: RESULT_INVALID, a triangle without an area.
enum result panel_set(struct sim_world *world, struct object *object, struct fault *fault) WEFT_MUST_USE;
void panel_resolve(struct sim_world *world); // finds the panels of all objects, when stale
// Whether a stranger's values can be those of a panel.
bool panel_shape_is_sound(const float shape[4]);
bool panel_curve_is_sound(const float curve[3]);
// m², at rest.
float panel_area(const float shape[4]);

#endif
