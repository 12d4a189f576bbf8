// SPDX-License-Identifier: MIT
// Newton and Euler for up to four particles about their centre of mass (impact.h).
#include "sim/contact/impact.h"

#include "sim/contact/contact.h"
#include "sim/world/particle.h"

#define INERTIA_SHARE_MIN 1e-12 // share of the trace: ten thousand times its rounding
#define INERTIA_MIN 1e-60       // kg·m²; an object with less is a point, which does not turn
#define SPIN_MAX 1.5            // rad per substep: displacements cannot express more

static struct point at_slot(const float *x, const float *y, const float *z, uint32_t i) {
    return (struct point){(double)x[i], (double)y[i], (double)z[i]};
}

// Position of a particle at the end of the substep.
static struct point end_of_slot(const struct sim_world *world, uint32_t i) {
    return point_add(at_slot(world->x, world->y, world->z, i), point_of(contact_displacement(world, i)));
}

bool impact_is_rigid(const struct sim_world *world, const struct object *object) {
    bool rigid = (object->kind == SIM_KIND_BODY && object->particles == 4) || object_is_frame(object);
    for (uint32_t k = 0; k < object->particles && rigid; k++) {
        rigid = world->w[object->first + k] > 0.0f;
    }
    return rigid;
}

// ---- four particles ----------------------------------------------------------------------------------------------

// Of an object with fewer particles, the missing ones have no mass.
struct four {
    double mass[4], all; // kg
    struct point at[4];  // relative to `centre`
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

static struct point multiplied(const struct point column[3], struct point v) {
    return point_add(point_scale(column[0], v.x), point_add(point_scale(column[1], v.y), point_scale(column[2], v.z)));
}

// Inverts a symmetric matrix, given by its columns. A body that is crushed to a line or a point has next to no inertia
// about some axis, only rounding, so a share of the trace is added about each. The inverse for a point is zero.
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

// ---- rotation ----------------------------------------------------------------------------------------------------

// arm − R(−spin)·arm, by the series of sine and cosine (PHYSICS.md 5.3).
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

// The spin whose chords are those of `half`, a vector of length tan(angle/2): 2·atan by its Padé approximant.
static struct point spin_of(struct point half) {
    const double q = point_dot(half, half);
    return point_scale(half, 2.0 * (945.0 + q * (735.0 + q * 64.0)) / (945.0 + q * (1050.0 + q * 225.0)));
}

// The spin with this angular momentum halfway through a rotation that begins (`way` 1) or ends (`way` −1) with these
// arms. The body keeps its angular momentum, while its spin changes as it turns.
static struct point spin_halfway(const double mass[4], const struct point arm[4], struct point angular_momentum,
                                 double way) {
    struct point inverse[3];
    struct point halfway[4];
    struct point spin = {0};
    memcpy(halfway, arm, sizeof halfway);
    for (unsigned round = 0; round < 3; round++) {
        inertia_of(mass, halfway, inverse);
        invert(inverse);
        spin = multiplied(inverse, angular_momentum);
        const double length = point_length(spin);
        spin = length > SPIN_MAX ? point_scale(spin, SPIN_MAX / length) : spin;
        for (unsigned k = 0; k < 4; k++) {
            halfway[k] = rotated(point_scale(spin, 0.5 * way), arm[k]);
        }
    }
    return spin;
}

// The motion that leads to these places by the present displacements. In the frame halfway the chords are
// 2·tan(angle/2)·axis × arm, with arms that are shorter by the cosine of half the angle.
static struct rigid_motion motion_of(const struct sim_world *world, const struct object *object,
                                     const struct four *at) {
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
    const struct point half = point_scale(multiplied(inverse, moment), 0.5);
    const double longer = 1.0 + point_dot(half, half);
    return (struct rigid_motion){way.centre, point_scale(multiplied(column, spin_of(half)), longer)};
}

// ---- state of an object ------------------------------------------------------------------------------------------

static void set_pose(struct impact_body *body, const double mass[4]) {
    inertia_of(mass, body->arm, body->inverse_inertia);
    invert(body->inverse_inertia);
    body->spin = multiplied(body->inverse_inertia, body->motion.angular_momentum);
}

static void set_body(const struct sim_world *world, const struct object *object, struct impact_body *body) {
    const struct four at = four_of(world, object, world->x, world->y, world->z);
    body->centre = at.centre;
    memcpy(body->arm, at.at, sizeof at.at);
    body->inverse_mass = 1.0 / at.all;
    body->motion = motion_of(world, object, &at);
    set_pose(body, at.mass);
    for (uint32_t k = 0; k < object->particles; k++) {
        body->end[k] = end_of_slot(world, object->first + k);
    }
}

static struct impact_body *body_at(struct sim_world *world, uint32_t place) {
    struct impact_body *body = &world->impact_body[place];
    if (!body->known) {
        *body = (struct impact_body){
            .known = true, .rigid = impact_is_rigid(world, &world->object[place]), .time = IMPACT_NEVER};
        if (body->rigid) {
            set_body(world, &world->object[place], body);
        }
    }
    return body;
}

void impact_advance(const struct sim_world *world, const struct object *object, struct impact_body *body, double time) {
    const double share = time - body->now;
    double mass[4] = {0.0, 0.0, 0.0, 0.0};
    if (!body->rigid || !(share > 0.0)) {
        return;
    }
    for (uint32_t k = 0; k < object->particles; k++) {
        mass[k] = 1.0 / (double)world->w[object->first + k];
    }
    const struct point angular_momentum = point_scale(body->motion.angular_momentum, share);
    const struct point spin = spin_halfway(mass, body->arm, angular_momentum, 1.0);
    for (unsigned k = 0; k < 4; k++) {
        body->arm[k] = rotated(spin, body->arm[k]);
    }
    body->centre = point_add(body->centre, point_scale(body->motion.velocity, share));
    body->now = time;
    set_pose(body, mass);
}

void impact_place_at_end(struct sim_world *world, const struct object *object, struct impact_body *body) {
    struct impact_body end = *body;
    impact_advance(world, object, &end, 1.0);
    for (uint32_t k = 0; k < object->particles; k++) {
        const uint32_t i = object->first + k;
        const struct point x = at_slot(world->x, world->y, world->z, i);
        body->end[k] = point_add(end.centre, end.arm[k]);
        const struct point d = point_sub(body->end[k], x);
        contact_displace(world, i, point_rounded(d));
    }
    const struct four at = relaxed_four(world, object);
    body->predicted = motion_of(world, object, &at);
}

void impact_finish(struct sim_world *world, const struct object *object, const struct impact_body *body) {
    const struct four at = four_of(world, object, world->x, world->y, world->z);
    const struct rigid_motion came = motion_of(world, object, &at);
    const struct point velocity = point_add(body->motion.velocity, point_sub(came.velocity, body->predicted.velocity));
    const struct point angular_momentum =
        point_add(body->motion.angular_momentum, point_sub(came.angular_momentum, body->predicted.angular_momentum));
    const struct point spin = spin_halfway(at.mass, at.at, angular_momentum, -1.0);
    for (uint32_t k = 0; k < object->particles; k++) {
        const struct point d = point_add(velocity, chord_of(spin, at.at[k]));
        particle_set_displacement(world, object->first + k, point_rounded(d));
    }
}

// ---- contacts ----------------------------------------------------------------------------------------------------

bool impact_carries(const struct impact_side *side, uint32_t slot) {
    return slot >= side->object->first && slot < side->object->first + side->object->particles;
}

struct impact_side impact_side_of(struct sim_world *world, const struct contact *contact, bool first) {
    const uint32_t place = first ? contact->object_a : contact->object_b;
    struct impact_side side = {.sign = first ? 1.0 : -1.0};
    if (place == CONTACT_NO_OBJECT) {
        return side;
    }
    side.body = body_at(world, place);
    side.object = &world->object[place];
    for (uint32_t k = 0; k < contact->carriers && side.body->rigid; k++) {
        if (impact_carries(&side, contact->slot[k])) {
            const struct point arm = side.body->arm[contact->slot[k] - side.object->first];
            side.arm = point_add(side.arm, point_scale(arm, side.sign * (double)contact->weight[k]));
        }
    }
    return side;
}

double impact_inverse_mass(const struct sim_world *world, const struct contact *contact,
                           const struct impact_side sides[2], struct point direction) {
    double inverse_mass = 0.0;
    for (unsigned side = 0; side < 2; side++) {
        const struct impact_side *of = &sides[side];
        if (of->object == NULL) {
            continue;
        }
        if (of->body->rigid) {
            const struct point moment = point_cross(of->arm, direction);
            inverse_mass += of->body->inverse_mass + point_dot(moment, multiplied(of->body->inverse_inertia, moment));
            continue;
        }
        for (uint32_t k = 0; k < contact->carriers; k++) {
            const double weight = (double)contact->weight[k];
            inverse_mass +=
                impact_carries(of, contact->slot[k]) ? (double)world->w[contact->slot[k]] * weight * weight : 0.0;
        }
    }
    return inverse_mass;
}

struct point impact_velocity(const struct sim_world *world, const struct contact *contact,
                             const struct impact_side sides[2]) {
    struct point sum = contact->moving != 0 ? point_scale(point_of(contact->surface), -1.0) : (struct point){0};
    for (unsigned side = 0; side < 2; side++) {
        const struct impact_side *of = &sides[side];
        if (of->object == NULL) {
            continue;
        }
        if (of->body->rigid) {
            const struct point speed = point_add(of->body->motion.velocity, point_cross(of->body->spin, of->arm));
            sum = point_add(sum, point_scale(speed, of->sign));
            continue;
        }
        for (uint32_t k = 0; k < contact->carriers; k++) {
            const uint32_t i = contact->slot[k];
            const double weight = impact_carries(of, i) ? (double)contact->weight[k] : 0.0;
            sum = point_add(sum, point_scale(at_slot(world->dx, world->dy, world->dz, i), weight));
        }
    }
    return sum;
}

static struct point rigid_point(const struct sim_world *world, const struct contact *contact,
                                const struct impact_side *of, double time) {
    struct impact_body then = *of->body;
    struct point sum = {0};
    impact_advance(world, of->object, &then, time);
    for (uint32_t k = 0; k < contact->carriers; k++) {
        if (impact_carries(of, contact->slot[k])) {
            const struct point at = point_add(then.centre, then.arm[contact->slot[k] - of->object->first]);
            sum = point_add(sum, point_scale(at, (double)contact->weight[k]));
        }
    }
    return sum;
}

double impact_gap(const struct sim_world *world, const struct contact *contact, const struct impact_side sides[2],
                  double time) {
    struct point way = {0};
    if (contact->moving != 0) { // the obstacle's material has the rest of its way before it
        way = point_scale(point_of(contact->surface), 1.0 - time);
    }
    for (unsigned side = 0; side < 2; side++) {
        const struct impact_side *of = &sides[side];
        if (of->object != NULL && of->body->rigid) {
            way = point_add(way, rigid_point(world, contact, of, time));
            continue;
        }
        for (uint32_t k = 0; of->object != NULL && k < contact->carriers; k++) {
            const uint32_t i = contact->slot[k];
            const double weight = impact_carries(of, i) ? (double)contact->weight[k] : 0.0;
            const struct point d = point_scale(at_slot(world->dx, world->dy, world->dz, i), time);
            way = point_add(way, point_scale(point_add(at_slot(world->x, world->y, world->z, i), d), weight));
        }
    }
    return point_dot(point_of(contact->normal), way) - (double)contact->offset;
}

double impact_gap_at_end(const struct sim_world *world, const struct contact *contact,
                         const struct impact_side sides[2]) {
    struct point way = {0};
    for (unsigned side = 0; side < 2; side++) {
        const struct impact_side *of = &sides[side];
        for (uint32_t k = 0; of->object != NULL && k < contact->carriers; k++) {
            const uint32_t i = contact->slot[k];
            const double weight = impact_carries(of, i) ? (double)contact->weight[k] : 0.0;
            const bool predicted = of->body->rigid && weight != 0.0;
            const struct point at = predicted ? of->body->end[i - of->object->first] : end_of_slot(world, i);
            way = point_add(way, point_scale(at, weight));
        }
    }
    return point_dot(point_of(contact->normal), way) - (double)contact->offset;
}

static void push_particles(struct sim_world *world, const struct contact *contact, const struct impact_side *of,
                           struct point impulse) {
    for (uint32_t k = 0; k < contact->carriers; k++) {
        const uint32_t i = contact->slot[k];
        if (impact_carries(of, i)) {
            const double share = (double)world->w[i] * (double)contact->weight[k];
            const struct point d = at_slot(world->dx, world->dy, world->dz, i);
            contact_displace(world, i, point_rounded(point_add(d, point_scale(impulse, share))));
        }
    }
}

void impact_apply(struct sim_world *world, const struct contact *contact, const struct impact_side sides[2],
                  struct point impulse) {
    for (unsigned side = 0; side < 2; side++) {
        struct impact_body *body = sides[side].body;
        const struct point own = point_scale(impulse, sides[side].sign);
        if (body != NULL && body->rigid) {
            const struct point moment = point_cross(sides[side].arm, own);
            body->motion.velocity = point_add(body->motion.velocity, point_scale(own, body->inverse_mass));
            body->motion.angular_momentum = point_add(body->motion.angular_momentum, moment);
            body->spin = multiplied(body->inverse_inertia, body->motion.angular_momentum);
            body->is_followed = true;
        } else if (body != NULL) {
            push_particles(world, contact, &sides[side], impulse);
        }
    }
}
