// SPDX-License-Identifier: MIT
// The triangles in cloth contact, and the owner of each corner and edge.
#ifndef WEFT_SIM_CLOTH_CONTACT_CLOTH_CONTACT_MESH_H
#define WEFT_SIM_CLOTH_CONTACT_CLOTH_CONTACT_MESH_H

#include "sim/cloth_contact/cloth_contact.h"

// The smallest height of an object's triangles at present, in m.
float cloth_contact_height(const struct sim_world *world, const struct object *object);
bool cloth_contact_takes_part(const struct object *object);
void cloth_contact_resolve(struct sim_world *world); // computes faces and owners anew when stale
// True if another pair has the same nearest points, by the particles that carry them (those whose weight is not 0), a
// bit for each. Where a nearest point lies on an edge or a
// corner, all faces around it and their edges find the same points. The vertex and the face that own the edge or corner
// stand for all of them, unless the vertex belongs to that face.
bool cloth_contact_is_repeated(const struct cloth_contacts *cloth, const struct cloth_contact_candidate *candidate,
                               const struct cloth_contact_pair *pair, unsigned carriers);

#endif
