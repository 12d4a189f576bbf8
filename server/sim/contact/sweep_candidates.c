// SPDX-License-Identifier: MIT
#include "sim/contact/sweep_candidates.h"

#include "sim/contact/grip.h"
#include "sim/contact/obstacle_motion.h"

#define CONTACTS_PER_PAIR 8u
#define SAME_PLACE 1e-3 // m
#define SAME_DEPTH 1e-5 // m
#define SAME_NORMAL 0.99

static struct point end_point(const struct sweep *sweep, const struct mixture *point) {
    return point_mix(point, sweep->end);
}

// Facets that share an edge or a corner find the same point; it is kept once.
void candidates_propose(struct candidates *candidates, const struct sweep *sweep, const struct mixture *point,
                        struct point fixed, struct point normal, double gap) {
    const double left = point_dot(normal, point_sub(end_point(sweep, point), fixed)) - gap;
    for (uint32_t i = 0; i < candidates->count; i++) {
        const struct candidate *other = &candidates->list[i];
        const struct point way = point_sub(other->fixed, fixed);
        const double deeper = other->left - left;
        if (point_dot(way, way) < SAME_PLACE * SAME_PLACE && deeper < SAME_DEPTH && deeper > -SAME_DEPTH &&
            point_dot(other->normal, normal) > SAME_NORMAL) {
            return;
        }
    }
    uint32_t at = candidates->count;
    if (at == CANDIDATES_MAX) { // the shallowest is replaced
        at = 0;
        for (uint32_t i = 1; i < CANDIDATES_MAX; i++) {
            at = candidates->list[i].left > candidates->list[at].left ? i : at;
        }
        if (!(left < candidates->list[at].left)) {
            return;
        }
    } else {
        candidates->count++;
    }
    candidates->list[at] =
        (struct candidate){.point = *point, .fixed = fixed, .normal = normal, .gap = gap, .left = left};
    if (sweep->ring) {
        sweep_weights(sweep, point, candidates->list[at].weight);
        candidates->list[at].lift = sweep_lift(sweep, point, normal);
    }
}

// Keeps the deepest point, then repeatedly the point farthest from those that are kept.
static void keep_farthest(struct candidates *candidates, uint32_t most) {
    struct candidate *list = candidates->list;
    for (uint32_t kept = 0; kept < most && kept < candidates->count; kept++) {
        uint32_t best = kept;
        double telling = -1.0;
        for (uint32_t i = kept; i < candidates->count; i++) {
            double nearest = kept == 0 ? -list[i].left + 1e9 : 1e30;
            for (uint32_t k = 0; k < kept; k++) {
                const double length = point_length(point_sub(list[i].fixed, list[k].fixed));
                nearest = length < nearest ? length : nearest;
            }
            best = nearest > telling ? i : best;
            telling = nearest > telling ? nearest : telling;
        }
        const struct candidate chosen = list[best];
        list[best] = list[kept];
        list[kept] = chosen;
    }
    candidates->count = candidates->count < most ? candidates->count : most;
}

// Moves the weights of a ring's contact from the rim to the axis. Returns how far that is at rest.
static double lifted(const struct sweep *sweep, const struct sim_world *world, const struct candidate *candidate,
                     double weight[4]) {
    double more[4];
    memcpy(weight, candidate->weight, sizeof candidate->weight);
    if (!(candidate->lift.way > 0.0) ||
        !grip_weights(world, sweep->slot[0], point_scale(candidate->normal, candidate->lift.way), more)) {
        return 0.0;
    }
    for (unsigned k = 0; k < 4; k++) {
        weight[k] += more[k];
    }
    return candidate->lift.kept;
}

// The way of a moving obstacle's material where it touches the point, and the way of a surface that moves along itself.
static void note_motion(const struct sweep *sweep, const struct sim_world *world, const struct obstacle *obstacle,
                        const struct candidate *from, struct contact *contact) {
    const struct vec3 along = vec3_scale(obstacle->base.motion.surface_velocity, world_substep_seconds(world));
    const struct vec3 across = vec3_scale(contact->normal, vec3_dot(along, contact->normal));
    const struct point start = point_mix(&from->point, sweep->start);
    const double radius = sweep->round ? (double)sweep->radius : 0.0;
    const struct point touching = point_sub(start, point_scale(from->normal, radius));
    contact->moving = 1 + (uint32_t)(obstacle - world->obstacle);
    contact->surface = vec3_add(point_rounded(obstacle_carried(&obstacle->step, touching)), vec3_sub(along, across));
}

void candidates_add(struct candidates *candidates, const struct sweep *sweep, struct sim_world *world,
                    const struct obstacle *obstacle, float friction, float restitution) {
    if (candidates->count > CONTACTS_PER_PAIR) {
        keep_farthest(candidates, CONTACTS_PER_PAIR);
    }
    for (uint32_t i = 0; i < candidates->count; i++) {
        const struct candidate *from = &candidates->list[i];
        double weight[4];
        double lift = 0.0;
        if (sweep->ring) {
            lift = lifted(sweep, world, from, weight);
        } else {
            sweep_weights(sweep, &from->point, weight);
        }
        struct contact contact = sweep_contact(sweep, weight, from->fixed, from->normal, from->gap + lift);
        const float arm[2] = {sweep->round || lift > 0.0 ? sweep->radius + (float)lift : 0.0f, 0.0f};
        contact.friction = contact_friction(sweep->friction, friction);
        contact.restitution = contact_restitution(sweep->restitution, restitution);
        if (obstacle != NULL && obstacle->step.moves) {
            note_motion(sweep, world, obstacle, from, &contact);
        }
        (void)grip_add_contact(world, &contact, arm);
    }
}
