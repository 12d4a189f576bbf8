// SPDX-License-Identifier: MIT
// The answer of objects to blows (bouncer.h): Newton and Euler for four particles about their centre of mass.
#include "sim/bouncer.h"

#include "sim/contact.h"

static struct point at_slot(const float *x, const float *y, const float *z, uint32_t i) {
    return (struct point){(double)x[i], (double)y[i], (double)z[i]};
}

bool bouncer_is_rigid(const struct sim_world *world, const struct object *object) {
    bool rigid = object->kind == SIM_KIND_BODY;
    for (uint32_t i = object->first; i < object->first + object->particles && rigid; i++) {
        rigid = world->w[i] > 0.0f;
    }
    return rigid;
}

static struct point turned(const struct bouncer *bouncer, struct point moment) {
    const struct point *column = bouncer->inverse_inertia;
    return point_add(point_scale(column[0], moment.x),
                     point_add(point_scale(column[1], moment.y), point_scale(column[2], moment.z)));
}

// Of a symmetric matrix by its columns; none where it is singular.
static void invert(struct point column[3]) {
    const struct point row[3] = {point_cross(column[1], column[2]), point_cross(column[2], column[0]),
                                 point_cross(column[0], column[1])};
    const double determinant = point_dot(column[0], row[0]);
    for (unsigned k = 0; k < 3; k++) {
        column[k] = determinant > 0.0 ? point_scale(row[k], 1.0 / determinant) : (struct point){0};
    }
}

static void know_body(const struct sim_world *world, const struct object *object, struct bouncer *bouncer) {
    const uint32_t end = object->first + object->particles;
    double mass = 0.0;
    struct point momentum = {0};
    struct point moment = {0};
    for (uint32_t i = object->first; i < end; i++) {
        const double own = 1.0 / (double)world->w[i];
        mass += own;
        bouncer->centre = point_add(bouncer->centre, point_scale(at_slot(world->x, world->y, world->z, i), own));
        momentum = point_add(momentum, point_scale(at_slot(world->dx, world->dy, world->dz, i), own));
    }
    bouncer->centre = point_scale(bouncer->centre, 1.0 / mass);
    for (uint32_t i = object->first; i < end; i++) {
        const double own = 1.0 / (double)world->w[i];
        const struct point r = point_sub(at_slot(world->x, world->y, world->z, i), bouncer->centre);
        const struct point d = point_scale(at_slot(world->dx, world->dy, world->dz, i), own);
        const double squared = point_dot(r, r);
        struct point *column = bouncer->inverse_inertia;
        moment = point_add(moment, point_cross(r, d));
        column[0] = point_add(column[0], point_scale((struct point){squared - r.x * r.x, -r.x * r.y, -r.x * r.z}, own));
        column[1] = point_add(column[1], point_scale((struct point){-r.y * r.x, squared - r.y * r.y, -r.y * r.z}, own));
        column[2] = point_add(column[2], point_scale((struct point){-r.z * r.x, -r.z * r.y, squared - r.z * r.z}, own));
    }
    invert(bouncer->inverse_inertia);
    bouncer->inverse_mass = 1.0 / mass;
    bouncer->motion.going = point_scale(momentum, bouncer->inverse_mass);
    bouncer->motion.spin = turned(bouncer, moment);
}

static struct bouncer *bouncer_at(struct sim_world *world, uint32_t place) {
    struct bouncer *bouncer = &world->bouncer[place];
    if (!bouncer->known) {
        *bouncer = (struct bouncer){
            .known = true, .rigid = bouncer_is_rigid(world, &world->object[place]), .time = BOUNCER_NEVER};
        if (bouncer->rigid) {
            know_body(world, &world->object[place], bouncer);
        }
    }
    return bouncer;
}

static bool is_of(const struct grip *grip, uint32_t slot) {
    return slot >= grip->object->first && slot < grip->object->first + grip->object->particles;
}

struct grip bouncer_grip(struct sim_world *world, const struct contact *contact, bool first) {
    const uint32_t place = first ? contact->object_a : contact->object_b;
    struct grip grip = {.sense = first ? 1.0 : -1.0};
    if (place == CONTACT_NO_OBJECT) {
        return grip;
    }
    grip.bouncer = bouncer_at(world, place);
    grip.object = &world->object[place];
    struct point at = {0};
    for (uint32_t k = 0; k < contact->carriers && grip.bouncer->rigid; k++) {
        const uint32_t i = contact->slot[k];
        if (is_of(&grip, i)) {
            at = point_add(at, point_scale(at_slot(world->x, world->y, world->z, i), (double)contact->weight[k]));
        }
    }
    grip.arm = point_sub(point_scale(at, grip.sense), grip.bouncer != NULL ? grip.bouncer->centre : at);
    return grip;
}

double bouncer_yield(const struct sim_world *world, const struct contact *contact, const struct grip grip[2],
                     struct point direction) {
    double yield = 0.0;
    for (unsigned side = 0; side < 2; side++) {
        const struct grip *of = &grip[side];
        if (of->object == NULL) {
            continue;
        }
        if (of->bouncer->rigid) {
            const struct point moment = point_cross(of->arm, direction);
            yield += of->bouncer->inverse_mass + point_dot(moment, turned(of->bouncer, moment));
            continue;
        }
        for (uint32_t k = 0; k < contact->carriers; k++) {
            const double weight = (double)contact->weight[k];
            yield += is_of(of, contact->slot[k]) ? (double)world->w[contact->slot[k]] * weight * weight : 0.0;
        }
    }
    return yield;
}

struct point bouncer_speed(const struct sim_world *world, const struct contact *contact, const struct grip grip[2]) {
    struct point sum = {0};
    for (unsigned side = 0; side < 2; side++) {
        const struct grip *of = &grip[side];
        if (of->object == NULL) {
            continue;
        }
        if (of->bouncer->rigid) {
            const struct twist *motion = &of->bouncer->motion;
            const struct point speed = point_add(motion->going, point_cross(motion->spin, of->arm));
            sum = point_add(sum, point_scale(speed, of->sense));
            continue;
        }
        for (uint32_t k = 0; k < contact->carriers; k++) {
            const uint32_t i = contact->slot[k];
            const double weight = is_of(of, i) ? (double)contact->weight[k] : 0.0;
            sum = point_add(sum, point_scale(at_slot(world->dx, world->dy, world->dz, i), weight));
        }
    }
    return sum;
}

static void add_twist(struct twist *to, const struct twist *change, double share) {
    to->going = point_add(to->going, point_scale(change->going, share));
    to->spin = point_add(to->spin, point_scale(change->spin, share));
}

static void displace(struct sim_world *world, uint32_t i, struct point way) {
    world->dx[i] += (float)way.x;
    world->dy[i] += (float)way.y;
    world->dz[i] += (float)way.z;
}

void bouncer_push(struct sim_world *world, const struct contact *contact, const struct grip grip[2],
                  struct point impulse, double time) {
    for (unsigned side = 0; side < 2; side++) {
        const struct grip *of = &grip[side];
        if (of->object == NULL) {
            continue;
        }
        if (of->bouncer->rigid) {
            const struct point own = point_scale(impulse, of->sense);
            const struct twist change = {point_scale(own, of->bouncer->inverse_mass),
                                         turned(of->bouncer, point_cross(of->arm, own))};
            add_twist(&of->bouncer->motion, &change, 1.0);
            add_twist(&of->bouncer->now, &change, 1.0 - time);
            add_twist(&of->bouncer->late, &change, time);
            continue;
        }
        for (uint32_t k = 0; k < contact->carriers; k++) {
            const uint32_t i = contact->slot[k];
            if (is_of(of, i)) {
                displace(world, i, point_scale(impulse, (double)world->w[i] * (double)contact->weight[k]));
            }
        }
    }
}

void bouncer_turn(struct sim_world *world, const struct object *object, const struct twist *twist) {
    const uint32_t end = object->first + object->particles;
    struct point centre = {0};
    double mass = 0.0;
    for (uint32_t i = object->first; i < end; i++) {
        const double own = 1.0 / (double)world->w[i];
        centre = point_add(centre, point_scale(at_slot(world->x, world->y, world->z, i), own));
        mass += own;
    }
    centre = point_scale(centre, 1.0 / mass);
    for (uint32_t i = object->first; i < end; i++) {
        const struct point arm = point_sub(at_slot(world->x, world->y, world->z, i), centre);
        displace(world, i, point_add(twist->going, point_cross(twist->spin, arm)));
    }
}
