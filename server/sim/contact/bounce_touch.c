// SPDX-License-Identifier: MIT
// Finds the contacts that bounce in a round, and their times (restitution.c; PHYSICS.md 5.2).
#include "sim/contact/bounce_touch.h"

#define SUPPORT_ROUNDS 32u // how many contacts in a row pass on an impact at once
#define IMPACT_TIME_ROUNDS 6u
#define SHORT 1e-6         // share of a substep: too short to compute a speed from
#define EXACT 1e-4         // m: points as near as this have met
#define AT_ONCE 5e-4       // m: a point as near as this when another point touches, touches too
#define AT_ONCE_SHARE 0.05 // share of the approach in a substep

struct bounce_touch bounce_touch(struct sim_world *world, const struct contact *contact) {
    struct bounce_touch touch = {
        .sides = {impact_side_of(world, contact, true), impact_side_of(world, contact, false)}};
    for (unsigned side = 0; side < 2; side++) {
        const struct impact_body *body = touch.sides[side].body;
        touch.since = body != NULL && body->now > touch.since ? body->now : touch.since;
    }
    touch.gap = impact_gap(world, contact, touch.sides, touch.since);
    touch.depth = -impact_gap_at_end(world, contact, touch.sides);
    touch.speed = touch.since < 1.0 - SHORT
                      ? -(touch.depth + touch.gap) / (1.0 - touch.since)
                      : point_dot(point_of(contact->normal), impact_velocity(world, contact, touch.sides));
    return touch;
}

// The share of the substep at which the points meet, where they are apart at first and not at the end: false position,
// Illinois variant (M. Dowell, P. Jarratt, 1971).
static double impact_time_of(const struct sim_world *world, const struct contact *contact,
                             const struct bounce_touch *touch) {
    double low = touch->since;
    double high = 1.0;
    double above = touch->gap;
    double below = touch->depth;
    double time = low;
    double gap = above;
    for (unsigned round = 0; round < IMPACT_TIME_ROUNDS && above > 0.0 && bounce_magnitude(gap) > EXACT; round++) {
        time = low + (high - low) * above / (above + below);
        const double before = gap;
        gap = impact_gap(world, contact, touch->sides, time);
        const bool again = round > 0 && (gap > 0.0) == (before > 0.0);
        if (gap > 0.0) {
            low = time;
            above = gap;
            below *= again ? 0.5 : 1.0;
        } else {
            high = time;
            below = -gap;
            above *= again ? 0.5 : 1.0;
        }
    }
    return time;
}

// A cheap test, without following any path: false if the contact cannot bounce.
static bool is_close(const struct sim_world *world, const struct contact *contact) {
    return contact->restitution > 0.0f && contact_depth(world, contact) > 0.0f;
}

static bool approaches(const struct bounce_touch *touch, const struct bounce_limits *limits) {
    return -touch->speed > limits->speed_min;
}

static bool bounces(const struct contact *contact, const struct bounce_touch *touch,
                    const struct bounce_limits *limits) {
    return contact->restitution > 0.0f && approaches(touch, limits) && touch->depth > 0.0;
}

static bool is_rigid_touch(const struct bounce_touch *touch) {
    return touch->sides[0].body->rigid || (touch->sides[1].body != NULL && touch->sides[1].body->rigid);
}

static void mark(struct bounce_touch *touch, double time) {
    for (unsigned side = 0; side < 2; side++) {
        struct impact_body *body = touch->sides[side].body;
        if (body != NULL && body->rigid) {
            body->struck = true;
            body->was_struck = true;
            body->points++;
            body->time = time < body->time ? time : body->time;
        }
    }
}

static void clear_marks(struct sim_world *world) {
    for (uint32_t i = 0; i < world->state.objects; i++) {
        world->impact_body[i].time = IMPACT_NEVER;
        world->impact_body[i].struck = false;
        world->impact_body[i].points = 0;
    }
}

static void clear_impulses(struct contact *contact) {
    contact->struck = false;
    contact->impact_time = IMPACT_NEVER;
    contact->normal_impulse = 0.0;
    contact->friction_impulse = (struct point){0};
}

// Finds the time at which each object first bounces. Returns true if one does.
static bool find_times(struct sim_world *world, const struct bounce_limits *limits) {
    bool any = false;
    clear_marks(world);
    for (uint32_t i = 0; i < world->contacts; i++) {
        struct contact *contact = &world->contact[i];
        clear_impulses(contact);
        if (!is_close(world, contact)) {
            continue;
        }
        struct bounce_touch touch = bounce_touch(world, contact);
        if (!is_rigid_touch(&touch) || !bounces(contact, &touch, limits)) {
            continue;
        }
        contact->impact_time = impact_time_of(world, contact, &touch);
        for (unsigned side = 0; side < 2; side++) {
            struct impact_body *body = touch.sides[side].body;
            if (body != NULL) {
                body->time = contact->impact_time < body->time ? contact->impact_time : body->time;
            }
        }
        any = true;
    }
    return any;
}

static void strike(struct contact *contact, struct bounce_touch *touch, double time, bool bouncing) {
    contact->struck = true;
    contact->bouncing = bouncing;
    mark(touch, time);
}

// True if one of the contact's bodies bounces in this round.
static bool bounces_in_round(const struct sim_world *world, const struct contact *contact) {
    const double a = world->impact_body[contact->object_a].time;
    const double b = contact->object_b != CONTACT_NO_OBJECT ? world->impact_body[contact->object_b].time : IMPACT_NEVER;
    return a < IMPACT_NEVER || b < IMPACT_NEVER;
}

static bool was_struck(const struct sim_world *world, const struct contact *contact) {
    const struct impact_body *a = &world->impact_body[contact->object_a];
    const struct impact_body *b =
        contact->object_b != CONTACT_NO_OBJECT ? &world->impact_body[contact->object_b] : NULL;
    return (a->known && a->was_struck) || (b != NULL && b->known && b->was_struck);
}

// Distance of the two points when the first of their bodies bounces, in m.
static double gap_then(const struct sim_world *world, const struct contact *contact, const struct bounce_touch *touch) {
    return impact_gap(world, contact, touch->sides, bounce_earliest(touch));
}

// True if the two points meet when the first of their bodies bounces, or almost.
static bool meet_then(const struct sim_world *world, const struct contact *contact, const struct bounce_touch *touch) {
    return contact->impact_time <= bounce_earliest(touch) ||
           gap_then(world, contact, touch) <= AT_ONCE - AT_ONCE_SHARE * touch->speed;
}

// A point that almost touches when another point of its body bounces, bounces at the same time, whether it would touch
// later in this substep or in the next. So the corners of a box that lands flat are struck together, however short the
// substep and however rounding has tilted the box; struck one after the other, they would set it spinning.
static void find_struck(struct sim_world *world, const struct bounce_limits *limits) {
    for (uint32_t i = 0; i < world->contacts; i++) {
        struct contact *contact = &world->contact[i];
        if (!(contact->restitution > 0.0f) || !bounces_in_round(world, contact)) {
            continue;
        }
        struct bounce_touch touch = bounce_touch(world, contact);
        if (is_rigid_touch(&touch) && approaches(&touch, limits) && meet_then(world, contact, &touch)) {
            strike(contact, &touch, bounce_earliest(&touch), true);
        }
    }
}

static bool can_move(const struct sim_world *world, const struct contact *contact, const struct impact_side *side) {
    bool any = false;
    for (uint32_t k = 0; side->object != NULL && k < contact->carriers; k++) {
        any = any || (impact_carries(side, contact->slot[k]) && world->w[contact->slot[k]] > 0.0f);
    }
    return any;
}

// True if the contact transmits an impact within the round: it has no restitution, or one of its sides cannot move.
static bool supports(const struct sim_world *world, const struct contact *contact, const struct bounce_touch *touch) {
    return !(contact->restitution > 0.0f) || !can_move(world, contact, &touch->sides[0]) ||
           !can_move(world, contact, &touch->sides[1]);
}

// Marks contacts that touch a struck body and do not bounce: they bear the impact. Returns true if there are any.
static bool find_supports(struct sim_world *world, const struct bounce_limits *limits) {
    bool any = false;
    for (uint32_t i = 0; i < world->contacts; i++) {
        struct contact *contact = &world->contact[i];
        const struct impact_body *a = &world->impact_body[contact->object_a];
        const struct impact_body *b =
            contact->object_b != CONTACT_NO_OBJECT ? &world->impact_body[contact->object_b] : NULL;
        const bool near = (a->known && a->struck) || (b != NULL && b->known && b->struck);
        if (contact->struck || !near) {
            continue;
        }
        struct bounce_touch touch = bounce_touch(world, contact);
        if (supports(world, contact, &touch) && touch.speed <= limits->speed_min &&
            gap_then(world, contact, &touch) <= AT_ONCE) {
            strike(contact, &touch, bounce_earliest(&touch), false);
            any = true;
        }
    }
    return any;
}

bool bounce_find_round(struct sim_world *world, const struct bounce_limits *limits) {
    if (!find_times(world, limits)) {
        return false;
    }
    find_struck(world, limits);
    for (unsigned further = 0; further < SUPPORT_ROUNDS && find_supports(world, limits); further++) {
    }
    return true;
}

// In the iterations, which push one point after the other, such bodies would turn and be driven apart.
bool bounce_find_left(struct sim_world *world, const struct bounce_limits *limits) {
    bool any = false;
    clear_marks(world);
    for (uint32_t i = 0; i < world->contacts; i++) {
        struct contact *contact = &world->contact[i];
        clear_impulses(contact);
        if (!was_struck(world, contact)) {
            continue;
        }
        struct bounce_touch touch = bounce_touch(world, contact);
        const bool bounces_later = contact->restitution > 0.0f && approaches(&touch, limits);
        if (is_rigid_touch(&touch) && !bounces_later && touch.speed <= limits->speed_min && touch.gap <= AT_ONCE) {
            strike(contact, &touch, touch.since, false);
            any = true;
        }
    }
    return any;
}
