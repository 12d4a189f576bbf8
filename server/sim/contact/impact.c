// SPDX-License-Identifier: MIT
// The answer of objects to blows (impact.h): Newton and Euler for up to four particles about their centre of
// mass.
#include "sim/contact/impact.h"

#include "sim/contact/contact.h"

#define INERTIA_SHARE_MIN 1e-12 // of the trace: ten thousand times its rounding
#define INERTIA_MIN 1e-60       // kg·m²; what has less is a point, which does not turn
#define SPIN_MAX 1.5            // rad per substep: a displacement cannot tell more from less

static struct point at_slot(const float *x, const float *y, const float *z, uint32_t i) {
    return (struct point){(double)x[i], (double)y[i], (double)z[i]};
}

// Where a particle goes in this substep.
static struct point end_of_slot(const struct sim_world *world, uint32_t i) {
    return point_add(at_slot(world->x, world->y, world->z, i), point_of(contact_displacement(world, i)));
}

bool bouncer_is_rigid(const struct sim_world *world, const struct object *object) {
    bool rigid = (object->kind == SIM_KIND_BODY && object->particles == 4) || object_is_frame(object);
    for (uint32_t k = 0; k < object->particles && rigid; k++) {
        rigid = world->w[object->first + k] > 0.0f;
    }
    return rigid;
}

// ---- four particles ----------------------------------------------------------------------------------------------

// Of an object of fewer those that are missing have no mass.
struct four {
    double mass[4], all; // kg
    struct point at[4];  // seen from `centre`
    struct point centre;
};

static struct four four_at(const struct sim_world *world, const struct object *object, const struct point at[4]) {
    struct four four = {0};
    for (uint32_t k = 0; k < object->particles; k++) {
        four.mass[k] = 1.0 / (double)world->w[object->first + k];
        four.at[k] = at[k];
        four.all += four.mass[k];
        four.centre = point_add(four.centre, point_scale(four.at[k], four.mass[k]));
    }
    four.centre = point_scale(four.centre, 1.0 / four.all);
    for (unsigned k = 0; k < 4; k++) {
        four.at[k] = point_sub(four.at[k], four.centre);
    }
    return four;
}

static struct four four_of(const struct sim_world *world, const struct object *object, const float *x, const float *y,
                           const float *z) {
    struct point at[4];
    for (uint32_t k = 0; k < 4; k++) {
        at[k] = at_slot(x, y, z, object->first + k);
    }
    return four_at(world, object, at);
}

static struct four relaxed_four(const struct sim_world *world, const struct object *object) {
    struct point at[4];
    for (uint32_t k = 0; k < 4; k++) {
        at[k] = point_of(particle_relaxed(world, object->first + k));
    }
    return four_at(world, object, at);
}

static void inertia_of(const double mass[4], const struct point arm[4], struct point column[3]) {
    column[0] = column[1] = column[2] = (struct point){0};
    for (unsigned k = 0; k < 4; k++) {
        const struct point r = arm[k];
        const double squared = point_dot(r, r);
        const struct point x = {squared - r.x * r.x, -r.x * r.y, -r.x * r.z};
        const struct point y = {-r.y * r.x, squared - r.y * r.y, -r.y * r.z};
        const struct point z = {-r.z * r.x, -r.z * r.y, squared - r.z * r.z};
        column[0] = point_add(column[0], point_scale(x, mass[k]));
        column[1] = point_add(column[1], point_scale(y, mass[k]));
        column[2] = point_add(column[2], point_scale(z, mass[k]));
    }
}

static struct point applied(const struct point column[3], struct point v) {
    return point_add(point_scale(column[0], v.x), point_add(point_scale(column[1], v.y), point_scale(column[2], v.z)));
}

// Of a symmetric matrix by its columns. A body that is crushed to a line or a point has next to no inertia about some
// axis; what it then has is rounding, so a share of the whole is added about each. A point has none, and gets none.
static void invert(struct point column[3]) {
    const double whole = column[0].x + column[1].y + column[2].z;
    const double least = INERTIA_SHARE_MIN * whole;
    column[0].x += least;
    column[1].y += least;
    column[2].z += least;
    const struct point row[3] = {point_cross(column[1], column[2]), point_cross(column[2], column[0]),
                                 point_cross(column[0], column[1])};
    const double determinant = point_dot(column[0], row[0]);
    for (unsigned k = 0; k < 3; k++) {
        column[k] =
            whole > INERTIA_MIN && determinant > 0.0 ? point_scale(row[k], 1.0 / determinant) : (struct point){0};
    }
}

// ---- turning -----------------------------------------------------------------------------------------------------

// arm − R(−spin)·arm, by the series of sine and cosine.
static struct point chord_of(struct point spin, struct point arm) {
    const double q = point_dot(spin, spin);
    const double sine = 1.0 - q / 6.0 * (1.0 - q / 20.0 * (1.0 - q / 42.0));
    const double versine = 0.5 - q / 24.0 * (1.0 - q / 30.0 * (1.0 - q / 56.0));
    const struct point across = point_cross(spin, arm);
    return point_sub(point_scale(across, sine), point_scale(point_cross(spin, across), versine));
}

static struct point rotated(struct point spin, struct point arm) {
    return point_sub(arm, chord_of(point_scale(spin, -1.0), arm));
}

// The spin whose chords are those of `half`, which is tan(angle/2) long: 2·atan by its Padé approximant.
static struct point spin_of(struct point half) {
    const double q = point_dot(half, half);
    return point_scale(half, 2.0 * (945.0 + q * (735.0 + q * 64.0)) / (945.0 + q * (1050.0 + q * 225.0)));
}

// The spin with this angular momentum halfway through a turn that begins (`way` 1) or ends (−1) with these arms: which
// it keeps, while its spin changes with the way it lies.
static struct point spin_halfway(const double mass[4], const struct point arm[4], struct point turn, double way) {
    struct point inverse[3];
    struct point halfway[4];
    struct point spin = {0};
    memcpy(halfway, arm, sizeof halfway);
    for (unsigned round = 0; round < 3; round++) {
        inertia_of(mass, halfway, inverse);
        invert(inverse);
        spin = applied(inverse, turn);
        const double length = point_length(spin);
        spin = length > SPIN_MAX ? point_scale(spin, SPIN_MAX / length) : spin;
        for (unsigned k = 0; k < 4; k++) {
            halfway[k] = rotated(point_scale(spin, 0.5 * way), arm[k]);
        }
    }
    return spin;
}

// As the displacements to these places have it. Between both ends of the chords they are 2·tan(angle/2)·axis × arm,
// with arms that are shorter by the cosine of half the angle.
static struct momenta momenta_of(const struct sim_world *world, const struct object *object, const struct four *at) {
    const struct four way = four_of(world, object, world->dx, world->dy, world->dz);
    struct point column[3];
    struct point inverse[3];
    struct point middle[4];
    struct point moment = {0};
    for (unsigned k = 0; k < 4; k++) {
        middle[k] = point_sub(at->at[k], point_scale(way.at[k], 0.5));
        moment = point_add(moment, point_scale(point_cross(middle[k], way.at[k]), at->mass[k]));
    }
    inertia_of(at->mass, middle, column);
    memcpy(inverse, column, sizeof inverse);
    invert(inverse);
    const struct point half = point_scale(applied(inverse, moment), 0.5);
    const double longer = 1.0 + point_dot(half, half);
    return (struct momenta){way.centre, point_scale(applied(column, spin_of(half)), longer)};
}

// ---- what is known of an object ----------------------------------------------------------------------------------

static void know_pose(struct bouncer *bouncer, const double mass[4]) {
    inertia_of(mass, bouncer->arm, bouncer->inverse_inertia);
    invert(bouncer->inverse_inertia);
    bouncer->spin = applied(bouncer->inverse_inertia, bouncer->motion.turn);
}

static void know_body(const struct sim_world *world, const struct object *object, struct bouncer *bouncer) {
    const struct four at = four_of(world, object, world->x, world->y, world->z);
    bouncer->centre = at.centre;
    memcpy(bouncer->arm, at.at, sizeof at.at);
    bouncer->inverse_mass = 1.0 / at.all;
    bouncer->motion = momenta_of(world, object, &at);
    know_pose(bouncer, at.mass);
    for (uint32_t k = 0; k < object->particles; k++) {
        bouncer->end[k] = end_of_slot(world, object->first + k);
    }
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

void bouncer_follow(const struct sim_world *world, const struct object *object, struct bouncer *bouncer, double time) {
    const double share = time - bouncer->now;
    double mass[4] = {0.0, 0.0, 0.0, 0.0};
    if (!bouncer->rigid || !(share > 0.0)) {
        return;
    }
    for (uint32_t k = 0; k < object->particles; k++) {
        mass[k] = 1.0 / (double)world->w[object->first + k];
    }
    const struct point turn = point_scale(bouncer->motion.turn, share);
    const struct point spin = spin_halfway(mass, bouncer->arm, turn, 1.0);
    for (unsigned k = 0; k < 4; k++) {
        bouncer->arm[k] = rotated(spin, bouncer->arm[k]);
    }
    bouncer->centre = point_add(bouncer->centre, point_scale(bouncer->motion.going, share));
    bouncer->now = time;
    know_pose(bouncer, mass);
}

void bouncer_send(struct sim_world *world, const struct object *object, struct bouncer *bouncer) {
    struct bouncer end = *bouncer;
    bouncer_follow(world, object, &end, 1.0);
    for (uint32_t k = 0; k < object->particles; k++) {
        const uint32_t i = object->first + k;
        const struct point x = at_slot(world->x, world->y, world->z, i);
        bouncer->end[k] = point_add(end.centre, end.arm[k]);
        const struct point d = point_sub(bouncer->end[k], x);
        contact_displace(world, i, point_rounded(d));
    }
    const struct four at = relaxed_four(world, object);
    bouncer->sent = momenta_of(world, object, &at);
}

void bouncer_settle(struct sim_world *world, const struct object *object, const struct bouncer *bouncer) {
    const struct four at = four_of(world, object, world->x, world->y, world->z);
    const struct momenta came = momenta_of(world, object, &at);
    const struct point going = point_add(bouncer->motion.going, point_sub(came.going, bouncer->sent.going));
    const struct point turn = point_add(bouncer->motion.turn, point_sub(came.turn, bouncer->sent.turn));
    const struct point spin = spin_halfway(at.mass, at.at, turn, -1.0);
    for (uint32_t k = 0; k < object->particles; k++) {
        const struct point d = point_add(going, chord_of(spin, at.at[k]));
        particle_set_displacement(world, object->first + k, point_rounded(d));
    }
}

// ---- contacts ----------------------------------------------------------------------------------------------------

bool bouncer_carries(const struct grip *grip, uint32_t slot) {
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
    for (uint32_t k = 0; k < contact->carriers && grip.bouncer->rigid; k++) {
        if (bouncer_carries(&grip, contact->slot[k])) {
            const struct point arm = grip.bouncer->arm[contact->slot[k] - grip.object->first];
            grip.arm = point_add(grip.arm, point_scale(arm, grip.sense * (double)contact->weight[k]));
        }
    }
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
            yield += of->bouncer->inverse_mass + point_dot(moment, applied(of->bouncer->inverse_inertia, moment));
            continue;
        }
        for (uint32_t k = 0; k < contact->carriers; k++) {
            const double weight = (double)contact->weight[k];
            yield += bouncer_carries(of, contact->slot[k]) ? (double)world->w[contact->slot[k]] * weight * weight : 0.0;
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
            const struct point speed = point_add(of->bouncer->motion.going, point_cross(of->bouncer->spin, of->arm));
            sum = point_add(sum, point_scale(speed, of->sense));
            continue;
        }
        for (uint32_t k = 0; k < contact->carriers; k++) {
            const uint32_t i = contact->slot[k];
            const double weight = bouncer_carries(of, i) ? (double)contact->weight[k] : 0.0;
            sum = point_add(sum, point_scale(at_slot(world->dx, world->dy, world->dz, i), weight));
        }
    }
    return sum;
}

static struct point rigid_point(const struct sim_world *world, const struct contact *contact, const struct grip *of,
                                double time) {
    struct bouncer then = *of->bouncer;
    struct point sum = {0};
    bouncer_follow(world, of->object, &then, time);
    for (uint32_t k = 0; k < contact->carriers; k++) {
        if (bouncer_carries(of, contact->slot[k])) {
            const struct point at = point_add(then.centre, then.arm[contact->slot[k] - of->object->first]);
            sum = point_add(sum, point_scale(at, (double)contact->weight[k]));
        }
    }
    return sum;
}

double bouncer_gap(const struct sim_world *world, const struct contact *contact, const struct grip grip[2],
                   double time) {
    struct point way = {0};
    for (unsigned side = 0; side < 2; side++) {
        const struct grip *of = &grip[side];
        if (of->object != NULL && of->bouncer->rigid) {
            way = point_add(way, rigid_point(world, contact, of, time));
            continue;
        }
        for (uint32_t k = 0; of->object != NULL && k < contact->carriers; k++) {
            const uint32_t i = contact->slot[k];
            const double weight = bouncer_carries(of, i) ? (double)contact->weight[k] : 0.0;
            const struct point d = point_scale(at_slot(world->dx, world->dy, world->dz, i), time);
            way = point_add(way, point_scale(point_add(at_slot(world->x, world->y, world->z, i), d), weight));
        }
    }
    return point_dot(point_of(contact->normal), way) - (double)contact->offset;
}

double bouncer_gap_at_end(const struct sim_world *world, const struct contact *contact, const struct grip grip[2]) {
    struct point way = {0};
    for (unsigned side = 0; side < 2; side++) {
        const struct grip *of = &grip[side];
        for (uint32_t k = 0; of->object != NULL && k < contact->carriers; k++) {
            const uint32_t i = contact->slot[k];
            const double weight = bouncer_carries(of, i) ? (double)contact->weight[k] : 0.0;
            const bool sent = of->bouncer->rigid && weight != 0.0;
            const struct point at = sent ? of->bouncer->end[i - of->object->first] : end_of_slot(world, i);
            way = point_add(way, point_scale(at, weight));
        }
    }
    return point_dot(point_of(contact->normal), way) - (double)contact->offset;
}

static void push_particles(struct sim_world *world, const struct contact *contact, const struct grip *of,
                           struct point impulse) {
    for (uint32_t k = 0; k < contact->carriers; k++) {
        const uint32_t i = contact->slot[k];
        if (bouncer_carries(of, i)) {
            const double share = (double)world->w[i] * (double)contact->weight[k];
            const struct point d = at_slot(world->dx, world->dy, world->dz, i);
            contact_displace(world, i, point_rounded(point_add(d, point_scale(impulse, share))));
        }
    }
}

void bouncer_push(struct sim_world *world, const struct contact *contact, const struct grip grip[2],
                  struct point impulse) {
    for (unsigned side = 0; side < 2; side++) {
        struct bouncer *bouncer = grip[side].bouncer;
        const struct point own = point_scale(impulse, grip[side].sense);
        if (bouncer != NULL && bouncer->rigid) {
            const struct point moment = point_cross(grip[side].arm, own);
            bouncer->motion.going = point_add(bouncer->motion.going, point_scale(own, bouncer->inverse_mass));
            bouncer->motion.turn = point_add(bouncer->motion.turn, moment);
            bouncer->spin = applied(bouncer->inverse_inertia, bouncer->motion.turn);
            bouncer->touched = true;
        } else if (bouncer != NULL) {
            push_particles(world, contact, &grip[side], impulse);
        }
    }
}
