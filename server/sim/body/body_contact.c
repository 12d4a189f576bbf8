// SPDX-License-Identifier: MIT
#include "sim/body/body_contact.h"

#include "sim/contact/grip.h"
#include "sim/geometry/collide_patch.h"
#include "sim/geometry/round.h"
#include "sim/world/part.h"

#define SOLE_WEIGHT_MIN 1e-6f

// Adds the weights of a part's particles in a point that is a mean of vertices.
void body_contact_weigh(const struct body_part *part, const struct body_shape *shape, const struct mixture *mixture,
                        float sign, struct contact *contact) {
    double share[4] = {0.0, 0.0, 0.0, 0.0};
    for (uint32_t i = 0; i < mixture->vertices; i++) {
        if (shape->weight == NULL) {
            share[mixture->vertex[i]] += mixture->weight[i];
            continue;
        }
        for (unsigned k = 0; k < 4; k++) {
            share[k] += mixture->weight[i] * (double)shape->weight[4 * (size_t)mixture->vertex[i] + k];
        }
    }
    for (uint32_t k = 0; k < part->particles; k++) {
        const float weight = (float)share[k];
        if (scalar_abs(weight) > SOLE_WEIGHT_MIN) {
            contact->slot[contact->carriers] = part->slot[k];
            contact->weight[contact->carriers] = sign * weight;
            contact->carriers++;
        }
    }
}

struct contact body_contact_of(const struct sim_world *world, const struct part_pair *pair, struct point normal) {
    const struct object *object_a = &world->object[pair->a->object];
    const struct object *object_b = &world->object[pair->b->object];
    return (struct contact){
        .object_a = pair->a->object,
        .object_b = pair->b->object,
        .normal = point_rounded(normal),
        .offset = (float)pair->keep,
        .friction = contact_friction(object_a->friction, object_b->friction),
        .restitution = contact_restitution(object_a->restitution, object_b->restitution),
    };
}

// The way along the normal from a point of a ring that lies on its side to the axis; 0 of any other point.
static struct part_lift lift_of(const struct part_pair *pair, bool of_a, const struct mixture *point,
                                struct point normal) {
    const struct body_shape *shape = of_a ? &pair->shape_a : &pair->shape_b;
    const double rim = pair->rim[of_a ? 0 : 1];
    bool foremost = rim > 0.0;
    for (uint32_t k = 0; k < point->vertices; k++) {
        foremost = foremost && point->vertex[k] % RING_SIDES == 0;
    }
    return foremost ? part_ring_lift(shape->vertex[0], shape->vertex[RING_SIDES / 2], rim,
                                     of_a ? normal : point_scale(normal, -1.0))
                    : (struct part_lift){0.0, 0.0};
}

// Moves the weights of one side from the rim to the axis. Returns how far that is at rest.
static double lift_side(const struct sim_world *world, const struct part_pair *pair, bool of_a,
                        const struct mixture *point, struct contact *contact) {
    const struct body_part *part = of_a ? pair->a : pair->b;
    const struct point normal = point_of(contact->normal);
    const struct part_lift lift = lift_of(pair, of_a, point, normal);
    double more[4];
    if (!(lift.way > 0.0) || !grip_weights(world, part->slot[0], point_scale(normal, lift.way), more)) {
        return 0.0;
    }
    for (uint32_t k = 0; k < contact->carriers; k++) {
        const uint32_t own = contact->slot[k] - part->slot[0];
        contact->weight[k] += own < 4 ? (float)more[own] : 0.0f;
    }
    return lift.kept;
}

// Adds a contact of two points; that of a round part holds its vertex or axis, and has a grip on its surface.
static void add_pair(struct sim_world *world, const struct part_pair *pair, struct point normal,
                     const struct mixture *a, const struct mixture *b) {
    struct contact contact = body_contact_of(world, pair, normal);
    body_contact_weigh(pair->a, &pair->shape_a, a, 1.0f, &contact);
    body_contact_weigh(pair->b, &pair->shape_b, b, -1.0f, &contact);
    if (!(pair->round > 0.0) && !(pair->rim[0] > 0.0) && !(pair->rim[1] > 0.0)) {
        (void)contact_add(world, &contact);
        return;
    }
    const double lift[2] = {lift_side(world, pair, true, a, &contact), lift_side(world, pair, false, b, &contact)};
    const float arm[2] = {(body_part_is_embedded(pair->a) ? pair->a->radius : 0.0f) + (float)lift[0],
                          (body_part_is_embedded(pair->b) ? pair->b->radius : 0.0f) + (float)lift[1]};
    contact.offset = (float)(pair->keep + lift[0] + lift[1]);
    (void)grip_add_contact(world, &contact, arm);
}

// Adds the patch in which the two face one another along the normal, or otherwise their nearest pair of points.
void body_contact_patch(struct sim_world *world, const struct part_pair *pair, struct point normal,
                        const struct mixture *a, const struct mixture *b, double gap) {
    struct patch_point patch[COLLIDE_PATCH_MAX];
    const uint32_t count = collide_patch(&pair->shape_a.convex, &pair->shape_b.convex, normal, patch);
    const double most = pair->only_overlaps ? pair->keep : pair->keep + pair->near;
    double least = gap + pair->near;
    for (uint32_t i = 0; i < count; i++) {
        least = patch[i].gap < least ? patch[i].gap : least;
    }
    if (!(least <= gap + 0.1 * pair->near)) { // the nearest pair is not in the patch
        add_pair(world, pair, normal, a, b);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (patch[i].gap <= most) {
            add_pair(world, pair, normal, &patch[i].a, &patch[i].b);
        }
    }
}
