// SPDX-License-Identifier: MIT
// Restitution (physics.md 5): what a contact's points approached one another with before the substep becomes e times
// as much of a separation after it.
//
// A body takes the blow as a whole, with its mass, its inertia and the motion it has as a whole: given to the contact's
// carriers alone it would go into strain, which relaxation takes away. Everything else takes it by the contact's
// weights.
#include "sim/contact.h"
#include "sim/point.h"

// Slower approaches do not bounce: what lies still would tremble.
#define RESTITUTION_SPEED_MIN 0.5f // m/s
#define INERTIA_SHARE_MIN 1e-12    // of the trace: ten thousand times its rounding
#define RESTITUTION_SWEEPS 8u      // a body leaves a surface with several points at once

// One side of a contact: how a unit impulse along the normal moves it.
struct blow {
    const struct object *body; // NULL: by weights
    struct point centre;
    double inverse_mass;      // 1/kg
    struct point turn;        // rad per substep: I⁻¹·(r × n)
    struct point going, spin; // m and rad per substep: the motion as a whole, which is all that is left after it
    double yield;             // 1/kg: what the contact's point gives along the normal
    double speed;             // m per substep, of that point along the normal; of B against it
};

static struct point at_slot(const float *x, const float *y, const float *z, uint32_t i) {
    return (struct point){(double)x[i], (double)y[i], (double)z[i]};
}

static bool is_of(const struct object *object, uint32_t slot) {
    return slot >= object->first && slot < object->first + object->particles;
}

static bool is_rigid(const struct sim_world *world, const struct object *object) {
    bool rigid = object->kind == SIM_KIND_BODY && object->particles == 4;
    for (uint32_t k = 0; k < 4 && rigid; k++) {
        rigid = world->w[object->first + k] > 0.0f;
    }
    return rigid;
}

// I·v = t for the inertia of four particles about their centre, by Cramer's rule. A body that is crushed to a line or a
// point has next to none about some axis; what it then has is rounding, so a share of the whole is added about each.
static struct point solve_inertia(const struct sim_world *world, const struct blow *blow, struct point t) {
    struct point column[3] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    for (uint32_t k = 0; k < 4; k++) {
        const uint32_t i = blow->body->first + k;
        const double mass = 1.0 / (double)world->w[i];
        const struct point r = point_sub(at_slot(world->x, world->y, world->z, i), blow->centre);
        const double squared = point_dot(r, r);
        column[0] =
            point_add(column[0], point_scale((struct point){squared - r.x * r.x, -r.x * r.y, -r.x * r.z}, mass));
        column[1] =
            point_add(column[1], point_scale((struct point){-r.y * r.x, squared - r.y * r.y, -r.y * r.z}, mass));
        column[2] =
            point_add(column[2], point_scale((struct point){-r.z * r.x, -r.z * r.y, squared - r.z * r.z}, mass));
    }
    const double least = INERTIA_SHARE_MIN * (column[0].x + column[1].y + column[2].z);
    column[0].x += least;
    column[1].y += least;
    column[2].z += least;
    const double determinant = point_dot(column[0], point_cross(column[1], column[2]));
    if (!(determinant > 0.0)) {
        return (struct point){0};
    }
    const struct point v = {point_dot(t, point_cross(column[1], column[2])),
                            point_dot(column[0], point_cross(t, column[2])),
                            point_dot(column[0], point_cross(column[1], t))};
    return point_scale(v, 1.0 / determinant);
}

static struct blow blow_on_body(const struct sim_world *world, const struct contact *contact,
                                const struct object *body) {
    struct blow blow = {.body = body};
    struct point p = {0};
    double mass = 0.0;
    double sum = 0.0;
    for (uint32_t k = 0; k < 4; k++) {
        const uint32_t i = body->first + k;
        const double own = 1.0 / (double)world->w[i];
        blow.centre = point_add(blow.centre, point_scale(at_slot(world->x, world->y, world->z, i), own));
        mass += own;
    }
    blow.centre = point_scale(blow.centre, 1.0 / mass);
    struct point going = {0};   // Σ m·d
    struct point turning = {0}; // Σ r × m·d
    for (uint32_t i = body->first; i < body->first + 4; i++) {
        const struct point d = point_scale(at_slot(world->dx, world->dy, world->dz, i), 1.0 / (double)world->w[i]);
        const struct point arm = point_sub(at_slot(world->x, world->y, world->z, i), blow.centre);
        going = point_add(going, d);
        turning = point_add(turning, point_cross(arm, d));
    }
    for (uint32_t k = 0; k < contact->carriers; k++) {
        if (is_of(body, contact->slot[k])) {
            const double weight = (double)contact->weight[k];
            p = point_add(p, point_scale(at_slot(world->x, world->y, world->z, contact->slot[k]), weight));
            sum += weight;
        }
    }
    const struct point n = point_of(contact->normal);
    const struct point r = point_sub(point_scale(p, 1.0 / sum), blow.centre); // `sum` is 1 of A, −1 of B
    blow.inverse_mass = 1.0 / mass;
    blow.turn = solve_inertia(world, &blow, point_cross(r, n));
    blow.yield = blow.inverse_mass + point_dot(n, point_cross(blow.turn, r));
    blow.going = point_scale(going, 1.0 / mass);
    blow.spin = solve_inertia(world, &blow, turning);
    blow.speed = sum * point_dot(n, point_add(blow.going, point_cross(blow.spin, r)));
    return blow;
}

static struct blow blow_on(const struct sim_world *world, const struct contact *contact, bool first) {
    const uint32_t place = first ? contact->object_a : contact->object_b;
    if (place != CONTACT_NO_OBJECT && is_rigid(world, &world->object[place])) {
        return blow_on_body(world, contact, &world->object[place]);
    }
    struct blow blow = {0};
    const struct object *a = &world->object[contact->object_a];
    for (uint32_t k = 0; k < contact->carriers; k++) {
        if (is_of(a, contact->slot[k]) == first) {
            const double weight = (double)contact->weight[k];
            const struct point d = at_slot(world->dx, world->dy, world->dz, contact->slot[k]);
            blow.yield += (double)world->w[contact->slot[k]] * weight * weight;
            blow.speed += weight * point_dot(point_of(contact->normal), d);
        }
    }
    return blow;
}

static void strike(struct sim_world *world, const struct contact *contact, const struct blow *blow, bool first,
                   double impulse) {
    const struct point n = point_of(contact->normal);
    if (blow->body != NULL) {
        const double sense = first ? impulse : -impulse;
        for (uint32_t i = blow->body->first; i < blow->body->first + 4; i++) {
            const struct point arm = point_sub(at_slot(world->x, world->y, world->z, i), blow->centre);
            const struct point way =
                point_scale(point_add(point_scale(n, blow->inverse_mass), point_cross(blow->turn, arm)), sense);
            const struct point whole = point_add(blow->going, point_cross(blow->spin, arm));
            world->dx[i] = (float)(whole.x + way.x);
            world->dy[i] = (float)(whole.y + way.y);
            world->dz[i] = (float)(whole.z + way.z);
        }
        return;
    }
    const struct object *a = &world->object[contact->object_a];
    for (uint32_t k = 0; k < contact->carriers; k++) {
        const uint32_t i = contact->slot[k];
        if (is_of(a, i) == first) {
            const double share = impulse * (double)world->w[i] * (double)contact->weight[k];
            world->dx[i] += (float)(share * n.x);
            world->dy[i] += (float)(share * n.y);
            world->dz[i] += (float)(share * n.z);
        }
    }
}

static void bounce(struct sim_world *world, const struct contact *contact) {
    const struct blow a = blow_on(world, contact, true);
    const struct blow b = blow_on(world, contact, false);
    const double missing = (double)contact->restitution * (double)contact->approach - (a.speed + b.speed);
    if (missing > 0.0 && a.yield + b.yield > 0.0) {
        strike(world, contact, &a, true, missing / (a.yield + b.yield));
        strike(world, contact, &b, false, missing / (a.yield + b.yield));
    }
}

void contact_restore(struct sim_world *world) {
    const float slowest = RESTITUTION_SPEED_MIN * world_substep_seconds(world);
    for (unsigned sweep = 0; sweep < RESTITUTION_SWEEPS; sweep++) {
        for (uint32_t i = 0; i < world->contacts; i++) {
            const struct contact *contact = &world->contact[i];
            if (contact->restitution > 0.0f && contact->pushed > 0.0f && contact->approach > slowest) {
                bounce(world, contact);
            }
        }
    }
}
