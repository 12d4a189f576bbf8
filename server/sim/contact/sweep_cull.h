// SPDX-License-Identifier: MIT
// Pairs of a moving convex shape and an obstacle that cannot meet in a substep.
#ifndef WEFT_SIM_CONTACT_SWEEP_CULL_H
#define WEFT_SIM_CONTACT_SWEEP_CULL_H

#include "sim/contact/obstacle_surface.h"
#include "sim/contact/sweep.h"

// Whether the mover stays out of reach all the way: nearer than sweep_near_distance of its gap it would have a contact.
// What stays under the surface of a solid is turned out by its other facets.
bool sweep_culls_facet(const struct sweep *sweep, const struct facet *facet, bool solid);
bool sweep_culls_box(const struct sweep *sweep, const struct obstacle *obstacle);
// Above one face of a box from start to end, but for what a substep of resting on it adds, and nowhere beyond its rim:
// only its vertices can meet that face. What reaches beyond it may lie on the rim with none of its vertices over the
// face.
bool sweep_stays_above_a_face(const struct sweep *sweep, const struct obstacle *obstacle);

#endif
