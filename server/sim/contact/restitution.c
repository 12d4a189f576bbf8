// SPDX-License-Identifier: MIT
// Restitution (PHYSICS.md 5): the speed v_n at which the points of a contact approach before the substep becomes a
// separation speed of e·v_n after it.
//
// A free rigid body bounces before relaxation, when and where it first touches. In the iterations, a hard landing would
// bend and turn the body, and straightening it would push it off the floor a second time. So the body moves the rest of
// the substep with its new motion, and the contacts find no depth. d is p − x until the substep ends; then it becomes
// the new motion (impact.h).
//
// Where several points touch at once, and where a body that is struck rests on something, impulses are exchanged until
// all points have their target speeds (sequential impulses; E. Catto, 2005). First all points stop, with Coulomb
// friction; then those that bounce are driven apart along their normals alone. The first phase loses at least the
// energy that the second gives back, whatever the shape, so that no bounce gains energy: with u the speeds of the
// points and K the matrix of their responses to impulses, stopping them takes uᵀ·K⁻¹·u/2, which is no less than
// u_n²/(2·K_nn).
//
// Contacts bounce in rounds. A round takes the first touch of each body and every other point of these bodies that
// touches at nearly the same time. Contacts without restitution, and contacts with anything immovable, respond in the
// same round. Contacts with restitution between two movable bodies do not: they bounce in a later round at the same
// time, when each of them is struck. So of a row of equal balls that touch, as many leave as have come. Points that are
// too slow to bounce after the last round are stopped, by impulses as well.
//
// All other contacts bounce by their weights when the substep is over.
//
// Gravity changes the speed within the substep: d is the mean over it, so at the share t of the substep the speed is d
// + (t − 1/2)·g·h². With this term a ball bounces to e² of its height however long the substep is.
#include "sim/contact/restitution.h"

#include "sim/contact/bounce.h"
#include "sim/contact/bounce_solve.h"
#include "sim/contact/bounce_touch.h"
#include "sim/contact/contact.h"
#include "sim/contact/contact_detect.h"
#include "sim/contact/impact.h"
#include "sim/geometry/point.h"

// Slower approaches do not bounce: objects at rest would tremble.
#define RESTITUTION_SPEED_MIN 0.5f // m/s
#define ROUNDS_MAX 32u             // of bounces in a substep

static struct bounce_limits limits_of(const struct substep *substep) {
    const double h = (double)substep->h;
    return (struct bounce_limits){(double)RESTITUTION_SPEED_MIN * h, point_scale(point_of(substep->gravity), h * h)};
}

static bool may_bounce(const struct contact *contact, const struct bounce_limits *limits) {
    return contact->restitution > 0.0f && (double)contact->approach > limits->speed_min;
}

static bool is_rigid_at(const struct sim_world *world, uint32_t place) {
    return place != CONTACT_NO_OBJECT && impact_is_rigid(world, &world->object[place]);
}

static bool is_rigid_contact(const struct sim_world *world, const struct contact *contact) {
    return is_rigid_at(world, contact->object_a) || is_rigid_at(world, contact->object_b);
}

// ---- before relaxation -------------------------------------------------------------------------------------------

static void place_at_end(struct sim_world *world) {
    for (uint32_t i = 0; i < world->state.objects; i++) {
        if (world->impact_body[i].struck) {
            impact_place_at_end(world, &world->object[i], &world->impact_body[i]);
        }
    }
}

// Replaces the straight paths of bodies that may bounce by paths that turn, before the times of impact are found:
// `integrate` moves particles straight.
static void turn_bodies(struct sim_world *world) {
    for (uint32_t i = 0; i < world->state.objects; i++) {
        world->impact_body[i].known = false;
        world->impact_body[i].struck = false;
    }
    for (uint32_t i = 0; i < world->contacts; i++) {
        const struct contact *contact = &world->contact[i];
        for (unsigned side = 0; side < 2 && contact->restitution > 0.0f; side++) {
            struct impact_body *body = impact_side_of(world, contact, side == 0).body;
            if (body != NULL && body->rigid) {
                body->struck = true;
                body->is_followed = true;
            }
        }
    }
    place_at_end(world);
    contact_detect_struck(world);
}

static void solve_round(struct sim_world *world, const struct bounce_limits *limits) {
    bounce_solve(world, limits);
    place_at_end(world);
    contact_detect_struck(world);
}

void restitution_strike(struct sim_world *world, const struct substep *substep) {
    const struct bounce_limits limits = limits_of(substep);
    bool any = false;
    for (uint32_t i = 0; i < world->contacts && !any; i++) {
        any = may_bounce(&world->contact[i], &limits) && is_rigid_contact(world, &world->contact[i]);
    }
    world->impact_bodies_known = any;
    if (!any) {
        return;
    }
    turn_bodies(world);
    for (unsigned round = 0; round < ROUNDS_MAX && bounce_find_round(world, &limits); round++) {
        solve_round(world, &limits);
    }
    if (bounce_find_left(world, &limits)) {
        solve_round(world, &limits);
    }
}

// ---- after the substep -------------------------------------------------------------------------------------------

static bool restore_by_weights(struct sim_world *world, const struct contact *contact,
                               const struct bounce_limits *limits) {
    const double pull = bounce_gravity(world, contact, limits);
    const double approach = (double)contact->approach + ((double)contact->contact_time - 0.5) * pull;
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

bool restitution_finish(struct sim_world *world, const struct substep *substep) {
    const struct bounce_limits limits = limits_of(substep);
    bool any = false;
    for (uint32_t i = 0; world->impact_bodies_known && i < world->state.objects; i++) {
        const struct impact_body *body = &world->impact_body[i];
        if (body->known && body->is_followed) {
            impact_finish(world, &world->object[i], body);
            any = true;
        }
    }
    for (uint32_t i = 0; i < world->contacts; i++) {
        const struct contact *contact = &world->contact[i];
        if (may_bounce(contact, &limits) && contact->pushed > 0.0f && !is_rigid_contact(world, contact)) {
            any |= restore_by_weights(world, contact, &limits);
        }
    }
    return any;
}
