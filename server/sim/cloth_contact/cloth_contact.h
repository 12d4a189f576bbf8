// SPDX-License-Identifier: MIT
// Cloth against itself and against other cloth.
//
// Invariant: if no edge crosses a triangle at a substep's start, none does at its end. Two sheets that are apart can
// only meet vertex on triangle or edge on edge, so it is enough to keep every such pair of features apart on the
// straight path from the substep's start to its end. (R. Bridson, R. Fedkiw, J. Anderson, "Robust Treatment of
// Collisions, Contact and Friction for Cloth Animation", 2002.)
//
//   cloth_contact_tree.c, cloth_contact_drift.c: the candidates, pairs that can come near during the next substeps,
//     from a tree of boxes
//   cloth_contact.c: the contacts, candidates nearer than the thickness, which the solver keeps apart
//   cloth_contact_guard.c: after the last iteration, pairs that would have met on their paths are pushed apart once
//     more, and particles of pairs that remain go back towards their starts
//
// The start decides the sides: the normal of a pair is the direction between its nearest points there. Cloth that a
// command has put through something stays through it.
//
// All of this is scratch. It is reserved with the world, used only once there is cloth that collides, and computed from
// the state: candidates at the start of a tick (and again when particles have moved farther than the candidates allow),
// so that a restored world continues bit for bit. Units: m.
#ifndef WEFT_SIM_CLOTH_CONTACT_CLOTH_CONTACT_H
#define WEFT_SIM_CLOTH_CONTACT_CLOTH_CONTACT_H

#include "sim/geometry/proximity.h"
#include "sim/world/world.h"

// Upper limits; a world with few triangles reserves less. Candidates that do not fit are left out, the same ones on
// every machine, and are not kept apart.
#define CLOTH_CONTACT_CANDIDATES_MAX 16777216u
#define CLOTH_CONTACT_CANDIDATES_PER_TRIANGLE 192u
#define CLOTH_CONTACT_CANDIDATES_MIN 16384u
#define CLOTH_CONTACTS_MAX 2097152u
#define CLOTH_CONTACTS_PER_TRIANGLE 32u
#define CLOTH_CONTACTS_MIN 2048u
#define CLOTH_CONTACT_GAPS 1.25f
#define CLOTH_CONTACT_FACES_MAX 536870912u // three bits of a feature's number select the part of the face

// A triangle that collides, by slots.
struct cloth_contact_face {
    uint32_t corner[3];
    uint32_t object; // place in world->object
};

struct cloth_contact_box {
    struct vec3 min, max;
};

// A face where it was when candidates were gathered, and its expected motion, in the order of the tree's leaves.
struct cloth_contact_swept_face {
    struct vec3 corner[3], path[3];
    // Boxes around the paths of the face, its corners and its edges.
    struct cloth_contact_box box, corner_box[3], edge_box[3];
    float outer, inner; // m: half of its thickness against other cloth, and against its own, plus its skin
    uint32_t face, object;
    bool loose; // true if a corner is loose
};

// A pair of features. A vertex has the number face·8 + corner, an edge face·8 + 4 + its first corner.
struct cloth_contact_candidate {
    uint32_t a; // a vertex or an edge
    uint32_t b; // an edge if a is an edge, otherwise a face·8
    float room; // m, distance left until they are near if all particles move as expected
};

// A candidate that may come near in this substep.
struct cloth_contact_near {
    uint32_t candidate;
    float distance; // at the substep's start
};

struct cloth_contact {
    uint32_t slot[4];
    float weight[4];    // proximity.h
    float share[4];     // λ·w·weight: the motion of each particle for a depth of 1
    struct vec3 normal; // unit
    float gap;          // distance to keep
    float recovered;    // part of `gap` that was missing at the start, recovered without gaining speed
    uint32_t object_a, object_b;
    float friction; // μ of the pair
    bool pushed;
};

struct cloth_contacts {
    bool gathered;       // the candidates belong to this tick
    bool idle;           // no cloth that collides moves
    bool near_overflows; // `near` does not hold all
    uint32_t faces;      // 0: no cloth collides
    struct cloth_contact_face *face;
    uint8_t *owned;      // per face: bits 0..2 its corners, bits 3..5 its edges; each feature has one owner
    uint32_t *fan_first; // per slot: where its faces begin in `fan`; one more at the end
    uint32_t *fan;
    uint32_t *member; // places of the objects that collide
    uint32_t members;
    float thickness_max;

    // The tree of boxes: faces in Morton order, four to a leaf, nodes as in a heap.
    uint32_t *key, *order, *key_spare, *order_spare;
    struct cloth_contact_box *node;
    struct cloth_contact_swept_face *swept_face;
    uint8_t *node_loose; // true if a face below has a loose corner
    uint32_t first_leaf;

    struct cloth_contact_candidate *candidate;
    uint32_t candidates;
    struct cloth_contact_near *near;
    uint32_t nears;
    struct cloth_contact *contact;
    uint32_t contacts;

    uint32_t substeps_left;             // in the tick, this one included
    uint32_t plan_substeps;             // substeps left when candidates were gathered
    uint32_t plan_end;                  // number of substeps for which they were gathered
    float *from_x, *from_y, *from_z;    // positions of particles then
    float *plan_x, *plan_y, *plan_z;    // expected motion of particles in a substep
    float *start_x, *start_y, *start_z; // positions at the substep's start
    // Per particle, all relative to the mean motion of all particles:
    float *skin;                                    // distance from its expected place within which the candidates hold
    float *moved;                                   // greatest distance from its expected place in this substep
    float *path;                                    // length of its path in this substep
    uint8_t *loose;                                 // 1 if it has left its skin: its pairs are gathered again
    float *predicted_x, *predicted_y, *predicted_z; // its position when `near` was listed
    uint32_t pushes, retreats; // pairs that the guard has pushed apart, and moved back, since the world began
};

// The features of a candidate as four slots.
struct cloth_contact_pair {
    enum proximity_kind kind;
    uint32_t slot[4];
    uint32_t object_a, object_b;
};

void cloth_contact_begin_tick(struct sim_world *world);
// Called after `integrate`: finds the candidates and contacts of the substep.
void cloth_contact_detect(struct sim_world *world, uint32_t substeps_left);
// Wakes objects that sleep and have a contact with an object that is awake. Returns true if there were any.
bool cloth_contact_wake(struct sim_world *world);
void cloth_contact_relax(struct sim_world *world,
                         uint32_t iteration); // relaxes every contact once, in reverse order in odd iterations
// Called after `finish`: removes the speed that recovery has given. Returns true if there was any.
bool cloth_contact_settle(struct sim_world *world);
// Lists the candidates that can come near in this substep anew, by their measured motion.
void cloth_contact_list_near(struct sim_world *world);

#endif
