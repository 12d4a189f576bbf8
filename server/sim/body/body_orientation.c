// SPDX-License-Identifier: MIT
// The orientation of a body: the rotation nearest to the map from its rest edges to its present ones (polar
// decomposition; N. Higham, "Computing the polar decomposition", 1986; PHYSICS.md 6.7).
//
// Higham's iteration R ← (R + R^−T)/2 doubles the correct digits in each round and needs neither eigenvalues nor an
// initial guess.
#include <assert.h>

#include "sim/geometry/point.h"
#include "sim/world/particle.h"

#define ROUNDS 12u

// Columns.
struct matrix {
    struct point column[3];
};

static struct matrix cofactors(const struct matrix *m) {
    return (struct matrix){{point_cross(m->column[1], m->column[2]), point_cross(m->column[2], m->column[0]),
                            point_cross(m->column[0], m->column[1])}};
}

static double determinant(const struct matrix *m) {
    return point_dot(point_cross(m->column[0], m->column[1]), m->column[2]);
}

// Present edges times the inverse of the rest edges: Σ e_i·r^i with the reciprocal vectors r^i.
static struct matrix map_between(const struct matrix *now, const struct matrix *rest) {
    const struct matrix reciprocal = cofactors(rest);
    const double scale = 1.0 / determinant(rest);
    struct matrix map = {0};
    for (unsigned i = 0; i < 3; i++) {
        const struct point r = point_scale(reciprocal.column[i], scale);
        map.column[0] = point_add(map.column[0], point_scale(now->column[i], r.x));
        map.column[1] = point_add(map.column[1], point_scale(now->column[i], r.y));
        map.column[2] = point_add(map.column[2], point_scale(now->column[i], r.z));
    }
    return map;
}

static bool make_rotation(struct matrix *m) {
    for (unsigned round = 0; round < ROUNDS; round++) {
        const struct matrix cofactor = cofactors(m);
        const double scale = determinant(m);
        if (!(scale > 1e-12)) {
            return false;
        }
        for (unsigned i = 0; i < 3; i++) {
            const struct point inverse = point_scale(cofactor.column[i], 1.0 / scale);
            m->column[i] = point_scale(point_add(m->column[i], inverse), 0.5);
        }
    }
    return true;
}

// Computes the largest component first, so that no root is taken of a difference near 0 (S. Shepperd, 1978). w ≥ 0.
static struct quat quat_of(const struct matrix *m) {
    const struct point a = m->column[0];
    const struct point b = m->column[1];
    const struct point c = m->column[2];
    const double square[4] = {1.0 + a.x - b.y - c.z, 1.0 - a.x + b.y - c.z, 1.0 - a.x - b.y + c.z,
                              1.0 + a.x + b.y + c.z};
    unsigned largest = 3;
    for (unsigned i = 0; i < 3; i++) {
        largest = square[i] > square[largest] ? i : largest;
    }
    const double off[4][4] = {
        {square[0], a.y + b.x, c.x + a.z, b.z - c.y},
        {a.y + b.x, square[1], b.z + c.y, c.x - a.z},
        {c.x + a.z, b.z + c.y, square[2], a.y - b.x},
        {b.z - c.y, c.x - a.z, a.y - b.x, square[3]},
    };
    const double *row = off[largest];
    const double length = sqrt(row[0] * row[0] + row[1] * row[1] + row[2] * row[2] + row[3] * row[3]);
    const double scale = row[3] < 0.0 ? -1.0 / length : 1.0 / length;
    return (struct quat){(float)(scale * row[0]), (float)(scale * row[1]), (float)(scale * row[2]),
                         (float)(scale * row[3])};
}

struct quat sim_object_orientation(const struct sim_world *world, uint32_t index) {
    const struct quat identity = {0.0f, 0.0f, 0.0f, 1.0f};
    assert(index < world->state.objects);
    const struct object *object = &world->object[index];
    if (object->kind != SIM_KIND_BODY) {
        return identity;
    }
    struct matrix now;
    struct matrix rest;
    for (uint32_t i = 0; i < 3; i++) {
        const struct point origin = point_of(particle_position(world, object->first));
        now.column[i] = point_sub(point_of(particle_position(world, object->first + 1 + i)), origin);
        rest.column[i] = point_of(object->rest_edge[i]);
    }
    struct matrix map = map_between(&now, &rest);
    return make_rotation(&map) ? quat_of(&map) : identity;
}
