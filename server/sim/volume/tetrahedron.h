// SPDX-License-Identifier: MIT
// A tetrahedron of a soft body as its constraints see it (PHYSICS.md 17).
#ifndef WEFT_SIM_VOLUME_TETRAHEDRON_H
#define WEFT_SIM_VOLUME_TETRAHEDRON_H

#include "sim/geometry/point.h"
#include "sim/world/world.h"

// What a soft body is made of, for a substep.
struct tetrahedron_law {
    double strain;     // J⁻¹·s⁻²·m³: 1/(2·μ·h²), the compliance of each strain times the volume
    double dilatation; // 1/(λ·h²), the same of the volume; below 0: it is not kept
    double viscous;    // viscosity/h
    bool start;        // along the directions at the substep's start
};

struct tetrahedron {
    uint32_t slot[4];
    struct point b[4];     // 1/m, gradients of the four weights of a point in it
    double w[4];           // 1/kg
    double volume;         // m³, at rest
    struct point f[3];     // columns of the deformation gradient F
    struct point start[3]; // of F at the substep's start
    double q[3][3];        // 1/(kg·m²), Σ w·b·bᵀ
};

static inline double tetrahedron_determinant(const struct point f[3]) {
    return point_dot(f[0], point_cross(f[1], f[2]));
}

// Six times the signed volume of four points: above 0 where the fourth lies on the side from which the first three run
// counter-clockwise as seen from the other side.
static inline double tetrahedron_six_volumes(struct point a, struct point b, struct point c, struct point d) {
    return point_dot(point_sub(b, a), point_cross(point_sub(c, a), point_sub(d, a)));
}

// The four corners' slots, rest shape and F where its particles are published.
struct tetrahedron tetrahedron_at_rest(const struct sim_world *world, const struct object *object, uint32_t index);
void tetrahedron_set_rest(struct sim_world *world, uint32_t index, const struct point corner[4]);
// J, of the object's tetrahedra where they are published.
double tetrahedron_energy(const struct sim_world *world, const struct object *object);
// The greatest magnitude of a principal strain would need eigenvalues; this is |E| of one tetrahedron, √(Σ E_ij²), and
// its volume as a share of that at rest.
struct tetrahedron_state {
    double strain, volume;
};
struct tetrahedron_state tetrahedron_state_of(const struct sim_world *world, const struct object *object,
                                              uint32_t index);
struct tetrahedron_law tetrahedron_law_of(const struct object *object, double h);

#endif
