// SPDX-License-Identifier: MIT
// Early rejection of sweeps and obstacles that cannot touch in a substep.
#ifndef WEFT_SIM_CONTACT_SWEEP_CULL_H
#define WEFT_SIM_CONTACT_SWEEP_CULL_H

#include "sim/contact/obstacle_surface.h"
#include "sim/contact/sweep.h"

// True if the sweep stays farther than sweep_near_distance from the obstacle all the way. A sweep under the surface of
// a solid is pushed out by other facets of the solid.
bool sweep_culls_facet(const struct sweep *sweep, const struct facet *facet, bool solid);
bool sweep_culls_box(const struct sweep *sweep, const struct obstacle *obstacle);
// True if the sweep is above one face of a box from start to end (a substep's penetration at rest apart) and nowhere
// beyond the face's rim: then only its vertices can touch the face. A shape that reaches beyond the rim may rest on it
// with no vertex over the face.
bool sweep_stays_above_a_face(const struct sweep *sweep, const struct obstacle *obstacle);

#endif
