// SPDX-License-Identifier: MIT
// The arrays of cloth contact.
#ifndef WEFT_SIM_CLOTH_CONTACT_CLOTH_CONTACT_MEMORY_H
#define WEFT_SIM_CLOTH_CONTACT_CLOTH_CONTACT_MEMORY_H

#include "sim/world/world.h"

enum result cloth_contact_reserve(struct sim_world *world) WEFT_MUST_USE;
void cloth_contact_release(struct sim_world *world);
void cloth_contact_give_back(struct sim_world *world); // see sim_world_give_back
// The greatest numbers in a world with so many triangles and faces of ropes and particles: present ones, not its
// capacity (contact_capacity).
uint32_t cloth_contact_capacity(uint32_t faces);
uint32_t cloth_contact_candidate_capacity(uint32_t faces);
// That number at present.
uint32_t cloth_contact_face_count(const struct sim_world *world);

#endif
