// SPDX-License-Identifier: MIT
// Bodies that rest on one another stand firm.
#ifndef WEFT_SIM_BODY_STACK_H
#define WEFT_SIM_BODY_STACK_H

#include "sim/world/world.h"

// A contact between the bodies of a stack.
struct stack_contact {
    uint32_t contact;      // index in world->contact
    uint32_t upper, lower; // places in world->object; `lower` may be CONTACT_NO_OBJECT
};

void stack_relax(struct sim_world *world); // called before and after the iterations, so that stacks stand firm

#endif
