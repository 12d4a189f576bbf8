// SPDX-License-Identifier: MIT
// Cloth against itself and against other cloth.
//
// What always holds: if no edge crosses a triangle at a substep's start, none does at its end. Two sheets that are
// apart can meet in two ways only, a vertex with a triangle or an edge with an edge, so it is enough to keep every such
// pair of features apart on the straight way from the substep's start to its end. (R. Bridson, R. Fedkiw, J. Anderson,
// "Robust Treatment of Collisions, Contact and Friction for Cloth Animation", 2002.)
//
//   cloth_contact_tree.c, cloth_contact_drift.c: the candidates, pairs that can come near during the next substeps,
//     from a tree of boxes
//   cloth_contact.c: the contacts, candidates nearer than the thickness, which the solver keeps apart
//   cloth_contact_guard.c: after the last sweep, pairs that would have met on the way are pushed apart once more, and
//     what cannot be, goes back towards its start
//
// Which side is which is told by the start: the normal of a pair is the way between its nearest points there. What a
// command has put through something stays through it.
//
// All of this is scratch. It is reserved with the world, touched only once there is cloth that collides, and built from
// the state: candidates at the start of a tick (and again when something has moved further than they allow for), so
// that a restored world goes on bit for bit. Units: m.
#ifndef WEFT_SIM_CLOTH_CONTACT_CLOTH_CONTACT_H
#define WEFT_SIM_CLOTH_CONTACT_CLOTH_CONTACT_H

#include "sim/geometry/proximity.h"
#include "sim/world/world.h"

// At once; a world of few triangles reserves fewer. The candidates that do not fit are left out, the same everywhere,
// and nothing is promised of them.
#define CLOTH_CONTACT_CANDIDATES_MAX 16777216u
#define CLOTH_CONTACT_CANDIDATES_PER_TRIANGLE 192u
#define CLOTH_CONTACT_CANDIDATES_MIN 16384u
#define CLOTH_CONTACTS_MAX 2097152u
#define CLOTH_CONTACTS_PER_TRIANGLE 32u
#define CLOTH_CONTACTS_MIN 2048u
#define CLOTH_CONTACT_GAPS 1.25f
#define CLOTH_CONTACT_FACES_MAX 536870912u // three bits of a feature's name say which part of the face it is

// A triangle that takes part, by slots.
struct cloth_contact_face {
    uint32_t corner[3];
    uint32_t object; // its place in world->object
};

struct cloth_contact_box {
    struct vec3 min, max;
};

// A face where it was when candidates were gathered and where it is expected to go, in the order of the tree's leaves.
struct cloth_contact_swept_face {
    struct vec3 corner[3], way[3];
    struct cloth_contact_box box, corner_box[3], edge_box[3]; // of all that it, its corners and its edges pass by
    float outer, inner; // m: half of what it keeps from other cloth, and from its own, and its skin
    uint32_t face, object;
    bool loose; // a corner is
};

// A pair of features. A vertex is named face·8 + corner, an edge face·8 + 4 + its first corner.
struct cloth_contact_candidate {
    uint32_t a; // a vertex or an edge
    uint32_t b; // an edge, if a is; else a face·8
    float room; // m, that is left until they are near when all goes as expected
};

// A candidate that may come near in this substep.
struct cloth_contact_near {
    uint32_t candidate;
    float distance; // at the substep's start
};

struct cloth_contact {
    uint32_t slot[4];
    float weight[4];    // proximity.h
    float share[4];     // λ·w·weight: how a depth of 1 moves each
    struct vec3 normal; // unit
    float gap;          // to be kept
    float recovered;    // of `gap`, what was missing at the start already: given back without gaining speed
    uint32_t object_a, object_b;
    float friction; // μ of the pair
    bool pushed;
};

struct cloth_contacts {
    bool gathered;       // the candidates are of this tick
    bool idle;           // nothing that collides moves
    bool near_overflows; // `near` is not complete
    uint32_t faces;      // 0: nothing collides
    struct cloth_contact_face *face;
    uint8_t *owned;      // of a face: bits 0..2 its corners, bits 3..5 its edges; each feature has one owner
    uint32_t *fan_first; // of a slot: where its faces begin in `fan`; one more at the end
    uint32_t *fan;
    uint32_t *member; // places of the objects that take part
    uint32_t members;
    float thickness_max;

    // The tree of boxes: faces in Morton order, four to a leaf, nodes as in a heap.
    uint32_t *key, *order, *key_spare, *order_spare;
    struct cloth_contact_box *node;
    struct cloth_contact_swept_face *swept_face;
    uint8_t *node_loose; // whether a face below has a loose corner
    uint32_t first_leaf;

    struct cloth_contact_candidate *candidate;
    uint32_t candidates;
    struct cloth_contact_near *near;
    uint32_t nears;
    struct cloth_contact *contact;
    uint32_t contacts;

    uint32_t substeps_left;             // of the tick, this one included
    uint32_t plan_substeps;             // as many were left when candidates were gathered
    uint32_t plan_end;                  // for so many substeps they were
    float *from_x, *from_y, *from_z;    // where particles were then
    float *plan_x, *plan_y, *plan_z;    // and where they are expected to go in a substep
    float *start_x, *start_y, *start_z; // and at the substep's start
    // Of a particle, all less what all particles have in common:
    float *skin;    // how far it may be from where it is expected before candidates are gathered again
    float *moved;   // how far it is from there in this substep at most
    float *way;     // how far it goes in this substep
    uint8_t *loose; // whether it has left its skin: its pairs are gathered again
    float *predicted_x, *predicted_y, *predicted_z; // where it was going when `near` was listed
    uint32_t pushes, retreats; // pairs that the guard pushed apart, and held back, since the world began
};

// The features of a candidate as four slots, and what they have to keep.
struct cloth_contact_pair {
    enum proximity_kind kind;
    uint32_t slot[4];
    uint32_t object_a, object_b;
};

void cloth_contact_begin_tick(struct sim_world *world);
// After `integrate`: candidates and contacts of the substep.
void cloth_contact_detect(struct sim_world *world, uint32_t substeps_left);
// Wakes what sleeps and has a contact with something awake; whether there was any.
bool cloth_contact_wake(struct sim_world *world);
void cloth_contact_relax(struct sim_world *world,
                         uint32_t iteration); // every contact once, the other way round in odd sweeps
// After `finish`: takes out the speed of what was recovered; whether there was any.
bool cloth_contact_settle(struct sim_world *world);
// Lists anew what can come near in this substep, as measured.
void cloth_contact_watch(struct sim_world *world);

#endif
