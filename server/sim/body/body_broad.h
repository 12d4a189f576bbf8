// SPDX-License-Identifier: MIT
// The broad phase of rigid bodies.
#ifndef WEFT_SIM_BODY_BODY_BROAD_H
#define WEFT_SIM_BODY_BODY_BROAD_H

#include "sim/body/body_part.h"
#include "sim/world/world.h"

void body_broad_sort(struct sim_world *world);
// Calls back for every pair of bodies whose boxes overlap, or for every body whose box overlaps the box of another
// object's part.
void body_broad_pairs(struct sim_world *world);
typedef void body_visit(struct sim_world *world, const struct body_part *body, const struct body_part *part,
                        void *context);
void body_broad_meet(struct sim_world *world, const struct body_part *part, body_visit *visit, void *context);

#endif
