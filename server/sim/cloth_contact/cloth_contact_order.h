// SPDX-License-Identifier: MIT
// The order in which contacts are relaxed.
#ifndef WEFT_SIM_CLOTH_CONTACT_CLOTH_CONTACT_ORDER_H
#define WEFT_SIM_CLOTH_CONTACT_CLOTH_CONTACT_ORDER_H

#include "sim/cloth_contact/cloth_contact.h"

#define CLOTH_CONTACT_LEAF_FACES 2u
#define CLOTH_CONTACT_NEVER UINT32_MAX

void cloth_contact_order_all(struct sim_world *world);   // ranks all faces
void cloth_contact_order_loose(struct sim_world *world); // begins an epoch: moves the pairs of loose faces to the end
// False for a pair of objects that have both rested since the pair was last ordered.
bool cloth_contact_order_has(const struct cloth_contacts *cloth, const struct cloth_contact_candidate *candidate);
struct cloth_contact_place cloth_contact_order_of(const struct cloth_contacts *cloth,
                                                  const struct cloth_contact_candidate *candidate, uint32_t index);
// Sorts the first `count` of `place`. Returns false if they stood in order.
bool cloth_contact_order_sort(struct cloth_contacts *cloth, uint32_t count);

#endif
