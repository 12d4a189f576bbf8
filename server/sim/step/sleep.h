// SPDX-License-Identifier: MIT
// Which objects fall asleep, and which are woken by contacts.
#ifndef WEFT_SIM_STEP_SLEEP_H
#define WEFT_SIM_STEP_SLEEP_H

#include "sim/world/world.h"

bool sleep_wake_touched(struct sim_world *world); // by contacts with what is awake; whether there were any
void sleep_update(struct sim_world *world);       // at the end of a tick

#endif
