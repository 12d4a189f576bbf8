// SPDX-License-Identifier: MIT
// The impulses of a round of bounces (contact_bounce.c).
#include "sim/contact/bounce.h"

#define SWEEPS_MAX 64u
#define TOGETHER 8u       // sweeps of all points at once, before those of one point after the other
#define SWEEPS_EXACT 1e-4 // of the slowest approach
#define HELD_MAX 64u      // contacts of a round of which what does not change is kept

// A contact that is struck, and what the sweeps of a round do not change of it.
struct held {
    struct contact *contact;
    struct grip grip[2];
    double yield; // 1/kg, along the normal
    double share; // of what it lacks that it may add when all points of its bodies are pushed together
    double blow;  // kg·m per substep, to be
};

// The first of those that are struck; contacts from `rest` on are not in it.
struct hold {
    uint32_t count, rest;
    struct held held[HELD_MAX];
};

static struct held held_of(struct sim_world *world, struct contact *contact) {
    struct held held = {.contact = contact,
                        .grip = {bouncer_grip(world, contact, true), bouncer_grip(world, contact, false)}};
    held.yield = bouncer_yield(world, contact, held.grip, point_of(contact->normal));
    uint32_t points = 1;
    for (unsigned side = 0; side < 2; side++) {
        const struct bouncer *bouncer = held.grip[side].bouncer;
        points = bouncer != NULL && bouncer->points > points ? bouncer->points : points;
    }
    held.share = 1.0 / (double)points;
    return held;
}

static void hold_struck(struct sim_world *world, struct hold *hold) {
    hold->count = 0;
    for (hold->rest = 0; hold->rest < world->contacts && hold->count < HELD_MAX; hold->rest++) {
        struct contact *contact = &world->contact[hold->rest];
        if (contact->struck) {
            hold->held[hold->count++] = held_of(world, contact);
        }
    }
}

// The impulse after which the two points have made up for a share of what they lack of `wanted`.
static double blow_for(const struct sim_world *world, const struct held *held, double wanted, double share) {
    const struct contact *contact = held->contact;
    const double missing = wanted - point_dot(point_of(contact->normal), bouncer_speed(world, contact, held->grip));
    const double blow = held->yield > 0.0 ? contact->blow + share * missing / held->yield : contact->blow;
    return blow > 0.0 ? blow : 0.0;
}

// Makes it the impulse so far; how much the points' speed has changed.
static double give_blow(struct sim_world *world, const struct held *held, double blow) {
    struct contact *contact = held->contact;
    const double change = blow - contact->blow;
    contact->blow = blow;
    bouncer_push(world, contact, held->grip, point_scale(point_of(contact->normal), change));
    return bounce_magnitude(change * held->yield);
}

// Drives the two points apart with `wanted`; how much their speed has changed.
static double push(struct sim_world *world, const struct held *held, double wanted) {
    return give_blow(world, held, blow_for(world, held, wanted, 1.0));
}

// The total tangential impulse wanted is what there is and what stops the slide, but no more than μ times the blow.
static double rub(struct sim_world *world, const struct held *held) {
    struct contact *contact = held->contact;
    const struct point n = point_of(contact->normal);
    const struct point u = bouncer_speed(world, contact, held->grip);
    const struct point slide = point_sub(u, point_scale(n, point_dot(u, n)));
    const double length = point_length(slide);
    if (!(length > 0.0)) {
        return 0.0;
    }
    const double yield = bouncer_yield(world, contact, held->grip, point_scale(slide, 1.0 / length));
    const double licence = (double)contact->friction * contact->blow;
    const struct point before = contact->drag;
    struct point wanted = point_sub(before, point_scale(slide, 1.0 / yield));
    const double most = point_length(wanted);
    wanted = most > licence ? point_scale(wanted, licence / most) : wanted;
    contact->drag = wanted;
    const struct point change = point_sub(wanted, before);
    bouncer_push(world, contact, held->grip, change);
    return yield * point_length(change);
}

enum phase {
    PHASE_REST, // contacts that do not bounce carry what rests on them
    PHASE_STOP, // all come to a stop, with friction
    PHASE_PART  // those that bounce are driven apart
};

static bool takes_part(const struct held *held, enum phase phase) {
    return phase != PHASE_REST || !held->contact->bouncing;
}

static double wanted_in(const struct held *held, enum phase phase) {
    return phase == PHASE_PART ? held->contact->wanted : 0.0;
}

// The larger change of a speed.
static double push_and_rub(struct sim_world *world, const struct held *held, enum phase phase) {
    if (!takes_part(held, phase)) {
        return 0.0;
    }
    const double pushed = push(world, held, wanted_in(held, phase));
    const double rubbed = phase == PHASE_STOP && held->contact->friction > 0.0f ? rub(world, held) : 0.0;
    return rubbed > pushed ? rubbed : pushed;
}

// All points once, as they are before any of them is pushed: a blow is shared out evenly. One after the other, the
// first point would take all of it, and where the points lie close together against the body's size the sweeps would
// take long to give the rest of them their parts.
static void push_together(struct sim_world *world, struct hold *hold, enum phase phase) {
    for (uint32_t k = 0; k < hold->count; k++) {
        struct held *held = &hold->held[k];
        held->blow =
            takes_part(held, phase) ? blow_for(world, held, wanted_in(held, phase), held->share) : held->contact->blow;
    }
    for (uint32_t k = 0; k < hold->count; k++) {
        (void)give_blow(world, &hold->held[k], hold->held[k].blow);
    }
}

// Every contact that is struck once; the largest change of a speed.
static double sweep(struct sim_world *world, const struct hold *hold, enum phase phase) {
    double most = 0.0;
    for (uint32_t k = 0; k < hold->count; k++) {
        const double changed = push_and_rub(world, &hold->held[k], phase);
        most = changed > most ? changed : most;
    }
    for (uint32_t i = hold->rest; i < world->contacts; i++) {
        if (world->contact[i].struck) {
            const struct held held = held_of(world, &world->contact[i]);
            const double changed = push_and_rub(world, &held, phase);
            most = changed > most ? changed : most;
        }
    }
    return most;
}

static void sweep_all(struct sim_world *world, struct hold *hold, const struct blows *blows, enum phase phase) {
    for (unsigned k = 0; k < TOGETHER; k++) {
        push_together(world, hold, phase);
    }
    double changed = blows->slowest;
    for (unsigned k = 0; k < SWEEPS_MAX && changed > SWEEPS_EXACT * blows->slowest; k++) {
        changed = sweep(world, hold, phase);
    }
}

// ---- a round -----------------------------------------------------------------------------------------------------

// To where each body is struck: only there it shows how fast the points meet.
static void follow(struct sim_world *world) {
    for (uint32_t i = 0; i < world->state.objects; i++) {
        struct bouncer *bouncer = &world->bouncer[i];
        if (bouncer->known && bouncer->struck) {
            bouncer_follow(world, &world->object[i], bouncer, bouncer->time);
        }
    }
}

static double speed_apart(struct sim_world *world, const struct contact *contact, const struct bounce_touch *touch) {
    return point_dot(point_of(contact->normal), bouncer_speed(world, contact, touch->grip));
}

static void note_speeds(struct sim_world *world) {
    for (uint32_t i = 0; i < world->contacts; i++) {
        struct contact *contact = &world->contact[i];
        contact->wanted = 0.0;
        if (contact->struck && contact->bouncing) {
            const struct bounce_touch touch = bounce_touch(world, contact);
            contact->wanted = speed_apart(world, contact, &touch);
        }
    }
}

// What PHASE_REST has changed of a speed is gravity that something else bears: what it was for one of the two points
// does not draw them together any less.
static void want_apart(struct sim_world *world, const struct blows *blows) {
    for (uint32_t i = 0; i < world->contacts; i++) {
        struct contact *contact = &world->contact[i];
        if (contact->struck && contact->bouncing) {
            const struct bounce_touch touch = bounce_touch(world, contact);
            const double speed = speed_apart(world, contact, &touch);
            const double borne = contact->wanted - speed;
            const double pull = (bounce_earliest(&touch) - 0.5) * (bounce_pull(world, contact, blows) + borne);
            const double apart = (double)contact->restitution * (pull - speed) + pull;
            contact->wanted = speed < 0.0 ? apart : 0.0;
        }
    }
}

void bounce_solve(struct sim_world *world, const struct blows *blows) {
    struct hold hold;
    follow(world);
    hold_struck(world, &hold);
    note_speeds(world);
    sweep_all(world, &hold, blows, PHASE_REST);
    want_apart(world, blows);
    sweep_all(world, &hold, blows, PHASE_STOP);
    sweep_all(world, &hold, blows, PHASE_PART);
}
