// SPDX-License-Identifier: MIT
// The volume that a closed mesh encloses.
#ifndef WEFT_SIM_WORLD_ENCLOSURE_H
#define WEFT_SIM_WORLD_ENCLOSURE_H

#include "sim/world/world.h"

// m³, of an object's triangles where they are published; signed, above 0 where they wind outward.
double enclosure_volume(const struct sim_world *world, const struct object *object);
// Checks that every edge of an object's triangles is met by exactly two, which run along it in opposite directions, and
// that they wind outward; sets the volume in m³. Errors: RESULT_INVALID with the edge to blame, RESULT_MEMORY.
enum result enclosure_measure(const struct sim_world *world, const struct object *object, float *volume,
                              struct fault *fault) WEFT_MUST_USE;
enum result enclosure_check_pressure(float pressure, struct fault *fault) WEFT_MUST_USE; // Pa
void enclosure_open(struct object *object); // its gas is gone: the mesh has torn

#endif
