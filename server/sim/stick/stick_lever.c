// SPDX-License-Identifier: MIT
// A push P at the arm r from the centre of mass of a body moves its particles, which have the arms r_i, as if it were
// rigid, so that its own sticks have next to nothing to mend:
//
//   ω = I⁻¹·(r × P)        p_i += P/M + ω × r_i        K = 1/M − [r]×·I⁻¹·[r]×
//
// Arms and inertia are those of the substep's start, as the directions of SHAKE are (PHYSICS.md 3.3): so linear and
// angular momentum are kept.
#include "sim/stick/stick_lever.h"

#include "sim/world/particle.h"

#define SLENDER 1e-9 // least determinant of an inertia tensor, as a share of the cube of its trace

struct point symmetric_apply(const struct symmetric *m, struct point v) {
    return (struct point){m->xx * v.x + m->xy * v.y + m->xz * v.z, m->xy * v.x + m->yy * v.y + m->yz * v.z,
                          m->xz * v.x + m->yz * v.y + m->zz * v.z};
}

bool symmetric_invert(const struct symmetric *m, struct symmetric *inverse) {
    const double xx = m->yy * m->zz - m->yz * m->yz;
    const double xy = m->xz * m->yz - m->xy * m->zz;
    const double xz = m->xy * m->yz - m->xz * m->yy;
    const double determinant = m->xx * xx + m->xy * xy + m->xz * xz;
    const double trace = m->xx + m->yy + m->zz;
    if (!(determinant > SLENDER * trace * trace * trace)) {
        return false;
    }
    const double share = 1.0 / determinant;
    *inverse = (struct symmetric){
        .xx = share * xx,
        .yy = share * (m->xx * m->zz - m->xz * m->xz),
        .zz = share * (m->xx * m->yy - m->xy * m->xy),
        .xy = share * xy,
        .xz = share * xz,
        .yz = share * (m->xy * m->xz - m->xx * m->yz),
    };
    return true;
}

static struct point start_of(const struct sim_world *world, uint32_t slot) {
    return point_add(point_of(particle_position(world, slot)), point_of(particle_low(world, slot)));
}

static void add_inertia(double mass, struct point r, struct symmetric *sum) {
    sum->xx += mass * (r.y * r.y + r.z * r.z);
    sum->yy += mass * (r.x * r.x + r.z * r.z);
    sum->zz += mass * (r.x * r.x + r.y * r.y);
    sum->xy -= mass * r.x * r.y;
    sum->xz -= mass * r.x * r.z;
    sum->yz -= mass * r.y * r.z;
}

struct stick_lever stick_lever_of(const struct sim_world *world, const struct object *object, struct point end) {
    struct stick_lever lever = {.first = object->first};
    struct point sum = {0.0, 0.0, 0.0};
    double mass = 0.0;
    const struct point origin = start_of(world, object->first);
    if (object->kind != SIM_KIND_BODY || object->quarantined) {
        return lever;
    }
    for (uint32_t k = 0; k < 4; k++) {
        const double w = (double)world->w[object->first + k];
        if (!(w > 0.0)) {
            return lever;
        }
        lever.reach[k] = point_sub(start_of(world, object->first + k), origin);
        sum = point_add(sum, point_scale(lever.reach[k], 1.0 / w));
        mass += 1.0 / w;
    }
    const struct point centre = point_scale(sum, 1.0 / mass);
    struct symmetric inertia = {0};
    for (uint32_t k = 0; k < 4; k++) {
        lever.reach[k] = point_sub(lever.reach[k], centre);
        add_inertia(1.0 / (double)world->w[object->first + k], lever.reach[k], &inertia);
    }
    lever.arm = point_sub(point_sub(end, origin), centre);
    lever.inverse_mass = 1.0 / mass;
    lever.rigid = symmetric_invert(&inertia, &lever.turn);
    return lever;
}

void stick_lever_add(const struct stick_lever *lever, struct symmetric *k) {
    const struct point r = lever->arm;
    const struct symmetric *t = &lever->turn;
    // The columns of −[r]×·I⁻¹·[r]× are (I⁻¹·(r × e)) × r for the three axes e.
    const struct point x = point_cross(symmetric_apply(t, (struct point){0.0, r.z, -r.y}), r);
    const struct point y = point_cross(symmetric_apply(t, (struct point){-r.z, 0.0, r.x}), r);
    const struct point z = point_cross(symmetric_apply(t, (struct point){r.y, -r.x, 0.0}), r);
    k->xx += lever->inverse_mass + x.x;
    k->yy += lever->inverse_mass + y.y;
    k->zz += lever->inverse_mass + z.z;
    k->xy += x.y;
    k->xz += x.z;
    k->yz += y.z;
}

void stick_lever_push(struct sim_world *world, const struct stick_lever *lever, struct point push) {
    const struct point way = point_scale(push, lever->inverse_mass);
    const struct point turn = symmetric_apply(&lever->turn, point_cross(lever->arm, push));
    for (uint32_t k = 0; k < 4; k++) {
        const struct point moved = point_add(way, point_cross(turn, lever->reach[k]));
        particle_shift(world, lever->first + k, point_rounded(moved));
    }
}
