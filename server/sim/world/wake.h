// SPDX-License-Identifier: MIT
// Waking objects that sleep.
#ifndef WEFT_SIM_WORLD_WAKE_H
#define WEFT_SIM_WORLD_WAKE_H

#include "sim/world/world.h"

// Marks the island of an object that sleeps, at the place of the object that the island is named after; and wakes all
// objects of the islands that are marked.
void wake_mark_island(struct sim_world *world, const struct object *sleeper);
void wake_marked(struct sim_world *world);

// Everything that acts on an object wakes it and the objects that fell asleep with it. A command calls one of these
// functions after it is applied.
void wake_object(struct sim_world *world, uint32_t object); // by id
void wake_place(struct sim_world *world, uint32_t place);
void wake_all(struct sim_world *world);
void wake_box(struct sim_world *world, struct vec3 min, struct vec3 max); // objects in or near the box
void wake_near(struct sim_world *world, const struct object *object);

#endif
