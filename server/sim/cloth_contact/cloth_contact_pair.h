// SPDX-License-Identifier: MIT
// A pair of features of cloth: its particles, its distance to keep, and the contact that keeps it.
#ifndef WEFT_SIM_CLOTH_CONTACT_CLOTH_CONTACT_PAIR_H
#define WEFT_SIM_CLOTH_CONTACT_CLOTH_CONTACT_PAIR_H

#include "sim/cloth_contact/cloth_contact.h"

struct cloth_contact_pair cloth_contact_pair_of(const struct sim_world *world,
                                                const struct cloth_contact_candidate *candidate);
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
    const float gap =
        place_a == place_b ? cloth_contact_gap_within(a) : 0.5f * (a->radius + world->object[place_b].radius);
    return cloth_contact_distance(gap);
}

void cloth_contact_points_at_start(const struct sim_world *world, const struct cloth_contact_pair *pair,
                                   struct point at[4]);
void cloth_contact_points_now(const struct sim_world *world, const struct cloth_contact_pair *pair, struct point at[4]);
// Upper bound of the approach of a candidate's features when each particle moves by its value in `far`.
float cloth_contact_closing(const struct cloth_contacts *cloth, const struct cloth_contact_candidate *candidate,
                            const float *far);
// Sets all members of a contact except its gap. Returns false if no particle of it can move.
bool cloth_contact_of(const struct sim_world *world, const struct cloth_contact_pair *pair,
                      const struct proximity *nearest, struct cloth_contact *contact) WEFT_MUST_USE;
// Returns true if the contact was deep.
bool cloth_contact_relax_one(struct sim_world *world, struct cloth_contact *contact);

#endif
