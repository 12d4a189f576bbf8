// SPDX-License-Identifier: MIT
// Which contacts bounce in a round, and when (contact_bounce.c).
#include "sim/contact/bounce.h"

#define LEANING_ROUNDS 32u // how far a blow is passed on at once
#define MEETING_ROUNDS 6u
#define SHORT 1e-6         // of a substep: too little to tell a speed by
#define EXACT 1e-4         // m: as near as that they have met
#define AT_ONCE 5e-4       // m: what is as near when another point touches, touches too
#define AT_ONCE_SHARE 0.05 // of the approach in a substep

struct bounce_touch bounce_touch(struct sim_world *world, const struct contact *contact) {
    struct bounce_touch touch = {.grip = {bouncer_grip(world, contact, true), bouncer_grip(world, contact, false)}};
    for (unsigned side = 0; side < 2; side++) {
        const struct bouncer *bouncer = touch.grip[side].bouncer;
        touch.since = bouncer != NULL && bouncer->now > touch.since ? bouncer->now : touch.since;
    }
    touch.gap = bouncer_gap(world, contact, touch.grip, touch.since);
    touch.depth = -bouncer_gap_at_end(world, contact, touch.grip);
    touch.speed = touch.since < 1.0 - SHORT
                      ? -(touch.depth + touch.gap) / (1.0 - touch.since)
                      : point_dot(point_of(contact->normal), bouncer_speed(world, contact, touch.grip));
    return touch;
}

// When the two meet that are apart at first and not in the end: false position, Illinois variant (M. Dowell, P.
// Jarratt, 1971).
static double meeting_time(const struct sim_world *world, const struct contact *contact,
                           const struct bounce_touch *touch) {
    double low = touch->since;
    double high = 1.0;
    double above = touch->gap;
    double below = touch->depth;
    double time = low;
    double gap = above;
    for (unsigned round = 0; round < MEETING_ROUNDS && above > 0.0 && bounce_magnitude(gap) > EXACT; round++) {
        time = low + (high - low) * above / (above + below);
        const double before = gap;
        gap = bouncer_gap(world, contact, touch->grip, time);
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

// What may bounce at all, told without following anything.
static bool is_close(const struct sim_world *world, const struct contact *contact) {
    return contact->restitution > 0.0f && contact_depth(world, contact) > 0.0f;
}

static bool approaches(const struct bounce_touch *touch, const struct blows *blows) {
    return -touch->speed > blows->slowest;
}

static bool bounces(const struct contact *contact, const struct bounce_touch *touch, const struct blows *blows) {
    return contact->restitution > 0.0f && approaches(touch, blows) && touch->depth > 0.0;
}

static bool is_rigid_touch(const struct bounce_touch *touch) {
    return touch->grip[0].bouncer->rigid || (touch->grip[1].bouncer != NULL && touch->grip[1].bouncer->rigid);
}

static void mark(struct bounce_touch *touch, double time) {
    for (unsigned side = 0; side < 2; side++) {
        struct bouncer *bouncer = touch->grip[side].bouncer;
        if (bouncer != NULL && bouncer->rigid) {
            bouncer->struck = true;
            bouncer->hit = true;
            bouncer->points++;
            bouncer->time = time < bouncer->time ? time : bouncer->time;
        }
    }
}

static void forget_blows(struct sim_world *world) {
    for (uint32_t i = 0; i < world->state.objects; i++) {
        world->bouncer[i].time = BOUNCER_NEVER;
        world->bouncer[i].struck = false;
        world->bouncer[i].points = 0;
    }
}

static void forget_blow(struct contact *contact) {
    contact->struck = false;
    contact->meeting = BOUNCER_NEVER;
    contact->blow = 0.0;
    contact->drag = (struct point){0};
}

// When each object first bounces; whether any does.
static bool find_times(struct sim_world *world, const struct blows *blows) {
    bool any = false;
    forget_blows(world);
    for (uint32_t i = 0; i < world->contacts; i++) {
        struct contact *contact = &world->contact[i];
        forget_blow(contact);
        if (!is_close(world, contact)) {
            continue;
        }
        struct bounce_touch touch = bounce_touch(world, contact);
        if (!is_rigid_touch(&touch) || !bounces(contact, &touch, blows)) {
            continue;
        }
        contact->meeting = meeting_time(world, contact, &touch);
        for (unsigned side = 0; side < 2; side++) {
            struct bouncer *bouncer = touch.grip[side].bouncer;
            if (bouncer != NULL) {
                bouncer->time = contact->meeting < bouncer->time ? contact->meeting : bouncer->time;
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

// Whether one of its bodies bounces in this round.
static bool is_at_a_blow(const struct sim_world *world, const struct contact *contact) {
    const double a = world->bouncer[contact->object_a].time;
    const double b = contact->object_b != CONTACT_NO_OBJECT ? world->bouncer[contact->object_b].time : BOUNCER_NEVER;
    return a < BOUNCER_NEVER || b < BOUNCER_NEVER;
}

static bool is_of_hit(const struct sim_world *world, const struct contact *contact) {
    const struct bouncer *a = &world->bouncer[contact->object_a];
    const struct bouncer *b = contact->object_b != CONTACT_NO_OBJECT ? &world->bouncer[contact->object_b] : NULL;
    return (a->known && a->hit) || (b != NULL && b->known && b->hit);
}

// How far apart the two points are when the first of their bodies bounces, in m.
static double gap_then(const struct sim_world *world, const struct contact *contact, const struct bounce_touch *touch) {
    return bouncer_gap(world, contact, touch->grip, bounce_earliest(touch));
}

// Whether the two points meet when the first of their bodies bounces, or as good as then.
static bool meet_then(const struct sim_world *world, const struct contact *contact, const struct bounce_touch *touch) {
    return contact->meeting <= bounce_earliest(touch) ||
           gap_then(world, contact, touch) <= AT_ONCE - AT_ONCE_SHARE * touch->speed;
}

// A point that is almost there when another one of its body bounces, bounces with it, whether it would get there within
// this substep or later. So the corners of a box that lands flat are struck together, however short the substep and
// however rounding has tilted the box; struck one after the other they would set it spinning.
static void find_struck(struct sim_world *world, const struct blows *blows) {
    for (uint32_t i = 0; i < world->contacts; i++) {
        struct contact *contact = &world->contact[i];
        if (!(contact->restitution > 0.0f) || !is_at_a_blow(world, contact)) {
            continue;
        }
        struct bounce_touch touch = bounce_touch(world, contact);
        if (is_rigid_touch(&touch) && approaches(&touch, blows) && meet_then(world, contact, &touch)) {
            strike(contact, &touch, bounce_earliest(&touch), true);
        }
    }
}

static bool can_move(const struct sim_world *world, const struct contact *contact, const struct grip *grip) {
    bool any = false;
    for (uint32_t k = 0; grip->object != NULL && k < contact->carriers; k++) {
        any = any || (bouncer_carries(grip, contact->slot[k]) && world->w[contact->slot[k]] > 0.0f);
    }
    return any;
}

// Whether the contact passes a blow on within the round: it has no restitution, or one of its sides cannot move.
static bool leans(const struct sim_world *world, const struct contact *contact, const struct bounce_touch *touch) {
    return !(contact->restitution > 0.0f) || !can_move(world, contact, &touch->grip[0]) ||
           !can_move(world, contact, &touch->grip[1]);
}

// What touches something struck and does not bounce itself holds against the blow.
static bool find_leaning(struct sim_world *world, const struct blows *blows) {
    bool any = false;
    for (uint32_t i = 0; i < world->contacts; i++) {
        struct contact *contact = &world->contact[i];
        const struct bouncer *a = &world->bouncer[contact->object_a];
        const struct bouncer *b = contact->object_b != CONTACT_NO_OBJECT ? &world->bouncer[contact->object_b] : NULL;
        const bool near = (a->known && a->struck) || (b != NULL && b->known && b->struck);
        if (contact->struck || !near) {
            continue;
        }
        struct bounce_touch touch = bounce_touch(world, contact);
        if (leans(world, contact, &touch) && touch.speed <= blows->slowest &&
            gap_then(world, contact, &touch) <= AT_ONCE) {
            strike(contact, &touch, bounce_earliest(&touch), false);
            any = true;
        }
    }
    return any;
}

bool bounce_find_round(struct sim_world *world, const struct blows *blows) {
    if (!find_times(world, blows)) {
        return false;
    }
    find_struck(world, blows);
    for (unsigned further = 0; further < LEANING_ROUNDS && find_leaning(world, blows); further++) {
    }
    return true;
}

// Left to the sweeps, which push one point after the other, such bodies would turn and be driven apart.
bool bounce_find_left(struct sim_world *world, const struct blows *blows) {
    bool any = false;
    forget_blows(world);
    for (uint32_t i = 0; i < world->contacts; i++) {
        struct contact *contact = &world->contact[i];
        forget_blow(contact);
        if (!is_of_hit(world, contact)) {
            continue;
        }
        struct bounce_touch touch = bounce_touch(world, contact);
        const bool bounces_later = contact->restitution > 0.0f && approaches(&touch, blows);
        if (is_rigid_touch(&touch) && !bounces_later && touch.speed <= blows->slowest && touch.gap <= AT_ONCE) {
            strike(contact, &touch, touch.since, false);
            any = true;
        }
    }
    return any;
}
