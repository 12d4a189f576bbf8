// SPDX-License-Identifier: MIT
// Restitution (physics.md 5): the speed v_n with which a contact's points approach one another before the substep
// becomes a separation of e·v_n after it.
//
// A free rigid body is struck before relaxation, when and where it first touches. Left to the sweeps, a hard landing
// would bend and turn it, and what straightens it afterwards pushes it off the floor a second time. So the rest of its
// way is gone with the new motion; the contacts find nothing left to push apart. d is the way p − x until the substep
// is over, then it becomes the new motion (bouncer.h).
//
// Where several points touch at once, and where what is struck leans on something, impulses are passed round until all
// points have the speed they should (sequential impulses; E. Catto, 2005). First all come to a stop, with friction as
// Coulomb says; then they are driven apart along the normals alone. The first loses at least what the second gives
// back, whatever the shape, so that no bounce gains energy: with u the points' speeds and K what they give to impulses,
// stopping them takes uᵀ·K⁻¹·u/2, which is no less than u_n²/(2·K_nn).
//
// Contacts bounce in rounds. A round takes the first touch of each body and every other point of those bodies that is
// as good as there; contacts without restitution, and those with what cannot move, hold against it at once. Contacts
// with restitution between two bodies that both can move do not: they bounce in a later round at the same time, as
// each of them is struck. So of a row of equal balls that touch, as many leave as have come. What is too slow to bounce
// when no round is left is stopped, by impulses as well.
//
// Everything else takes the blow by the contact's weights when the substep is over.
//
// Gravity changes the speed within the substep: d is the mean over it, so at a share t of it the speed is
// d + (t − 1/2)·g·h². Taken into account, a ball bounces to e² of its height however long the substep is.
#include "sim/bouncer.h"
#include "sim/contact.h"

// Slower approaches do not bounce: what lies still would tremble.
#define RESTITUTION_SPEED_MIN 0.5f // m/s
#define ROUNDS_MAX 32u             // of blows in a substep
#define LEANING_ROUNDS 32u         // how far a blow is passed on at once
#define SWEEPS_MAX 64u
#define TOGETHER 8u       // sweeps of all points at once, before those of one point after the other
#define SWEEPS_EXACT 1e-4 // of the slowest approach
#define MEETING_ROUNDS 6u
#define SHORT 1e-6         // of a substep: too little to tell a speed by
#define EXACT 1e-4         // m: as near as that they have met
#define AT_ONCE 5e-4       // m: what is as near when another point touches, touches too
#define AT_ONCE_SHARE 0.05 // of the approach in a substep
#define HELD_MAX 64u       // contacts of a round of which what does not change is kept

struct blows {
    double slowest;       // m per substep
    struct point gravity; // m per substep²
};

static struct blows blows_of(const struct substep *substep) {
    const double h = (double)substep->h;
    return (struct blows){(double)RESTITUTION_SPEED_MIN * h, point_scale(point_of(substep->gravity), h * h)};
}

// By how much gravity drives the two points towards one another.
static double pull_of(const struct sim_world *world, const struct contact *contact, const struct blows *blows) {
    double falling = 0.0;
    for (uint32_t k = 0; k < contact->carriers; k++) {
        falling += world->w[contact->slot[k]] > 0.0f ? (double)contact->weight[k] : 0.0;
    }
    return -falling * point_dot(point_of(contact->normal), blows->gravity);
}

static bool may_bounce(const struct contact *contact, const struct blows *blows) {
    return contact->restitution > 0.0f && (double)contact->approach > blows->slowest;
}

static bool is_rigid_at(const struct sim_world *world, uint32_t place) {
    return place != CONTACT_NO_OBJECT && bouncer_is_rigid(world, &world->object[place]);
}

static bool is_rigid_contact(const struct sim_world *world, const struct contact *contact) {
    return is_rigid_at(world, contact->object_a) || is_rigid_at(world, contact->object_b);
}

static double magnitude(double value) {
    return value < 0.0 ? -value : value;
}

// ---- what is struck in a round -----------------------------------------------------------------------------------

struct touch {
    struct grip grip[2];
    double since; // share of the substep up to which both have been followed
    double gap;   // m, then
    double depth; // m, at the substep's end
    double speed; // m per substep, apart along the normal: the mean until then, as what turns comes down in an arc
};

static struct touch touch_of(struct sim_world *world, const struct contact *contact) {
    struct touch touch = {.grip = {bouncer_grip(world, contact, true), bouncer_grip(world, contact, false)}};
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
static double meeting_time(const struct sim_world *world, const struct contact *contact, const struct touch *touch) {
    double low = touch->since;
    double high = 1.0;
    double above = touch->gap;
    double below = touch->depth;
    double time = low;
    double gap = above;
    for (unsigned round = 0; round < MEETING_ROUNDS && above > 0.0 && magnitude(gap) > EXACT; round++) {
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

static bool approaches(const struct touch *touch, const struct blows *blows) {
    return -touch->speed > blows->slowest;
}

static bool bounces(const struct contact *contact, const struct touch *touch, const struct blows *blows) {
    return contact->restitution > 0.0f && approaches(touch, blows) && touch->depth > 0.0;
}

static double earliest_of(const struct touch *touch) {
    const struct bouncer *a = touch->grip[0].bouncer;
    const struct bouncer *b = touch->grip[1].bouncer;
    return b != NULL && b->time < a->time ? b->time : a->time;
}

static bool is_rigid_touch(const struct touch *touch) {
    return touch->grip[0].bouncer->rigid || (touch->grip[1].bouncer != NULL && touch->grip[1].bouncer->rigid);
}

static void mark(struct touch *touch, double time) {
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
        struct touch touch = touch_of(world, contact);
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

static void strike(struct contact *contact, struct touch *touch, double time, bool bouncing) {
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
static double gap_then(const struct sim_world *world, const struct contact *contact, const struct touch *touch) {
    return bouncer_gap(world, contact, touch->grip, earliest_of(touch));
}

// Whether the two points meet when the first of their bodies bounces, or as good as then.
static bool meet_then(const struct sim_world *world, const struct contact *contact, const struct touch *touch) {
    return contact->meeting <= earliest_of(touch) ||
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
        struct touch touch = touch_of(world, contact);
        if (is_rigid_touch(&touch) && approaches(&touch, blows) && meet_then(world, contact, &touch)) {
            strike(contact, &touch, earliest_of(&touch), true);
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
static bool leans(const struct sim_world *world, const struct contact *contact, const struct touch *touch) {
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
        struct touch touch = touch_of(world, contact);
        if (leans(world, contact, &touch) && touch.speed <= blows->slowest &&
            gap_then(world, contact, &touch) <= AT_ONCE) {
            strike(contact, &touch, earliest_of(&touch), false);
            any = true;
        }
    }
    return any;
}

// After the last round: bodies that have been struck and still approach something they touch are stopped by impulses,
// all their points together. The sweeps push one point after the other, which would turn them and drive them apart.
static bool find_left(struct sim_world *world, const struct blows *blows) {
    bool any = false;
    forget_blows(world);
    for (uint32_t i = 0; i < world->contacts; i++) {
        struct contact *contact = &world->contact[i];
        forget_blow(contact);
        if (!is_of_hit(world, contact)) {
            continue;
        }
        struct touch touch = touch_of(world, contact);
        const bool bounces_later = contact->restitution > 0.0f && approaches(&touch, blows);
        if (is_rigid_touch(&touch) && !bounces_later && touch.speed <= blows->slowest && touch.gap <= AT_ONCE) {
            strike(contact, &touch, touch.since, false);
            any = true;
        }
    }
    return any;
}

// ---- impulses ----------------------------------------------------------------------------------------------------

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
    return magnitude(change * held->yield);
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

// To where each body is struck: only there it shows how fast the points meet.
static void follow(struct sim_world *world) {
    for (uint32_t i = 0; i < world->state.objects; i++) {
        struct bouncer *bouncer = &world->bouncer[i];
        if (bouncer->known && bouncer->struck) {
            bouncer_follow(world, &world->object[i], bouncer, bouncer->time);
        }
    }
}

static double speed_apart(struct sim_world *world, const struct contact *contact, const struct touch *touch) {
    return point_dot(point_of(contact->normal), bouncer_speed(world, contact, touch->grip));
}

static void note_speeds(struct sim_world *world) {
    for (uint32_t i = 0; i < world->contacts; i++) {
        struct contact *contact = &world->contact[i];
        contact->wanted = 0.0;
        if (contact->struck && contact->bouncing) {
            const struct touch touch = touch_of(world, contact);
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
            const struct touch touch = touch_of(world, contact);
            const double speed = speed_apart(world, contact, &touch);
            const double borne = contact->wanted - speed;
            const double pull = (earliest_of(&touch) - 0.5) * (pull_of(world, contact, blows) + borne);
            const double apart = (double)contact->restitution * (pull - speed) + pull;
            contact->wanted = speed < 0.0 ? apart : 0.0;
        }
    }
}

static void send(struct sim_world *world) {
    for (uint32_t i = 0; i < world->state.objects; i++) {
        if (world->bouncer[i].struck) {
            bouncer_send(world, &world->object[i], &world->bouncer[i]);
        }
    }
}

// What may bounce turns as it goes, before it is asked where: `integrate` sends its particles straight on.
static void turn(struct sim_world *world) {
    for (uint32_t i = 0; i < world->state.objects; i++) {
        world->bouncer[i].known = false;
        world->bouncer[i].struck = false;
    }
    for (uint32_t i = 0; i < world->contacts; i++) {
        const struct contact *contact = &world->contact[i];
        for (unsigned side = 0; side < 2 && contact->restitution > 0.0f; side++) {
            struct bouncer *bouncer = bouncer_grip(world, contact, side == 0).bouncer;
            if (bouncer != NULL && bouncer->rigid) {
                bouncer->struck = true;
                bouncer->touched = true;
            }
        }
    }
    send(world);
    contact_detect_struck(world);
}

// Stops all that is struck and, where it bounces, drives it apart again.
static void solve_round(struct sim_world *world, const struct blows *blows) {
    struct hold hold;
    follow(world);
    hold_struck(world, &hold);
    note_speeds(world);
    sweep_all(world, &hold, blows, PHASE_REST);
    want_apart(world, blows);
    sweep_all(world, &hold, blows, PHASE_STOP);
    sweep_all(world, &hold, blows, PHASE_PART);
    send(world);
    contact_detect_struck(world);
}

void contact_strike(struct sim_world *world, const struct substep *substep) {
    const struct blows blows = blows_of(substep);
    bool any = false;
    for (uint32_t i = 0; i < world->contacts && !any; i++) {
        any = may_bounce(&world->contact[i], &blows) && is_rigid_contact(world, &world->contact[i]);
    }
    world->bouncers_known = any;
    if (!any) {
        return;
    }
    turn(world);
    for (unsigned round = 0; round < ROUNDS_MAX && find_times(world, &blows); round++) {
        find_struck(world, &blows);
        for (unsigned further = 0; further < LEANING_ROUNDS && find_leaning(world, &blows); further++) {
        }
        solve_round(world, &blows);
    }
    if (find_left(world, &blows)) {
        solve_round(world, &blows);
    }
}

// ---- when the substep is over ------------------------------------------------------------------------------------

static bool restore_by_weights(struct sim_world *world, const struct contact *contact, const struct blows *blows) {
    const double pull = pull_of(world, contact, blows);
    const double approach = (double)contact->approach + ((double)contact->share - 0.5) * pull;
    const double wanted = (double)contact->restitution * approach + 0.5 * pull;
    const double missing = wanted - (double)contact_speed(world, contact);
    for (uint32_t k = 0; k < contact->carriers && missing > 0.0; k++) {
        const uint32_t i = contact->slot[k];
        const double share = missing * (double)(contact->lambda * world->w[i] * contact->weight[k]);
        world->dx[i] += (float)(share * (double)contact->normal.x);
        world->dy[i] += (float)(share * (double)contact->normal.y);
        world->dz[i] += (float)(share * (double)contact->normal.z);
    }
    return missing > 0.0;
}

bool contact_restore(struct sim_world *world, const struct substep *substep) {
    const struct blows blows = blows_of(substep);
    bool any = false;
    for (uint32_t i = 0; world->bouncers_known && i < world->state.objects; i++) {
        const struct bouncer *bouncer = &world->bouncer[i];
        if (bouncer->known && bouncer->touched) {
            bouncer_settle(world, &world->object[i], bouncer);
            any = true;
        }
    }
    for (uint32_t i = 0; i < world->contacts; i++) {
        const struct contact *contact = &world->contact[i];
        if (may_bounce(contact, &blows) && contact->pushed > 0.0f && !is_rigid_contact(world, contact)) {
            any |= restore_by_weights(world, contact, &blows);
        }
    }
    return any;
}
