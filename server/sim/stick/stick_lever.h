// SPDX-License-Identifier: MIT
// How the end of an added stick gives way to a push (PHYSICS.md 3.9): the particles that carry it each by their share
// of it, or a rigid body as a whole.
#ifndef WEFT_SIM_STICK_STICK_LEVER_H
#define WEFT_SIM_STICK_STICK_LEVER_H

#include "sim/geometry/point.h"
#include "sim/world/world.h"

// A symmetric matrix.
struct symmetric {
    double xx, yy, zz, xy, xz, yz;
};

struct stick_lever {
    bool rigid;
    uint32_t first;        // slot of a body's first particle
    double inverse_mass;   // 1/kg, of a body
    struct point arm;      // m, from a body's centre of mass to the end
    struct point reach[4]; // m, to its particles
    struct symmetric turn; // 1/(kg·m²), the inverse of its inertia tensor
};

struct point symmetric_apply(const struct symmetric *m, struct point v);
// Returns false, and nothing, where there is no inverse.
bool symmetric_invert(const struct symmetric *m, struct symmetric *inverse);

// Of a body that is free to move, at the substep's start; of anything else a lever that is not rigid. `end` is where
// the stick ends.
struct stick_lever stick_lever_of(const struct sim_world *world, const struct object *object, struct point end);
// Adds to `k` the matrix that takes a push, in N·s², to the way that the end of a body makes.
void stick_lever_add(const struct stick_lever *lever, struct symmetric *k);
void stick_lever_push(struct sim_world *world, const struct stick_lever *lever, struct point push);

#endif
