// SPDX-License-Identifier: MIT
// A pair of features of cloth: its particles, its distance to keep, and the contact that keeps it.
#ifndef WEFT_SIM_CLOTH_CONTACT_CLOTH_CONTACT_PAIR_H
#define WEFT_SIM_CLOTH_CONTACT_CLOTH_CONTACT_PAIR_H

#include "sim/cloth_contact/cloth_contact.h"

static inline struct cloth_contact_pair cloth_contact_pair_of(const struct sim_world *world,
                                                              const struct cloth_contact_candidate *candidate) {
    const struct cloth_contacts *cloth = world->cloth_contacts;
    const struct cloth_contact_face *a = &cloth->face[candidate->a / 8];
    const struct cloth_contact_face *b = &cloth->face[candidate->b / 8];
    const unsigned i = candidate->a % 4;
    const unsigned k = candidate->b % 4;
    if (candidate->a % 8 < 4) {
        return (struct cloth_contact_pair){
            PROXIMITY_VERTEX_TRIANGLE, {a->corner[i], b->corner[0], b->corner[1], b->corner[2]}, a->object, b->object};
    }
    return (struct cloth_contact_pair){
        PROXIMITY_EDGE_EDGE,
        {a->corner[i], a->corner[(i + 1) % 3], b->corner[k], b->corner[(k + 1) % 3]},
        a->object,
        b->object,
    };
}

float cloth_contact_gap(const struct sim_world *world, const struct cloth_contact_pair *pair); // h, in m
float cloth_contact_gap_within(const struct object *object); // the greatest h within one cloth

// Pairs nearer than this have a contact: the other constraints of an iteration could push pairs together that are about
// to touch.
static inline float cloth_contact_distance(float gap) {
    return CLOTH_CONTACT_GAPS * gap;
}

// The greatest such distance of features of two objects.
static inline float cloth_contact_distance_max(const struct sim_world *world, uint32_t place_a, uint32_t place_b) {
    const struct object *a = &world->object[place_a];
    const struct object *b = &world->object[place_b];
    const float gap = place_a == place_b ? cloth_contact_gap_within(a)
                                         : 0.5f * (cloth_contact_thickness(a) + cloth_contact_thickness(b));
    return cloth_contact_distance(gap);
}

// True if one of its features is of a rope or a particle.
static inline bool cloth_contact_has_thread(const struct sim_world *world, const struct cloth_contact_pair *pair) {
    return cloth_contact_corners(&world->object[pair->object_a]) < 3 ||
           cloth_contact_corners(&world->object[pair->object_b]) < 3;
}

void cloth_contact_points_at_start(const struct sim_world *world, const struct cloth_contact_pair *pair,
                                   struct point at[4]);
void cloth_contact_points_now(const struct sim_world *world, const struct cloth_contact_pair *pair, struct point at[4]);
// Upper bound of the approach of a pair's features when each particle moves by its value in `far`.
static inline float cloth_contact_closing(const struct cloth_contact_pair *pair, const float *far) {
    const uint32_t *slot = pair->slot;
    if (pair->kind == PROXIMITY_VERTEX_TRIANGLE) {
        return far[slot[0]] + scalar_max(far[slot[1]], scalar_max(far[slot[2]], far[slot[3]]));
    }
    return scalar_max(far[slot[0]], far[slot[1]]) + scalar_max(far[slot[2]], far[slot[3]]);
}
// Sets all members of a contact except its gap. Returns false if no particle of it can move.
bool cloth_contact_of(const struct sim_world *world, const struct cloth_contact_pair *pair,
                      const struct proximity *nearest, struct cloth_contact *contact) WEFT_MUST_USE;
// Returns true if the contact was deep.
bool cloth_contact_relax_one(struct sim_world *world, struct cloth_contact *contact);

#endif
