// SPDX-License-Identifier: MIT
// Features that stay near one another because they are parts of one rope, or because added sticks join them.
#ifndef WEFT_SIM_CLOTH_CONTACT_CLOTH_CONTACT_CHAIN_H
#define WEFT_SIM_CLOTH_CONTACT_CLOTH_CONTACT_CHAIN_H

#include "sim/cloth_contact/cloth_contact.h"

// A feature by its slots; some may be equal.
struct cloth_contact_feature {
    const uint32_t *slot;
    unsigned count;
    uint32_t object; // place
};

void cloth_contact_tie(struct sim_world *world); // lists the added sticks at ropes and particles, once a tick
// True if two features, of which one is of a rope or a particle, do not collide: the way from one to the other along a
// rope and added sticks is shorter than half a turn with the distance that they would keep as its diameter. An added
// stick alone has to be shorter than that distance.
bool cloth_contact_is_chained(const struct sim_world *world, struct cloth_contact_feature a,
                              struct cloth_contact_feature b);

#endif
