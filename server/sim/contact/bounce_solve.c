// SPDX-License-Identifier: MIT
// The impulses of a round of bounces (contact_bounce.c).
#include "sim/contact/bounce_solve.h"

#include "sim/contact/bounce_touch.h"
#include "sim/contact/impact.h"

#define ITERATIONS_MAX 64u
#define JACOBI_ITERATIONS 8u    // sweeps of all points at once, before those of one point after the other
#define CONVERGED_SHARE 1e-4    // of the slowest approach
#define SOLVER_CONTACTS_MAX 64u // contacts of a round of which what does not change is kept

// A contact that is struck, and what the sweeps of a round do not change of it.
struct solver_contact {
    struct contact *contact;
    struct impact_side sides[2];
    double inverse_mass; // 1/kg, along the normal
    double share;        // of what it lacks that it may add when all points of its bodies are pushed together
    double next_impulse; // kg·m per substep, to be
};

// The first of those that are struck; contacts from `others_from` on are not in it.
struct solver {
    uint32_t count, others_from;
    struct solver_contact contact[SOLVER_CONTACTS_MAX];
};

static struct solver_contact solver_contact_of(struct sim_world *world, struct contact *contact) {
    struct solver_contact entry = {
        .contact = contact, .sides = {impact_side_of(world, contact, true), impact_side_of(world, contact, false)}};
    entry.inverse_mass = impact_inverse_mass(world, contact, entry.sides, point_of(contact->normal));
    uint32_t points = 1;
    for (unsigned side = 0; side < 2; side++) {
        const struct impact_body *body = entry.sides[side].body;
        points = body != NULL && body->points > points ? body->points : points;
    }
    entry.share = 1.0 / (double)points;
    return entry;
}

static void collect_struck(struct sim_world *world, struct solver *solver) {
    solver->count = 0;
    for (solver->others_from = 0; solver->others_from < world->contacts && solver->count < SOLVER_CONTACTS_MAX;
         solver->others_from++) {
        struct contact *contact = &world->contact[solver->others_from];
        if (contact->struck) {
            solver->contact[solver->count++] = solver_contact_of(world, contact);
        }
    }
}

// The impulse after which the two points have made up for a share of what they lack of `target`.
static double normal_impulse_for(const struct sim_world *world, const struct solver_contact *entry, double target,
                                 double share) {
    const struct contact *contact = entry->contact;
    const double missing = target - point_dot(point_of(contact->normal), impact_velocity(world, contact, entry->sides));
    const double impulse = entry->inverse_mass > 0.0 ? contact->normal_impulse + share * missing / entry->inverse_mass
                                                     : contact->normal_impulse;
    return impulse > 0.0 ? impulse : 0.0;
}

// Makes it the impulse so far; how much the points' speed has changed.
static double set_normal_impulse(struct sim_world *world, const struct solver_contact *entry, double impulse) {
    struct contact *contact = entry->contact;
    const double change = impulse - contact->normal_impulse;
    contact->normal_impulse = impulse;
    impact_apply(world, contact, entry->sides, point_scale(point_of(contact->normal), change));
    return bounce_magnitude(change * entry->inverse_mass);
}

// Drives the two points apart with `target`; how much their speed has changed.
static double push(struct sim_world *world, const struct solver_contact *entry, double target) {
    return set_normal_impulse(world, entry, normal_impulse_for(world, entry, target, 1.0));
}

// The total tangential impulse wanted is what there is and what stops the slide, but no more than μ times the blow.
static double apply_friction(struct sim_world *world, const struct solver_contact *entry) {
    struct contact *contact = entry->contact;
    const struct point n = point_of(contact->normal);
    const struct point u = impact_velocity(world, contact, entry->sides);
    const struct point slide = point_sub(u, point_scale(n, point_dot(u, n)));
    const double length = point_length(slide);
    if (!(length > 0.0)) {
        return 0.0;
    }
    const double inverse_mass = impact_inverse_mass(world, contact, entry->sides, point_scale(slide, 1.0 / length));
    const double licence = (double)contact->friction * contact->normal_impulse;
    const struct point before = contact->friction_impulse;
    struct point target = point_sub(before, point_scale(slide, 1.0 / inverse_mass));
    const double most = point_length(target);
    target = most > licence ? point_scale(target, licence / most) : target;
    contact->friction_impulse = target;
    const struct point change = point_sub(target, before);
    impact_apply(world, contact, entry->sides, change);
    return inverse_mass * point_length(change);
}

enum phase {
    PHASE_REST, // contacts that do not bounce carry what rests on them
    PHASE_STOP, // all come to a stop, with friction
    PHASE_PART  // those that bounce are driven apart
};

static bool takes_part(const struct solver_contact *entry, enum phase phase) {
    return phase != PHASE_REST || !entry->contact->bouncing;
}

static double target_speed_in(const struct solver_contact *entry, enum phase phase) {
    return phase == PHASE_PART ? entry->contact->target_speed : 0.0;
}

// The larger change of a speed.
static double solve_contact(struct sim_world *world, const struct solver_contact *entry, enum phase phase) {
    if (!takes_part(entry, phase)) {
        return 0.0;
    }
    const double pushed = push(world, entry, target_speed_in(entry, phase));
    const double rubbed = phase == PHASE_STOP && entry->contact->friction > 0.0f ? apply_friction(world, entry) : 0.0;
    return rubbed > pushed ? rubbed : pushed;
}

// All points once, as they are before any of them is pushed: a blow is shared out evenly. One after the other, the
// first point would take all of it, and where the points lie close together against the body's size the sweeps would
// take long to give the rest of them their parts.
static void push_all_at_once(struct sim_world *world, struct solver *solver, enum phase phase) {
    for (uint32_t k = 0; k < solver->count; k++) {
        struct solver_contact *entry = &solver->contact[k];
        entry->next_impulse = takes_part(entry, phase)
                                  ? normal_impulse_for(world, entry, target_speed_in(entry, phase), entry->share)
                                  : entry->contact->normal_impulse;
    }
    for (uint32_t k = 0; k < solver->count; k++) {
        (void)set_normal_impulse(world, &solver->contact[k], solver->contact[k].next_impulse);
    }
}

// Every contact that is struck once; the largest change of a speed.
static double iterate(struct sim_world *world, const struct solver *solver, enum phase phase) {
    double most = 0.0;
    for (uint32_t k = 0; k < solver->count; k++) {
        const double changed = solve_contact(world, &solver->contact[k], phase);
        most = changed > most ? changed : most;
    }
    for (uint32_t i = solver->others_from; i < world->contacts; i++) {
        if (world->contact[i].struck) {
            const struct solver_contact entry = solver_contact_of(world, &world->contact[i]);
            const double changed = solve_contact(world, &entry, phase);
            most = changed > most ? changed : most;
        }
    }
    return most;
}

static void iterate_phase(struct sim_world *world, struct solver *solver, const struct bounce_limits *limits,
                          enum phase phase) {
    for (unsigned k = 0; k < JACOBI_ITERATIONS; k++) {
        push_all_at_once(world, solver, phase);
    }
    double changed = limits->speed_min;
    for (unsigned k = 0; k < ITERATIONS_MAX && changed > CONVERGED_SHARE * limits->speed_min; k++) {
        changed = iterate(world, solver, phase);
    }
}

// ---- a round -----------------------------------------------------------------------------------------------------

// To where each body is struck: only there it shows how fast the points meet.
static void follow(struct sim_world *world) {
    for (uint32_t i = 0; i < world->state.objects; i++) {
        struct impact_body *body = &world->impact_body[i];
        if (body->known && body->struck) {
            impact_advance(world, &world->object[i], body, body->time);
        }
    }
}

static double speed_apart(struct sim_world *world, const struct contact *contact, const struct bounce_touch *touch) {
    return point_dot(point_of(contact->normal), impact_velocity(world, contact, touch->sides));
}

static void note_speeds(struct sim_world *world) {
    for (uint32_t i = 0; i < world->contacts; i++) {
        struct contact *contact = &world->contact[i];
        contact->target_speed = 0.0;
        if (contact->struck && contact->bouncing) {
            const struct bounce_touch touch = bounce_touch(world, contact);
            contact->target_speed = speed_apart(world, contact, &touch);
        }
    }
}

// What PHASE_REST has changed of a speed is gravity that something else bears: what it was for one of the two points
// does not draw them together any less.
static void set_target_speeds(struct sim_world *world, const struct bounce_limits *limits) {
    for (uint32_t i = 0; i < world->contacts; i++) {
        struct contact *contact = &world->contact[i];
        if (contact->struck && contact->bouncing) {
            const struct bounce_touch touch = bounce_touch(world, contact);
            const double speed = speed_apart(world, contact, &touch);
            const double borne = contact->target_speed - speed;
            const double pull = (bounce_earliest(&touch) - 0.5) * (bounce_gravity(world, contact, limits) + borne);
            const double apart = (double)contact->restitution * (pull - speed) + pull;
            contact->target_speed = speed < 0.0 ? apart : 0.0;
        }
    }
}

void bounce_solve(struct sim_world *world, const struct bounce_limits *limits) {
    struct solver solver;
    follow(world);
    collect_struck(world, &solver);
    note_speeds(world);
    iterate_phase(world, &solver, limits, PHASE_REST);
    set_target_speeds(world, limits);
    iterate_phase(world, &solver, limits, PHASE_STOP);
    iterate_phase(world, &solver, limits, PHASE_PART);
}
