// SPDX-License-Identifier: MIT
// Four particles for an embedded shape.
#ifndef WEFT_SIM_SPAWN_BODY_EMBED_H
#define WEFT_SIM_SPAWN_BODY_EMBED_H

#include "sim/geometry/mass.h"
#include "sim/spawn/body_form.h"

// Every second corner of a cube, as signs along the axes.
extern const float body_corner_signs[4][3];

// Sets the particles of a form from its mass properties; `total`: kg. `member` is to blame when the shape is too flat.
enum result body_embed(const struct mass_properties *mass, float total, struct body_form *form, const char *member,
                       struct fault *fault) WEFT_MUST_USE;
// The weights of a point of the shape in the four particles.
void body_embed_vertex(const struct mass_properties *mass, const float *point, float weight[4]);

#endif
