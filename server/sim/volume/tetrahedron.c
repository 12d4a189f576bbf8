// SPDX-License-Identifier: MIT
// Reading a tetrahedron of a soft body: its rest shape, its deformation gradient, its energy.
#include "sim/volume/tetrahedron.h"

#include "sim/world/layout.h"
#include "sim/world/particle.h"

#define REST_NUMBERS 10u

void tetrahedron_set_rest(struct sim_world *world, uint32_t index, const struct point corner[4]) {
    float *rest = world->tetrahedron_rest + REST_NUMBERS * (size_t)index;
    const struct point e[3] = {point_sub(corner[1], corner[0]), point_sub(corner[2], corner[0]),
                               point_sub(corner[3], corner[0])};
    const double determinant = tetrahedron_determinant(e);
    for (unsigned i = 0; i < 3; i++) { // the inverse has the cross products of the columns as its rows
        const struct point row = point_scale(point_cross(e[(i + 1) % 3], e[(i + 2) % 3]), 1.0 / determinant);
        rest[3 * i] = (float)row.x;
        rest[3 * i + 1] = (float)row.y;
        rest[3 * i + 2] = (float)row.z;
    }
    rest[9] = (float)(determinant / 6.0);
}

// Positions are published coordinates and their low parts.
static struct point edge_of(const struct sim_world *world, uint32_t from, uint32_t to) {
    const struct vec3 x = vec3_sub(particle_position(world, to), particle_position(world, from));
    const struct vec3 low = vec3_sub(particle_low(world, to), particle_low(world, from));
    return point_add(point_of(x), point_of(low));
}

struct tetrahedron tetrahedron_at_rest(const struct sim_world *world, const struct object *object, uint32_t index) {
    const size_t place = (size_t)object->first_tetrahedron + index;
    const float *rest = world->tetrahedron_rest + REST_NUMBERS * place;
    const uint32_t *corner = world->tetrahedron + 4 * place;
    struct tetrahedron t = {.volume = (double)rest[9]};
    for (unsigned i = 0; i < 4; i++) {
        t.slot[i] = object->first + corner[i];
        t.w[i] = (double)world->w[t.slot[i]];
    }
    for (unsigned i = 1; i < 4; i++) {
        const float *row = rest + 3 * (size_t)(i - 1);
        t.b[i] = (struct point){(double)row[0], (double)row[1], (double)row[2]};
        t.b[0] = point_sub(t.b[0], t.b[i]);
        const struct point edge = edge_of(world, t.slot[0], t.slot[i]);
        t.start[0] = point_add(t.start[0], point_scale(edge, t.b[i].x));
        t.start[1] = point_add(t.start[1], point_scale(edge, t.b[i].y));
        t.start[2] = point_add(t.start[2], point_scale(edge, t.b[i].z));
    }
    return t;
}

struct tetrahedron_law tetrahedron_law_of(const struct object *object, double h) {
    const double young = (double)object->young;
    const double nu = (double)object->poisson;
    const double mu = young / (2.0 * (1.0 + nu));
    const double keep = young * nu; // λ·(1 + ν)·(1 − 2ν)
    return (struct tetrahedron_law){
        .strain = 1.0 / (2.0 * mu * h * h),
        .dilatation = keep > 0.0 ? (1.0 + nu) * (1.0 - 2.0 * nu) / (keep * h * h) : -1.0,
        .viscous = (double)object->viscosity / h,
        .start = object->projection == SIM_PROJECTION_START,
    };
}

struct tetrahedron_state tetrahedron_state_of(const struct sim_world *world, const struct object *object,
                                              uint32_t index) {
    const struct tetrahedron t = tetrahedron_at_rest(world, object, index);
    double squared = 0.0;
    for (unsigned i = 0; i < 3; i++) {
        for (unsigned j = 0; j < 3; j++) {
            const double strain = 0.5 * (point_dot(t.start[i], t.start[j]) - (i == j ? 1.0 : 0.0));
            squared += strain * strain;
        }
    }
    return (struct tetrahedron_state){sqrt(squared), tetrahedron_determinant(t.start)};
}

double tetrahedron_energy(const struct sim_world *world, const struct object *object) {
    const struct tetrahedron_law law = tetrahedron_law_of(object, 1.0);
    double energy = 0.0;
    for (uint32_t i = 0; i < object->tetrahedra; i++) {
        const struct tetrahedron_state state = tetrahedron_state_of(world, object, i);
        const double volume =
            (double)world->tetrahedron_rest[REST_NUMBERS * (size_t)(object->first_tetrahedron + i) + 9];
        const double swelling = state.volume - 1.0;
        energy += 0.5 * volume * state.strain * state.strain / law.strain;
        energy += law.dilatation > 0.0 ? 0.5 * volume * swelling * swelling / law.dilatation : 0.0;
    }
    return energy;
}

double sim_object_volume(const struct sim_world *world, uint32_t object) {
    struct object *found = NULL;
    double volume = 0.0;
    if (layout_find(world, object, &found, NULL) != RESULT_OK) {
        return volume;
    }
    for (uint32_t i = 0; i < found->tetrahedra; i++) {
        const size_t place = (size_t)found->first_tetrahedron + i;
        volume +=
            tetrahedron_state_of(world, found, i).volume * (double)world->tetrahedron_rest[REST_NUMBERS * place + 9];
    }
    return volume;
}
