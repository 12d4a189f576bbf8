// SPDX-License-Identifier: MIT
// Sequence numbers: each command that is applied has one, and it is the id of what the command creates.
#ifndef WEFT_SIM_WORLD_SEQUENCE_H
#define WEFT_SIM_WORLD_SEQUENCE_H

#include "sim/world/world.h"

// Takes the number of a command about to be applied; a command that creates something first asks whether there is one
// left.
uint32_t sequence_next(struct sim_world *world);
enum result sequence_check(const struct sim_world *world, struct fault *fault) WEFT_MUST_USE;
void sequence_note_capped(struct sim_world *world, bool capped); // notes that the last command was limited in speed

#endif
