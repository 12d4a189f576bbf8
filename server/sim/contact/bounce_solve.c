// SPDX-License-Identifier: MIT
// The impulses of a round of bounces (restitution.c; PHYSICS.md 5.2).
#include "sim/contact/bounce_solve.h"

#include "sim/contact/bounce_touch.h"
#include "sim/contact/grip.h"
#include "sim/contact/impact.h"

#define ITERATIONS_MAX 64u
#define JACOBI_ITERATIONS 8u    // iterations over all points at once, before iterations over one point after the other
#define CONVERGED_SHARE 1e-4    // of the slowest speed that bounces
#define SOLVER_CONTACTS_MAX 64u // contacts of a round whose constants are stored

// A contact that is struck, with the quantities that are constant in the round.
struct solver_contact {
    struct contact *contact;
    struct impact_side sides[2];
    double inverse_mass; // 1/kg, of the points along the normal
    // Share of the missing speed that the contact may add while all points of its bodies are pushed at once.
    double share;
    double next_impulse; // kg·m per substep
};

// The first SOLVER_CONTACTS_MAX contacts that are struck. Struck contacts from `others_from` on are not in it.
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

// The normal impulse that adds a share of the speed that the points lack of `target`.
static double normal_impulse_for(const struct sim_world *world, const struct solver_contact *entry, double target,
                                 double share) {
    const struct contact *contact = entry->contact;
    const double missing = target - point_dot(point_of(contact->normal), impact_velocity(world, contact, entry->sides));
    const double impulse = entry->inverse_mass > 0.0 ? contact->normal_impulse + share * missing / entry->inverse_mass
                                                     : contact->normal_impulse;
    return impulse > 0.0 ? impulse : 0.0;
}

// Sets the normal impulse so far. Returns the change of the points' speed.
static double set_normal_impulse(struct sim_world *world, const struct solver_contact *entry, double impulse) {
    struct contact *contact = entry->contact;
    const double change = impulse - contact->normal_impulse;
    contact->normal_impulse = impulse;
    impact_apply(world, contact, entry->sides, point_scale(point_of(contact->normal), change));
    return bounce_magnitude(change * entry->inverse_mass);
}

// Drives the two points apart at `target`. Returns the change of their speed.
static double push(struct sim_world *world, const struct solver_contact *entry, double target) {
    return set_normal_impulse(world, entry, normal_impulse_for(world, entry, target, 1.0));
}

// Moves the points of rigid bodies to their round surfaces, where friction acts (grip.h).
static void reach_surfaces(const struct sim_world *world, const struct contact *contact, struct impact_side sides[2]) {
    const struct point n = point_of(contact->normal);
    for (unsigned side = 0; side < 2 && contact->grip != 0; side++) {
        const double arm = (double)world->grip[contact->grip - 1].arm[side];
        sides[side].arm = point_sub(sides[side].arm, point_scale(n, sides[side].sign * arm));
    }
}

// The friction impulse so far plus the impulse that stops the slide, at most μ times the normal impulse.
static double apply_friction(struct sim_world *world, const struct solver_contact *entry) {
    struct contact *contact = entry->contact;
    const struct point n = point_of(contact->normal);
    struct impact_side sides[2] = {entry->sides[0], entry->sides[1]};
    reach_surfaces(world, contact, sides);
    const struct point u = impact_velocity(world, contact, sides);
    const struct point slide = point_sub(u, point_scale(n, point_dot(u, n)));
    const double length = point_length(slide);
    if (!(length > 0.0)) {
        return 0.0;
    }
    const double inverse_mass = impact_inverse_mass(world, contact, sides, point_scale(slide, 1.0 / length));
    const double licence = (double)contact->friction * contact->normal_impulse;
    const struct point before = contact->friction_impulse;
    struct point target = point_sub(before, point_scale(slide, 1.0 / inverse_mass));
    const double most = point_length(target);
    target = most > licence ? point_scale(target, licence / most) : target;
    contact->friction_impulse = target;
    const struct point change = point_sub(target, before);
    impact_apply(world, contact, sides, change);
    return inverse_mass * point_length(change);
}

enum phase {
    PHASE_REST, // contacts that do not bounce bear the weight on them
    PHASE_STOP, // all points stop, with friction
    PHASE_PART  // points that bounce are driven apart
};

static bool takes_part(const struct solver_contact *entry, enum phase phase) {
    return phase != PHASE_REST || !entry->contact->bouncing;
}

static double target_speed_in(const struct solver_contact *entry, enum phase phase) {
    return phase == PHASE_PART ? entry->contact->target_speed : 0.0;
}

// Returns the larger change of speed.
static double solve_contact(struct sim_world *world, const struct solver_contact *entry, enum phase phase) {
    if (!takes_part(entry, phase)) {
        return 0.0;
    }
    const double pushed = push(world, entry, target_speed_in(entry, phase));
    const double rubbed = phase == PHASE_STOP && entry->contact->friction > 0.0f ? apply_friction(world, entry) : 0.0;
    return rubbed > pushed ? rubbed : pushed;
}

// One Jacobi iteration: every impulse is computed before any is applied, so that an impact is shared out evenly. In
// Gauss-Seidel order the first point would take all of it, and where the points lie close together against the body's
// size, many iterations would be needed to share it.
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

// One Gauss-Seidel iteration over all contacts that are struck. Returns the largest change of speed.
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

// Advances each body to where it is struck: the speed of its points there depends on how it lies.
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

// The change of speed in PHASE_REST is gravity that something else bears; it does not drive these two points together.
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
